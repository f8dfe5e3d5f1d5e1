// The process that plays runs for the doctor. It applies a setting to itself, then starts
// processes that play: it never touches the system itself, so whatever a run does to its process,
// the next one begins in an untouched copy.
#pragma once

#include "schism/doctor/board.hpp"
#include "schism/doctor/setting.hpp"

namespace schism::doctor {

// The files that a player finds open when it was started as a program of its own.
enum PlayerFile : int { kRequestFile = 200, kBoardFile = 201, kWordsFile = 202 };

// Plays the request; what each step was goes to `words` if that is wanted.
Status play(const Request& request, const Board& board, int words);
// The same with the files above: what the program does when it was started for that.
Status play_from_files();

}  // namespace schism::doctor
