// Texts over a stream socket, each with its length before it.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace schism::check {

inline bool send_bytes(int socket, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t n = ::send(socket, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

inline bool receive_bytes(int socket, void* bytes, std::size_t size) {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t n = ::recv(socket, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

inline bool send_letter(int socket, std::string_view text) {
  const std::size_t size = text.size();
  return send_bytes(socket, &size, sizeof size) && send_bytes(socket, text.data(), size);
}

// False: the other end is gone.
inline bool receive_letter(int socket, std::string& text) {
  std::size_t size = 0;
  if (!receive_bytes(socket, &size, sizeof size)) return false;
  text.resize(size);
  return receive_bytes(socket, text.data(), size);
}

}  // namespace schism::check
