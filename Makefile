# smilog - `make` builds, `make setup` installs what that needs, `make demo` shows it, `make test` tests it, `make help` lists
# all targets.
CC ?= gcc
CLANG ?= clang
CFLAGS ?= -O3 -g
CPPFLAGS ?=
LDFLAGS ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
BUILD ?= build
SECONDS ?= 60
SAN ?=
# What make tests and shows does not depend on the settings of the user who calls it.
export SMILOG_CONFIG :=
VERSION := $(shell sed -n 's/^\#define SMILOG_VERSION "\(.*\)"/\1/p' src/base/version.h)
SO := libsmilog.so.0

# What the build needs, what the tests need beside it, and what the nightly checks need beside both: Debian's names.
PACKAGES := gcc make pkg-config libcsv-dev libjansson-dev libyaml-dev libarchive-dev zlib1g-dev liblzma-dev \
	libzstd-dev libbz2-dev libsqlite3-dev libxlsxwriter-dev libjs-dygraphs tzdata \
	libmicrohttpd-dev libcurl4-openssl-dev
TEST_PACKAGES := codespell mandoc nettle-dev libcmocka-dev python3 python3-jsonschema python3-openpyxl python3-yaml git procps zstd xz-utils bzip2 clang-format
DEB_PACKAGES := debhelper lintian dpkg-dev
NIGHTLY_PACKAGES := bash-completion fish zsh clang llvm chromium fonts-dejavu-core tmux prometheus faketime python3-kubernetes python3-psutil python3-websocket
PC := jansson yaml-0.1 zlib liblzma libzstd sqlite3
ALL_CPPFLAGS := -D_GNU_SOURCE -Isrc -Iinclude $(CPPFLAGS) $(shell pkg-config --cflags $(PC) 2>/dev/null)
ALL_CFLAGS := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -fPIC -fvisibility=hidden -pthread $(SAN) $(CFLAGS)
LIBS := -lcsv $(shell pkg-config --libs $(PC) 2>/dev/null || echo -ljansson -lyaml -lz -llzma -lzstd -lsqlite3) -lbz2 -lpthread -lm

FOLDERS := base model formats aggregate summary sweep query report export live process
LIB_SRC := $(sort $(wildcard $(FOLDERS:%=src/%/*.c) src/api_*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/assets.o
CMD_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard src/cli/*.c))) $(BUILD)/man_text.o
MAN_TEXT := $(sort $(wildcard man/*.txt))
COMPLETIONS := $(foreach shell,bash zsh fish,completions/smilog.$(shell))
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
HEADERS := $(sort $(wildcard include/smilog/*.h))

all: deps $(BUILD)/smilog $(BUILD)/libsmilog.a $(BUILD)/libsmilog.so $(BUILD)/smilog.pc # build the program and the library

help: # list the targets: all that have a comment behind their prerequisites
	@sed -n -E 's/^([a-z-]+):[^#=]*# (.*)/\1\t\2/p' Makefile | sort | while IFS='	' read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done

deps: $(BUILD)/deps # check that the libraries are there; once, as long as this file stays the same
$(BUILD)/deps: Makefile
	@missing=; command -v $(CC) >/dev/null || missing="$$missing $(CC)"; \
	command -v pkg-config >/dev/null || missing="$$missing pkg-config"; \
	echo '#include <csv.h>' | $(CC) $(ALL_CPPFLAGS) -E - >/dev/null 2>&1 || missing="$$missing libcsv"; \
	for h in jansson:jansson yaml:libyaml archive:libarchive zlib:zlib lzma:liblzma zstd:libzstd bzlib:libbz2 sqlite3:libsqlite3 xlsxwriter:libxlsxwriter microhttpd:libmicrohttpd curl/curl:libcurl; do \
	echo "#include <$${h%:*}.h>" | $(CC) $(ALL_CPPFLAGS) -E - >/dev/null 2>&1 || missing="$$missing $${h#*:}"; done; \
	[ -r $(DYGRAPHS)/dygraph.min.js ] || missing="$$missing libjs-dygraphs"; \
	[ -z "$$missing" ] || { echo "missing:$$missing - run: make setup"; exit 1; }
	@mkdir -p $(@D) && touch $@

# Quiet, and without the network, where all of $(1) is installed.
define install
	@missing=; for p in $(1); do dpkg-query -W -f '$${Status}\n' $$p 2>/dev/null | grep -q ' installed$$' || \
	missing="$$missing $$p"; done; [ -z "$$missing" ] || { sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	echo "installing with apt:$$missing"; $$sudo apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq $$missing >/dev/null; }
endef
setup-build: # install what the build needs, with apt
	$(call install,$(PACKAGES))
setup: setup-build # install what the build and the tests need, with apt
	$(call install,$(TEST_PACKAGES))
setup-nightly: setup # install what the nightly checks need, with apt
	$(call install,$(NIGHTLY_PACKAGES))

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -Wconversion -MMD -MP -c -o $@ $<
DYGRAPHS ?= /usr/share/javascript/dygraphs
LICENCE ?= /usr/share/doc/libjs-dygraphs/copyright
WEB := $(addprefix web/,data.js filter.js table.js map.js run.js page.js)
$(BUILD)/assets.c: scripts/embed.sh web/page.css web/live.css web/live.js $(WEB) $(wildcard $(DYGRAPHS)/dygraph.min.js)
	@mkdir -p $(@D)
	sh scripts/embed.sh style=$(DYGRAPHS)/dygraph.min.css+web/page.css charts=$(DYGRAPHS)/dygraph.min.js \
	script=$(subst $() ,+,$(WEB)) live_style=web/page.css+web/live.css live_script=web/live.js licence=$(LICENCE) >$@.part && mv $@.part $@
$(BUILD)/assets.o: $(BUILD)/assets.c
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/man_text.c: scripts/embed.sh $(MAN_TEXT) $(COMPLETIONS)
	@mkdir -p $(@D)
	HEADER=cli/man.h sh scripts/embed.sh man=$(subst $() ,+,$(MAN_TEXT)) \
	$(foreach f,$(COMPLETIONS),$(subst .,,$(suffix $f))=$f) >$@.part && mv $@.part $@
$(BUILD)/man_text.o: $(BUILD)/man_text.c
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
man: $(BUILD)/man/smilog.1 # write the man pages and completions, from the tables of the program and man/*.txt
$(BUILD)/man/smilog.1: $(BUILD)/smilog
	@rm -rf $(@D) && mkdir -p $(@D)
	@for page in $$($(BUILD)/smilog help --man-list); do name=$${page#smilog}; name=$${name#-}; \
	$(BUILD)/smilog help --man $${name%.*} >$(@D)/$$page || exit 1; done
	@for shell in bash zsh fish; do $(BUILD)/smilog help --complete $$shell >$(@D)/$$shell || exit 1; done
# Opened when they are needed (base/lazy.h), by the names that they have here.
soname = $(or $(shell readelf -d "$$($(CC) -print-file-name=lib$(1).so)" 2>/dev/null | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p'),$(2))
$(BUILD)/src/base/lazy.o: ALL_CPPFLAGS += -DSMI_SO_ARCHIVE='"$(call soname,archive,libarchive.so.13)"' \
	-DSMI_SO_CURL='"$(call soname,curl,libcurl.so.4)"' \
	-DSMI_SO_MICROHTTPD='"$(call soname,microhttpd,libmicrohttpd.so.12)"' \
	-DSMI_SO_XLSXWRITER='"$(call soname,xlsxwriter,libxlsxwriter.so.4)"'
$(BUILD)/libsmilog.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^
$(BUILD)/libsmilog.so: $(LIB_OBJ) scripts/libsmilog.map
	$(CC) $(SAN) -shared -Wl,-z,defs,-soname,$(SO),--version-script=scripts/libsmilog.map $(LDFLAGS) -o $(BUILD)/$(SO) $(LIB_OBJ) $(LIBS)
	ln -sf $(SO) $@
# A test that runs the program meanwhile gets the old one or the new one, never a piece of it.
$(BUILD)/smilog: $(CMD_OBJ) $(BUILD)/libsmilog.a
	$(CC) $(SAN) $(LDFLAGS) -o $@.part $^ $(LIBS) && mv $@.part $@
static: deps $(BUILD)/static/smilog # build one static program that needs no other file
# nettle: libarchive.a's own; its xml2, lz4 and acl serve formats that are not asked for, and stay out. The server speaks
# no TLS: what libmicrohttpd.a calls of GnuTLS when it starts returns 0, and the rest is never called.
STATIC_LIBS := -lcsv -ljansson -lyaml -larchive -lz -llzma -lzstd -lbz2 -lsqlite3 -lnettle -lmicrohttpd -lpthread -lm
NO_TLS = $(shell nm -u "$$($(CC) -print-file-name=libmicrohttpd.a)" 2>/dev/null | sed -n 's/.* U \(gnutls_.*\)/-Wl,--defsym=\1=smi_static_no_tls/p' | sort -u)
STATIC := -DSMILOG_STATIC -static -s -Wl,--wrap=nl_langinfo,--wrap=dlopen,--wrap=dlsym,--wrap=dlerror,--wrap=dlclose,--fatal-warnings
$(BUILD)/static/smilog: $(CMD_OBJ) $(BUILD)/libsmilog.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(STATIC) $(LDFLAGS) -o $@.part src/cli/main.c $(filter-out %/main.o,$^) $(NO_TLS) $(STATIC_LIBS) && mv $@.part $@
$(BUILD)/smilog.pc: Makefile src/base/version.h
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(PREFIX)/include' 'Name: smilog' \
	'Description: Reads GPU logs and reports what runs used and wasted' 'Version: $(VERSION)' \
	'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lsmilog' 'Libs.private: $(LIBS)' >$@
# Unit tests that include the failing allocator.
FAILING := $(shell grep -l fuzz/fail.c tests/unit/test_*.c)
$(FAILING:tests/unit/%.c=$(BUILD)/unit/%): LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=csv_init
$(BUILD)/unit/test_out_of_memory: LDFLAGS += -larchive
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libsmilog.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(if $(SAN),,-O1) -MMD -MP -o $@ $< $(BUILD)/libsmilog.a $(LDFLAGS) -lcmocka $(LIBS)

demo: setup-build # build smilog and summarize the sample sweep
	@echo "building smilog (about a minute on two cores)"
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" all
	@echo "summarising the sample sweep: $(BUILD)/smilog summarize tests/fixtures/sweep"
	@$(BUILD)/smilog summarize tests/fixtures/sweep
	@echo "writing the same as a page and as a workbook"
	@$(BUILD)/smilog report -q tests/fixtures/sweep -o $(BUILD)/demo.html
	@$(BUILD)/smilog report -q tests/fixtures/sweep -o $(BUILD)/demo.xlsx
	@echo "open $(BUILD)/demo.html in a browser, $(BUILD)/demo.xlsx in a spreadsheet"

test: setup # build and run all tests that a push has to pass
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" BUILD=$(BUILD) all unit $(if $(SAN),,static)
	@BUILD=$(BUILD) tests/all.sh
$(BUILD)/unit/test_child: LDFLAGS += -Wl,--wrap=kill
$(BUILD)/unit/test_map: LDFLAGS += -Wl,--wrap=calloc
$(BUILD)/unit/test_live: LDFLAGS += -Wl,--wrap=kill,--wrap=malloc,--wrap=calloc,--wrap=realloc
unit: deps $(UNIT) # build the unit tests; check the syntax of the fuzz targets
	@$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -fsyntax-only tests/fuzz/*.c
browser: all # test the page in a real browser; LARGE=DIR: a large sweep, too
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/browser_test.py $(LARGE)
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/browser_live.py
pictures: all # draw docs/pictures, which README.md shows; needs chromium and DejaVu fonts
	@/usr/bin/python3 -B scripts/pictures.py $(BUILD)/smilog
prometheus: all # test smilog live with a real Prometheus
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/prometheus_check.py
run-check: all # test smilog run with known loads, against psutil, and with failures
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/run_check.py
golden: all # compare all output with that of commit REF; ONLY='cases random ...': parts of it
	@python3 -B scripts/golden.py --ref $(or $(REF),17d40724) --new $(BUILD)/smilog $(ONLY)
merge-check: all # test merge with 10,000 random partial summaries, every byte changed and every cut
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/merge_check.py --partials 10000 --parts 100 --bytes 1
ledger-check: all # test the ledger with 100,000 jobs, and one slow card among 64
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/ledger_check.py
kubernetes-check: all # test the manifests, and the sidecar in namespaces and control groups, as root
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/kubernetes_check.py
slurm-check: all # run an array of 100 jobs on a Slurm cluster of this machine, as root
	@SMILOG=$(BUILD)/smilog /usr/bin/python3 -B scripts/slurm_check.py
screen: all # test the screen of smilog live in a real terminal
	@/usr/bin/python3 -B scripts/screen_check.py $(BUILD)/smilog
test-long: corpus # run all tests with many more random rounds (an hour and more)
	@for i in $$(seq 100); do python3 scripts/gen_runs.py $(BUILD)/pieces/$$i $$i >/dev/null || exit 1; done
	@SMILOG_LONG=1 SAME_BYTES=150 SMILOG_CASES=1000 PARITY_RUNS=2000 PAGE_SWEEPS=100 SMILOG_FAULTS=100000 SMILOG_ZONE_CASES=12000 SMILOG_ROWS=1000000 SMILOG_ATTRIBUTION_CASES=2000 \
	SMILOG_STATIC_CASES=1 SMILOG_WRAPPINGS=23 DIFF_TRIALS=1000 SMILOG_THREADS_ALL=1 SMILOG_HOSTILE=1/1 SMILOG_BOOKS=1000 SMILOG_PIECES=4096 SMILOG_LIVE_SLOW=1 SMILOG_TAIL=20 SMILOG_USAGE=3000 SMILOG_PYTORCH=2000 SMILOG_PIECE_LOGS=$(BUILD)/pieces \
	$(MAKE) --no-print-directory BUILD=$(BUILD) test
mutants: # put COUNT drawn faults into the sources, one at a time: do the tests notice?
	@python3 -B scripts/mutants.py --count $(or $(COUNT),100)
nightly: setup-nightly # run the checks that take too long for every push
	@BUILD=$(BUILD) scripts/nightly.sh
check: # run all tests under ASan and UBSan, in build/san
	@SMILOG_SANITIZED=1 CASE_SECONDS=$${CASE_SECONDS:-1500} $(MAKE) --no-print-directory BUILD=build/san CFLAGS="-O1 -g -fno-omit-frame-pointer" \
	SAN="-fsanitize=address,undefined -fno-sanitize-recover=all" test
accept: all # write the output of all cases as the expected one
	@BUILD=$(BUILD) ACCEPT=1 tests/run.py
corpus: all # compare with the real logs beside the checkout, if they are there
	@if [ -d ../shared/corpus ] && [ -f scripts/corpus.py ]; then \
		SMILOG=$(BUILD)/smilog python3 scripts/corpus.py && bash scripts/count-corpus.sh; \
	else echo "corpus: skipped, ../shared/corpus or scripts/corpus.py is not there"; fi
fuzz: # fuzz each reader for SECONDS; print the coverage and every crash
	@CLANG=$(CLANG) BUILD=$(BUILD) bash scripts/fuzz.sh $(SECONDS)
bench: all bench-gen # measure MB/s and memory of each format, kernel and size
	@SMILOG=$(BUILD)/smilog GEN=$(BUILD)/bench/gen python3 scripts/bench.py
bench-gen: $(BUILD)/bench/gen
$(BUILD)/bench/gen: tests/bench/gen.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -o $@ $<
# What make install puts where, as mode:source:target; make uninstall removes these. Links and folders stand below.
BINDIR ?= $(PREFIX)/bin
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
ZSHDIR ?= $(DATADIR)/zsh/site-functions
UNITDIR ?= $(PREFIX)/lib/systemd/system
MAN5 := smilog-formats.5 smilog-json.5
MAN1 := smilog.1 $(filter-out $(MAN5:.5=.1),$(patsubst man/%.txt,smilog-%.1,$(filter-out man/smilog.txt,$(MAN_TEXT))))
INSTALLED := 755:$(BUILD)/smilog:$(BINDIR)/smilog \
	$(foreach f,libsmilog.a $(SO),644:$(BUILD)/$f:$(LIBDIR)/$f) 644:$(BUILD)/smilog.pc:$(LIBDIR)/pkgconfig/smilog.pc \
	$(foreach f,$(HEADERS),644:$f:$(INCLUDEDIR)/smilog/$(notdir $f)) \
	$(foreach f,$(MAN1),644:$(BUILD)/man/$f:$(DATADIR)/man/man1/$f) $(foreach f,$(MAN5),644:$(BUILD)/man/$f:$(DATADIR)/man/man5/$f) \
	644:$(BUILD)/man/bash:$(DATADIR)/bash-completion/completions/smilog 644:$(BUILD)/man/zsh:$(ZSHDIR)/_smilog \
	644:$(BUILD)/man/fish:$(DATADIR)/fish/vendor_completions.d/smilog.fish \
	644:LICENSE:$(DATADIR)/doc/smilog/LICENSE \
	644:scripts/systemd/smilog-live.service:$(UNITDIR)/smilog-live.service 644:scripts/smilog_jax.py:$(DATADIR)/smilog/smilog_jax.py \
	$(foreach f,$(wildcard scripts/slurm/*),755:$f:$(DATADIR)/smilog/slurm/$(notdir $f)) \
	$(foreach f,$(wildcard scripts/kubernetes/*),$(if $(filter %.sh,$f),755,644):$f:$(DATADIR)/smilog/kubernetes/$(notdir $f))
# Those of them that start the program, by default from /usr/local/bin.
STARTERS = $(DESTDIR)$(UNITDIR)/smilog-live.service $(patsubst scripts/%,$(DESTDIR)$(DATADIR)/smilog/%,$(wildcard scripts/slurm/*))
install: all man # install to PREFIX (/usr/local), below DESTDIR
	@for f in $(INSTALLED); do rest=$${f#*:}; install -D -m "$${f%%:*}" "$${rest%%:*}" "$(DESTDIR)$${rest#*:}" || exit 1; done
	@ln -sf $(SO) $(DESTDIR)$(LIBDIR)/libsmilog.so
	@sed -i 's|^prefix=.*|prefix=$(PREFIX)|; s|^libdir=.*|libdir=$(LIBDIR)|; s|^includedir=.*|includedir=$(INCLUDEDIR)|' \
	$(DESTDIR)$(LIBDIR)/pkgconfig/smilog.pc
	@sed -i 's|/usr/local/bin|$(BINDIR)|g' $(STARTERS)
uninstall: # remove what make install has installed
	@for f in $(INSTALLED); do rm -f "$(DESTDIR)$${f##*:}"; done
	@rm -f $(DESTDIR)$(LIBDIR)/libsmilog.so
	@for d in $(INCLUDEDIR)/smilog $(DATADIR)/doc/smilog $(DATADIR)/smilog/slurm $(DATADIR)/smilog/kubernetes $(DATADIR)/smilog; do [ ! -d "$(DESTDIR)$$d" ] || rmdir "$(DESTDIR)$$d"; done
dist: all static # write the files of a release to build/dist: sources, static program, SPDX, checksums
	@BUILD=$(BUILD) scripts/dist.sh
image: static # write a container image with the static program to build/dist; needs buildah
	@BUILD=$(BUILD) scripts/image.sh
package-check: deb dist image # test the packages, the release and the image on a minimal Debian, as root
	@BUILD=$(BUILD) scripts/package_check.sh
deb: # build the Debian packages smilog, libsmilog0 and libsmilog-dev in build/deb; run lintian
	$(call install,$(DEB_PACKAGES))
	@BUILD=$(BUILD) scripts/deb.sh
version: # print the version
	@echo $(VERSION)
clean: # remove build
	rm -rf build

assets: $(BUILD)/assets.c

.PHONY: all help man assets browser pictures prometheus run-check golden merge-check kubernetes-check ledger-check slurm-check screen static \
	deps setup setup-build setup-nightly demo mutants nightly test unit test-long check accept corpus fuzz bench bench-gen \
	install uninstall dist image deb package-check version clean
-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(UNIT:=.d)
