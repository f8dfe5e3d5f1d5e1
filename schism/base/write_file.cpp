// Writing: what stands at a path decides how.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "schism/base/file.hpp"
#include "schism/base/params.hpp"

namespace schism {
namespace {

constexpr int kLinksMax = 40;  // as the kernel has it
constexpr int kNamesTried = 100;

// Closed on every way out.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }
  bool good() const { return descriptor_ >= 0; }
  bool close() {  // network file systems report a full disk here
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return ::close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

tl::unexpected<std::string> failure(const std::string& path, int code = errno) {
  return error("{}: {}", path, std::strerror(code));
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string last_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The number in /proc/self/fd/1, where /dev/stdout and /dev/fd/1 lead: such a name means the open
// file itself, at its place, and not the name that it once had.
std::optional<int> descriptor_of(const std::string& path) {
  std::error_code code;
  const auto folder = std::filesystem::canonical(folder_of(path), code);
  if (code) return std::nullopt;
  const auto process = "/proc/" + std::to_string(::getpid());
  const std::string place = folder.string();
  if (place != process + "/fd" &&
      !(place.starts_with(process + "/task/") && place.ends_with("/fd")))
    return std::nullopt;
  const auto number = parse_integer(last_of(path), 0, INT_MAX);
  if (!number) return std::nullopt;
  return static_cast<int>(*number);
}

// In a folder where everybody may write, such as /tmp, a link of a stranger's is a trap. The
// kernel has the same rule for opening.
bool is_planted(const std::string& link, const struct stat& about) {
  struct stat folder {};
  if (::stat(folder_of(link).c_str(), &folder) != 0) return false;
  const bool shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return shared && about.st_uid != ::geteuid() && about.st_uid != folder.st_uid;
}

struct Place {
  std::string path;               // no link any more
  std::optional<int> descriptor;  // an open file of ours
  bool exists = false;
  struct stat about {};
};

// What stands there in the end, links followed by hand.
Result<Place> find_place(const std::string& path) {
  Place place;
  place.path = path;
  for (int links = 0; links <= kLinksMax; ++links) {
    place.descriptor = descriptor_of(place.path);
    if (place.descriptor) return place;
    if (::lstat(place.path.c_str(), &place.about) != 0) {
      if (errno != ENOENT) return failure(path);
      return place;
    }
    if (!S_ISLNK(place.about.st_mode)) {
      place.exists = true;
      return place;
    }
    if (is_planted(place.path, place.about))
      return error("{}: it is a link of somebody else's, in a folder for all", path);
    std::error_code code;
    const std::string target = std::filesystem::read_symlink(place.path, code).string();
    if (code) return error("{}: {}", path, code.message());
    place.path = target.starts_with("/") ? target : folder_of(place.path) + "/" + target;
  }
  return failure(path, ELOOP);
}

Status write_through(int file, const std::string& path, const std::string& bytes) {
  if (file < 0 || !write_all(file, bytes)) return failure(path);
  return {};
}

// A name beside the target that nobody can have put something at.
Result<std::string> create_beside(int folder, const std::string& path, int& file) {
  for (int tried = 0; tried < kNamesTried; ++tried) {
    std::uint64_t random[2];
    if (::getrandom(random, sizeof random, 0) != sizeof random) return failure(path);
    const auto name = fmt::format(".schism-{:016x}{:016x}", random[0], random[1]);
    file =
        ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0) return name;
    if (errno != EEXIST) break;
  }
  return failure(path);
}

mode_t mode_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

Status replace(const Place& place, const std::string& path, const std::string& bytes) {
  // The folder would allow replacing a file that may not be written.
  if (place.exists && ::faccessat(AT_FDCWD, place.path.c_str(), W_OK, AT_EACCESS) != 0)
    return failure(path);
  const File folder(::open(folder_of(place.path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.good()) return failure(path);
  int created = -1;
  const auto name = create_beside(folder.get(), path, created);
  if (!name) return tl::unexpected(name.error());
  File file(created);
  const mode_t mode = place.exists ? place.about.st_mode & 07777 : mode_of_new_files();
  // The owner first, because changing it clears bits of the mode. Only root may.
  const bool foreign = place.exists && ::geteuid() == 0;
  const bool owned = !foreign ||
                     ::fchown(file.get(), place.about.st_uid, place.about.st_gid) == 0 ||
                     errno == EPERM;
  if (!owned || !write_all(file.get(), bytes) || ::fchmod(file.get(), mode) != 0 ||
      ::fsync(file.get()) != 0 || !file.close() ||
      ::renameat(folder.get(), name->c_str(), folder.get(), last_of(place.path).c_str()) != 0) {
    const int problem = errno;
    ::unlinkat(folder.get(), name->c_str(), 0);
    return failure(path, problem);
  }
  return {};
}

}  // namespace

Status write_file(const std::string& path, const std::string& content) {
  const bool packed = path.ends_with(".zst");
  const std::string bytes = packed ? compress(content) : content;
  std::fflush(stdout);  // what was said before stands before
  if (path == "-") return write_through(STDOUT_FILENO, "standard output", bytes);
  const auto place = find_place(path);
  if (!place) return tl::unexpected(place.error());
  if (place->descriptor) return write_through(*place->descriptor, path, bytes);
  if (place->exists && S_ISDIR(place->about.st_mode)) return error("{}: it is a directory", path);
  if (!place->exists || S_ISREG(place->about.st_mode)) return replace(*place, path, bytes);
  File device(::open(place->path.c_str(), O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
  if (auto written = write_through(device.get(), path, bytes); !written) return written;
  return device.close() ? Status{} : failure(path);
}

Status can_write(const std::string& path) {
  if (path.empty() || path == "-") return {};
  const auto place = find_place(path);
  if (!place) return tl::unexpected(place.error());
  if (place->descriptor) return {};
  if (place->exists && S_ISDIR(place->about.st_mode)) return error("{}: it is a directory", path);
  if (place->exists && ::faccessat(AT_FDCWD, place->path.c_str(), W_OK, AT_EACCESS) != 0)
    return failure(path);
  const bool beside = !place->exists || S_ISREG(place->about.st_mode);
  if (beside && ::faccessat(AT_FDCWD, folder_of(place->path).c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return failure(path);
  return {};
}

bool names_a_file(const std::string& path) {
  if (path == "-") return false;
  const auto place = find_place(path);
  return place && !place->descriptor && (!place->exists || S_ISREG(place->about.st_mode));
}

}  // namespace schism
