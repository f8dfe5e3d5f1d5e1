// Runs a libFuzzer target (LLVMFuzzerTestOneInput) without libFuzzer, which GCC lacks.
//
//   parser_fuzz FILE|FOLDER...                     replay these inputs
//   parser_fuzz -runs=N -seed=S FILE|FOLDER...     then try N mutations of them, the same for a
//   seed parser_fuzz -timeout=SECONDS ...               an input that takes longer is a failure
//   (25)
//
// There is no coverage feedback: it shakes out crashes near the corpus, cheaply and in every build.
// An input that crashes is left in the working directory as crash-RUN.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Sanitizers end the process without a signal; where one is linked, it calls this back first.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

constexpr std::size_t kMaxSize = std::size_t{1} << 16;

std::string current_input;
std::uint64_t current_run = 0;
unsigned timeout_s = 25;

// Only what is safe in a signal handler, but for formatting a name.
void save_input() {
  static bool saved = false;
  if (saved) return;
  saved = true;
  char name[64];
  std::snprintf(name, sizeof name, "crash-%llu", static_cast<unsigned long long>(current_run));
  if (std::FILE* file = std::fopen(name, "wb")) {
    std::fwrite(current_input.data(), 1, current_input.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "fuzz: run %llu failed on %zu bytes, saved as %s\n",
               static_cast<unsigned long long>(current_run), current_input.size(), name);
}

void on_signal(int number) {
  save_input();
  if (number == SIGALRM) {
    std::fprintf(stderr, "fuzz: it took more than %u s\n", timeout_s);
    _exit(1);
  }
  signal(number, SIG_DFL);
  raise(number);
}

void execute() {
  alarm(timeout_s);
  // A copy of the exact size, so that the address sanitizer sees a read past the end.
  std::vector<std::uint8_t> exact(current_input.begin(), current_input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  alarm(0);
}

// SplitMix64: the same inputs for a seed on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound);
  }
  char byte() { return static_cast<char>(next()); }

 private:
  std::uint64_t state_;
};

// Replaces one decimal number by a neighbour or a value at the edge of some integer type.
void tweak_number(Random& random, std::string& input) {
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  auto start = std::find_if(input.begin() + static_cast<std::ptrdiff_t>(random.below(input.size())),
                            input.end(), is_digit);
  if (start == input.end()) return;
  auto end = std::find_if_not(start, input.end(), is_digit);
  std::uint64_t value = 0;
  std::from_chars(&*start, &*start + (end - start), value);
  static constexpr std::string_view kEdges[] = {"0",
                                                "-1",
                                                "127",
                                                "256",
                                                "65536",
                                                "2147483648",
                                                "4294967296",
                                                "9223372036854775807",
                                                "18446744073709551616",
                                                "1e999",
                                                "0.5",
                                                "00"};
  std::string replacement;
  switch (random.below(3)) {
    case 0: replacement = std::to_string(value + 1); break;
    case 1: replacement = std::to_string(value - 1); break;
    default: replacement = kEdges[random.below(std::size(kEdges))];
  }
  input.replace(start, end, replacement);
}

void mutate_once(Random& random, const std::vector<std::string>& corpus, std::string& input) {
  const std::size_t at = random.below(input.size() + 1);
  const std::size_t length = 1 + random.below(std::min<std::size_t>(32, input.size() + 1));
  if (input.empty()) {
    input.assign(length, random.byte());
    return;
  }
  const std::size_t inside = random.below(input.size());
  switch (random.below(9)) {
    case 0: input[inside] = static_cast<char>(input[inside] ^ (1 << random.below(8))); break;
    case 1: input[inside] = random.byte(); break;
    case 2: input.insert(at, 1, random.byte()); break;
    case 3: input.erase(inside, length); break;
    case 4: input.insert(at, std::string(input, inside, length)); break;
    case 5: {  // move a block
      std::string block(input, inside, length);
      input.erase(inside, length);
      input.insert(random.below(input.size() + 1), block);
      break;
    }
    case 6: {  // the head of this one, the tail of another
      const std::string& other = corpus[random.below(corpus.size())];
      input.resize(at);
      input.append(other, random.below(other.size() + 1));
      break;
    }
    case 7: tweak_number(random, input); break;
    default: input.resize(at);
  }
  if (input.size() > kMaxSize) input.resize(kMaxSize);
}

bool read_input(const std::filesystem::path& path, std::vector<std::string>& corpus) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return true;
}

bool read_inputs(const std::filesystem::path& path, std::vector<std::string>& corpus) {
  if (!std::filesystem::is_directory(path)) return read_input(path, corpus);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());  // a folder has no order of its own
  return std::all_of(files.begin(), files.end(),
                     [&](const auto& file) { return read_input(file, corpus); });
}

// Parses "-name=value"; false if it is another option or no number.
bool parse_option(std::string_view argument, std::string_view name, std::uint64_t& value) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), value);
  return error == std::errc{} && end == argument.data() + argument.size() && !argument.empty();
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 0;
  std::uint64_t seed = 1;
  std::uint64_t timeout = timeout_s;
  std::vector<std::string> corpus;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (parse_option(argument, "-runs=", runs) || parse_option(argument, "-seed=", seed) ||
        parse_option(argument, "-timeout=", timeout)) {
      continue;
    }
    if (argument.starts_with("-") || !read_inputs(argv[i], corpus)) {
      std::fprintf(stderr, "fuzz: '%s' is neither an option nor a readable file\n", argv[i]);
      return 2;
    }
  }
  timeout_s = static_cast<unsigned>(timeout);

  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) signal(number, on_signal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(save_input);

  for (const std::string& input : corpus) {
    current_input = input;
    execute();
    ++current_run;
  }
  if (corpus.empty()) corpus.emplace_back();
  Random random(seed);
  for (std::uint64_t run = 0; run < runs; ++run) {
    current_input = corpus[random.below(corpus.size())];
    // Mostly one mutation, sometimes a pile of them.
    const std::size_t mutations = std::size_t{1} << random.below(5);
    for (std::size_t i = 0; i < mutations; ++i) mutate_once(random, corpus, current_input);
    execute();
    ++current_run;
  }
  std::printf("fuzz: %llu runs, no failure\n", static_cast<unsigned long long>(current_run));
  return 0;
}
