#include "schism/guard/last_words.hpp"

#include <execinfo.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>

namespace schism::guard {
namespace {

BlackBox* box = nullptr;
BlackBox::Position last_seen;
int ticks_without_step = 0, ticks_allowed = 0;

// Where the signal came, to cut off the frames of the handler itself.
void* interrupted_at([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  const auto* c = static_cast<const ucontext_t*>(context);
  return reinterpret_cast<void*>(c->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  const auto* c = static_cast<const ucontext_t*>(context);
  return reinterpret_cast<void*>(c->uc_mcontext.pc);
#else
  return nullptr;
#endif
}

[[noreturn]] void speak_and_die(int signal, bool hang, void* context) {
  LastWords& words = box->last_words();
  words.signal = signal;
  words.hang = hang;
  void* frames[kFramesMax + 8];
  const int count = ::backtrace(frames, kFramesMax + 8);
  void** const end = frames + count;
  void** first = std::find(frames, end, interrupted_at(context));
  if (first == end) first = frames + std::min(count, 2);
  words.frame_count = static_cast<int>(std::min<std::ptrdiff_t>(end - first, kFramesMax));
  std::copy_n(first, words.frame_count, words.frames);
  ::_exit(128 + signal);
}

void on_fatal(int signal, siginfo_t*, void* context) {
  // The stack may be what is broken: a second signal ends it without more words.
  ::signal(SIGSEGV, SIG_DFL);
  ::signal(SIGBUS, SIG_DFL);
  box->last_words().signal = signal;
  speak_and_die(signal, false, context);
}

void on_tick(int signal, siginfo_t*, void* context) {
  const BlackBox::Position now = box->at();
  const bool same = now.inside && now.run == last_seen.run && now.call == last_seen.call;
  ticks_without_step = same ? ticks_without_step + 1 : 0;
  last_seen = now;
  if (ticks_without_step >= ticks_allowed) speak_and_die(signal, true, context);
}

void catch_signal(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (number == SIGPROF ? SA_RESTART : 0);
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

}  // namespace

void prepare_to_die(BlackBox& own, Micros hang) {
  box = &own;
  ::signal(SIGINT, SIG_IGN);  // the parent decides when to stop
  void* nothing[1];
  ::backtrace(nothing, 1);  // loads what it needs while memory can still be had

  static char stack[64 * 1024];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  ::sigaltstack(&alternative, nullptr);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    catch_signal(number, on_fatal);

  constexpr Micros kTick = 50'000;
  ticks_allowed = static_cast<int>(std::clamp<Micros>(hang / kTick, 2, 1 << 20));
  ticks_without_step = 0;
  last_seen = {};
  catch_signal(SIGPROF, on_tick);
  const timeval every{0, static_cast<suseconds_t>(kTick)};
  const itimerval timer{every, every};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace schism::guard
