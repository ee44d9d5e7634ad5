# Rules for tests. Included by the Makefile.
TEST_PACKAGES := codespell mandoc nettle-dev libcmocka-dev python3 python3-jsonschema python3-openpyxl python3-yaml git procps \
	zstd xz-utils bzip2 clang-format
NIGHTLY_PACKAGES := bash-completion fish zsh clang llvm chromium fonts-dejavu-core tmux prometheus faketime python3-kubernetes \
	python3-psutil python3-websocket
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/test_*.c)))

setup: setup-build # install what the build and the tests need, with apt
	$(call install,$(TEST_PACKAGES))
setup-nightly: setup # install what the nightly checks need, with apt
	$(call install,$(NIGHTLY_PACKAGES))

check: # run all tests under ASan and UBSan, in build/san
	@SMILOG_SANITIZED=1 CASE_SECONDS=$${CASE_SECONDS:-1500} $(MAKE) --no-print-directory BUILD=build/san \
	CFLAGS="-O1 -g -fno-omit-frame-pointer" SAN="-fsanitize=address,undefined -fno-sanitize-recover=all" test
# What the tests draw at random, in numbers for an hour and more.
LONG := SMILOG_LONG=1 SAME_BYTES=150 SMILOG_CASES=1000 PARITY_RUNS=2000 PAGE_SWEEPS=100 SMILOG_FAULTS=100000 SMILOG_ZONE_CASES=12000 \
	SMILOG_ROWS=1000000 SMILOG_ATTRIBUTION_CASES=2000 SMILOG_STATIC_CASES=1 SMILOG_WRAPPINGS=23 DIFF_TRIALS=1000 SMILOG_THREADS_ALL=1 \
	SMILOG_HOSTILE=1/1 SMILOG_BOOKS=1000 SMILOG_PIECES=4096 SMILOG_LIVE_SLOW=1 SMILOG_TAIL=20 SMILOG_USAGE=3000 SMILOG_PYTORCH=2000 \
	SMILOG_PIECE_LOGS=$(BUILD)/pieces
test-long: corpus # run all tests with many more random rounds (an hour and more)
	@for i in $$(seq 100); do python3 tests/oracle/gen_runs.py $(BUILD)/pieces/$$i $$i >/dev/null || exit 1; done
	@$(LONG) $(MAKE) --no-print-directory BUILD=$(BUILD) test
browser: browser-check browser_live-check # test the pages in a real browser; make browser-check ARGS=DIR: a large sweep, too
accept: all # write the output of all cases as the expected one
	@BUILD=$(BUILD) ACCEPT=1 tests/run.py
corpus: all # compare with the real logs beside the checkout, if they are there
	@if [ -d ../shared/corpus ]; then SMILOG=$(BUILD)/smilog python3 tests/oracle/corpus.py && bash tests/oracle/count-corpus.sh; \
	else echo "corpus: skipped, ../shared/corpus is not there"; fi

# Programs of tests/system and tests/oracle. Nightly runs them; the first comment of each says what it needs.
CHECKS := $(sort $(patsubst %_check.py,%,$(notdir $(wildcard tests/system/*_check.py tests/oracle/*_check.py))))
$(CHECKS:=-check): %-check: all # run one check of tests/system or tests/oracle; ARGS='...': its arguments
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B $(wildcard tests/system/$*_check.py tests/oracle/$*_check.py) $(ARGS)

# Unit tests that replace functions of the C library.
$(BUILD)/unit/test_child: LDFLAGS += -Wl,--wrap=kill
$(BUILD)/unit/test_live: LDFLAGS += -Wl,--wrap=kill
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libsmilog.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(if $(SAN),,-O1) -MMD -MP -o $@ $< $(BUILD)/libsmilog.a $(LDFLAGS) -lcmocka $(LIBS)
unit: deps $(UNIT) # build the unit tests; check the syntax of the fuzz targets
	@$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -Werror -fsyntax-only tests/fuzz/*.c

-include $(UNIT:=.d)
.PHONY: setup setup-nightly test check test-long browser accept corpus unit $(CHECKS:=-check)
