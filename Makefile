# Thin front of CMake. `make demo` and `make test` work on a fresh Debian or Ubuntu machine that has only git and make.
BUILD ?= build
PREFIX ?= /usr/local
CASE := cases/supersonic-vortex
SPHERE := cases/sphere-m038
SCRIPTS = $(shell grep -l validation.options cases/*/*.py)

.PHONY: help demo demo-3d build tests test quick lint sanitize sanitize-threads compilers validation install dependencies configure clean

help:
	@echo "make demo      install what is missing, build, run the supersonic vortex, show its errors and a picture"
	@echo "make demo-3d   the same with the flow around a sphere"
	@echo "make test      install what is missing, build, run all tests"
	@echo "make quick     the tests that take less than two minutes together"
	@echo "make lint      is everything formatted, does every header compile alone"
	@echo "make sanitize  the tests of what reads files, under sanitizers, and a fuzzer, in $(BUILD)-sanitize"
	@echo "make fuzz      a minute each of damaged cases, meshes, checkpoints and agglomerations, under sanitizers"
	@echo "make compilers  the quick tests of kernels, and forces, by every compiler and instruction set at hand"
	@echo "make validation   run all cases of docs/validation.md and write its tables"
	@echo "make build     build $(BUILD)/galerna"
	@echo "make install   install to PREFIX ($(PREFIX))"

dependencies:
	@scripts/install-dependencies.sh

configure: dependencies
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX)

build: configure
	@cmake --build $(BUILD)

# The program alone: tests and the kernels of all cases take three times as long.
demo: configure
	@cmake --build $(BUILD) --target galerna
	@cd $(CASE) && gmsh -v 1 -2 annulus.geo -format msh41 -o annulus.msh
	@$(BUILD)/galerna run $(CASE)/case.toml --output $(BUILD)/demo
	@echo
	@echo "picture:  $(BUILD)/demo/picture_density.png"
	@echo "ParaView: $(BUILD)/demo/solution.pvd"
	@echo "report:   $(BUILD)/demo/report.json"

demo-3d: configure
	@cmake --build $(BUILD) --target galerna
	@gmsh -v 1 -3 $(SPHERE)/sphere.geo -format msh41 -o $(SPHERE)/sphere.msh
	@$(BUILD)/galerna run $(SPHERE)/case.toml --output $(BUILD)/demo-3d
	@echo
	@echo "pictures: $(BUILD)/demo-3d/picture_mach.png, picture_sphere.png"
	@echo "ParaView: $(BUILD)/demo-3d/solution.pvd, wall_sphere.vtu"
	@echo "report:   $(BUILD)/demo-3d/report.json"

# Tests compile the kernels that they run.
tests: configure
	@cmake --build $(BUILD) --target galerna_tests

test: tests
	@cd $(BUILD) && ctest --output-on-failure --parallel $$(nproc)

# Formatting is a test; that every header compiles alone is not.
lint: configure
	@scripts/check-format.sh || [ $$? -eq 77 ]
	@cmake --build $(BUILD) --target galerna_headers

# What reads files of others, under the address and undefined-behaviour sanitizers. Clang, where it is there with its fuzzer,
# compiles them in half of the time of GCC.
READERS := base mesh case files
HARNESS := extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }
FUZZ = $(shell echo '$(HARNESS)' | clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null 2>/dev/null && echo galerna_fuzz)
configure-sanitize: dependencies
	@$(if $(FUZZ),CXX=clang++) cmake -S . -B $(BUILD)-sanitize -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-Og -g1" -DGALERNA_SANITIZE=ON

sanitize: configure-sanitize
	@cmake --build $(BUILD)-sanitize --target $(READERS:%=galerna_%_tests) $(FUZZ)
	@printf '%s\n' $(READERS:%=$(BUILD)-sanitize/tests/galerna_%_tests) | xargs -P $$(nproc) -I TESTS sh -c 'TESTS --gtest_brief=1'
	@cd $(BUILD)-sanitize && ctest --output-on-failure --parallel $$(nproc) -R '^fuzz[.]'
	@$(MAKE) --no-print-directory sanitize-threads

# Ranks as threads, under the thread sanitizer.
sanitize-threads: dependencies
	@cmake -S . -B $(BUILD)-threads -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-Og -g1" -DGALERNA_SANITIZE_THREADS=ON -DGALERNA_MPI=OFF
	@cmake --build $(BUILD)-threads --target galerna_parallel_tests
	@$(BUILD)-threads/tests/galerna_parallel_tests --gtest_brief=1 --gtest_filter='*Threads*:Team*:ThreadTeam*'

# An hour by hand: scripts/fuzz.py --galerna build-sanitize/galerna --seconds 900 --seed 2
fuzz: configure-sanitize
	@cmake --build $(BUILD)-sanitize --target galerna_program
	@scripts/fuzz.py --galerna $(BUILD)-sanitize/galerna --seconds 60

# All g++ and clang++ of this machine, or COMPILERS=g++-12,clang++-16, for SSE2, AVX2 and AVX-512 where the processor has them,
# or SETS=native,x86-64-v3.
compilers: tests
	@bench/compilers.py --build $(BUILD) $(if $(COMPILERS),--compilers $(COMPILERS)) $(if $(SETS),--sets $(SETS)) $(if $(SHAPES),--shapes $(SHAPES))

quick: tests
	@cd $(BUILD) && ctest --output-on-failure --parallel $$(nproc) -L quick

validation: build tests
	@$(BUILD)/tests/galerna_dg_tests --gtest_brief=1 --gtest_filter='Validation*'
	@for geo in cases/*/*.geo; do d=$$(grep -q "Physical Volume" $$geo && echo 3 || echo 2); gmsh -v 1 -$$d $$geo -format msh41 -o $${geo%.geo}.msh; done
	@for script in $(SCRIPTS); do python3 $$script --galerna $(BUILD)/galerna || exit 1; done

install: build
	@cmake --install $(BUILD)

clean:
	@cmake -E rm -rf $(BUILD) $(BUILD)-sanitize $(BUILD)-threads
