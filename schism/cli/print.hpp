// Everything that the program says goes through here, so that two things hold of all of it. Text
// that came from outside cannot move the cursor, ring, recolour or turn what stands around it:
// every argument that is a text is made `printable`, and so stays on one line. And what could not
// be written is not forgotten: it decides the exit code.
//
//   say("{} is violated at step {}\n", v.property, v.step);
//   say("{}", Shown{tell(trace, story), story.color});     // composed by us, line by line
//
// Nothing else in this folder prints; `make lint` looks for it.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "schism/base/text.hpp"

namespace schism::cli {

// Text of several lines that was made by us; only the colours of our own stay in it.
struct Shown {
  std::string_view text;
  bool color = false;
};

std::string safe(const Shown& shown);
inline std::string safe(std::string_view text) { return printable(text); }
template <class T>
requires(!std::is_convertible_v<const T&, std::string_view> &&
         !std::is_same_v<T, Shown>) const T& safe(const T& other) {
  return other;  // NOLINT: of the argument of the same call
}

template <class T>
using Safe = std::remove_cvref_t<decltype(safe(std::declval<const T&>()))>;

// To standard output or error. A failure of standard error has nowhere to be told.
void put_out(std::string_view text);
void put_err(std::string_view text);

template <class... Args>
void say(fmt::format_string<Safe<Args>&...> format, const Args&... args) {
  const auto text = [&](auto&&... made) {
    return fmt::vformat(format, fmt::make_format_args(made...));
  };
  put_out(text(safe(args)...));
}

template <class... Args>
void say_aside(fmt::format_string<Safe<Args>&...> format, const Args&... args) {
  const auto text = [&](auto&&... made) {
    return fmt::vformat(format, fmt::make_format_args(made...));
  };
  put_err(text(safe(args)...));
}

// Where a standard file is closed, the next file that is opened would take its number, and what we
// say would go into a trace: something that refuses takes the place first.
void occupy_standard_files();
void flush_out();
// The exit code for a program that meant to end with this one: another where standard output
// failed at any time, with a line about it.
int exit_code_after_output(int code);

}  // namespace schism::cli
