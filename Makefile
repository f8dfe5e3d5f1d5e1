# The everyday commands; CMake and CTest do the work. `make help` lists them.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
.DEFAULT_GOAL := build

# CTest runs each test in a process of its own, so JOBS bounds tests as well as compilers.
CTEST := ctest --output-on-failure --no-tests=error -j$(JOBS)

# GCC's thread sanitizer refuses some kernels' address space randomisation; not every container
# allows switching it off, nor needs to.
NO_ASLR := $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: build demo test bench fuzz fuzz-plain lint lint-all format asan tsan install clean help packages

build: build/build.ninja  ## build the program: build/bin/schism (the default)
	cmake --build build -j $(JOBS) --target schism_program

demo: build  ## find, shrink and explain a seeded bug
	tools/demo

test: build/build.ninja  ## build everything and run all tests
	cmake --build build -j $(JOBS)
	$(CTEST) --test-dir build

bench: build/build.ninja  ## run the throughput benchmarks
	cmake --build build -j $(JOBS) --target schism_bench
	build/bin/schism_bench $(BENCH_ARGS)

fuzz: packages-fuzz build-fuzz/build.ninja  ## fuzz all readers with libFuzzer, FUZZ_SECONDS each
	cmake --build build-fuzz -j $(JOBS) --target fuzzers
	tools/fuzz build-fuzz $(FUZZ_SECONDS)

fuzz-plain: packages-fuzz build-fuzz/build.ninja  ## the same for those that know no system: little to build
	cmake --build build-fuzz -j $(JOBS) --target plain_fuzzers
	tools/fuzz build-fuzz $(FUZZ_SECONDS) history json tla tlacfg

lint: packages-lint  ## formatting, house rules, clang-tidy on changed files
	tools/lint

lint-all: packages-lint  ## the same with clang-tidy on all files
	tools/lint --all

format: packages-lint  ## format all C++ files in place
	tools/lint --fix-format

asan: build-asan/build.ninja  ## all tests under the address and undefined behaviour sanitizers
	cmake --build build-asan -j $(JOBS)
	$(CTEST) --test-dir build-asan

tsan: build-tsan/build.ninja  ## all tests under the thread sanitizer
	cmake --build build-tsan -j $(JOBS)
	$(NO_ASLR) $(CTEST) --test-dir build-tsan

install: build  ## install program, library and headers; PREFIX, DESTDIR
	cmake --install build --prefix $(PREFIX)

clean:  ## remove all build folders
	rm -rf build build-asan build-debug build-fuzz build-tidy build-tsan

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages:
	@tools/install-packages

.PHONY: packages-lint packages-fuzz
packages-lint packages-fuzz: packages-%:
	@tools/install-packages $*

# Ninja reconfigures by itself when a CMake file changes or a source comes or goes.
build/build.ninja: CMakePresets.json | packages
	cmake --preset release
build-%/build.ninja: CMakePresets.json | packages
	cmake --preset $*
