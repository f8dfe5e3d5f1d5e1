// What a register's nodes announce of each operation, for oracles.
#pragma once

#include "schism/base/fields.hpp"

namespace schism::registers {

inline constexpr int kOperationsANode = 8;  // an operation is numbered node * 8 + n-th

struct Began {
  int operation;
  bool write;
  int value;  // of a write; no two writes have the same
  FIELDS(operation, write, value)
};
struct Ended {
  int operation;
  int value;  // written, or read
  FIELDS(operation, value)
};

}  // namespace schism::registers
