# smilog - `make` builds, `make setup` installs what that needs, `make demo` shows it, `make test` tests it, `make help` lists
# all targets. Rules for tests, for installation and packages, and for developers are in the files of RULES.
RULES := tests/tests.mk scripts/package/package.mk scripts/dev/dev.mk
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

# ---- what the build needs ----

# What the build needs: Debian's names. The tests need more (tests/tests.mk).
PACKAGES := gcc make pkg-config libcsv-dev libjansson-dev libyaml-dev libarchive-dev zlib1g-dev liblzma-dev \
	libzstd-dev libbz2-dev libsqlite3-dev libxlsxwriter-dev libjs-dygraphs tzdata \
	libmicrohttpd-dev libcurl4-openssl-dev
PC := jansson yaml-0.1 zlib liblzma libzstd sqlite3
ALL_CPPFLAGS := -D_GNU_SOURCE -Isrc -Iinclude $(CPPFLAGS) $(shell pkg-config --cflags $(PC) 2>/dev/null)
ALL_CFLAGS := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -fPIC -fvisibility=hidden -pthread $(SAN) $(CFLAGS)
LIBS := -lcsv $(shell pkg-config --libs $(PC) 2>/dev/null || echo -ljansson -lyaml -lz -llzma -lzstd -lsqlite3) -lbz2 -lpthread -lm

FOLDERS := base model formats aggregate summary sweep query report export live process
LIB_SRC := $(sort $(wildcard $(FOLDERS:%=src/%/*.c) src/api_*.c) src/cli/option.c src/cli/settings.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/assets.o $(BUILD)/maps.o
CMD_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(LIB_SRC),$(sort $(wildcard src/cli/*.c)))) $(BUILD)/man_text.o
MAN_TEXT := $(sort $(wildcard man/*.txt))
COMPLETIONS := $(foreach shell,bash zsh fish,completions/smilog.$(shell))
HEADERS := $(sort $(wildcard include/smilog/*.h))

all: deps $(BUILD)/smilog $(BUILD)/libsmilog.a $(BUILD)/libsmilog.so $(BUILD)/smilog.pc # build the program and the library

help: # list the targets: all that have a comment behind their prerequisites
	@printf '%s\n' 'Start with: make demo (a summary and a report of sample logs), make test, make install' ''
	@sed -n -E 's/^\$$\(CHECKS.*# (.*)/NAME-check\t\1/p; s/^([a-z-]+):[^#=]*# (.*)/\1\t\2/p' Makefile $(RULES) | sort | \
	while IFS='	' read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done
	@echo && echo 'NAME is one of: $(CHECKS)' | fold -s -w 100
	@printf '%s\n' '' 'A part of the tests, after make:' '  tests/run.py TOPIC/CASE           one case of tests/cases/TOPIC.t; ACCEPT=1: write its output' \
	'  make build/unit/test_X && build/unit/test_X    one unit test' '  tests/docs.py docs/PAGE.md        the commands of one document' \
	'  scripts/dev/check_structure.py    folders, budgets and names; scripts/dev/check-format.sh: the layout' \
	'  scripts/dev/fuzz.sh 60 dmon       one reader for 60 s' '' \
	'Variables: CC, CFLAGS, BUILD (build), PREFIX, DESTDIR, LIBDIR, SAN=-fsanitize=address, JOBS (tests at a time),' \
	'  CASE_SECONDS (limit of a case), SMILOG_TIMES=FILE (seconds of each part and case), SMILOG_LONG=1 (more rounds),' \
	'  ARGS (of NAME-check), REF and ONLY (golden), SECONDS (fuzz: of each reader), COUNT (mutants)'

test: setup # build and run all tests that a push has to pass
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" BUILD=$(BUILD) all unit $(if $(SAN),,static)
	@BUILD=$(BUILD) tests/all.sh

deps: $(BUILD)/deps # check that the libraries are there; once, as long as this file stays the same
$(BUILD)/deps: Makefile
	@missing=; command -v $(CC) >/dev/null || missing="$$missing $(CC)"; \
	command -v pkg-config >/dev/null || missing="$$missing pkg-config"; \
	echo '#include <csv.h>' | $(CC) $(ALL_CPPFLAGS) -E - >/dev/null 2>&1 || missing="$$missing libcsv"; \
	for h in jansson:jansson yaml:libyaml archive:libarchive zlib:zlib lzma:liblzma zstd:libzstd bzlib:libbz2 \
	sqlite3:libsqlite3 xlsxwriter:libxlsxwriter microhttpd:libmicrohttpd curl/curl:libcurl; do \
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

# ---- objects, and files that are built into the program ----

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -Wconversion -MMD -MP -c -o $@ $<
DYGRAPHS ?= /usr/share/javascript/dygraphs
LICENCE ?= /usr/share/doc/libjs-dygraphs/copyright
WEB := $(addprefix web/,data.js filter.js table.js map.js run.js page.js)
$(BUILD)/assets.c: scripts/build/embed.sh web/page.css web/live.css web/live.js $(WEB) $(wildcard $(DYGRAPHS)/dygraph.min.js)
	@mkdir -p $(@D)
	sh scripts/build/embed.sh style=$(DYGRAPHS)/dygraph.min.css+web/page.css charts=$(DYGRAPHS)/dygraph.min.js \
	script=$(subst $() ,+,$(WEB)) live_style=web/page.css+web/live.css live_script=web/live.js licence=$(LICENCE) >$@.part && mv $@.part $@
$(BUILD)/assets.o: $(BUILD)/assets.c
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
MAPS := src/formats/gpu_csv.map $(filter-out %/gpu_csv.map,$(sort $(wildcard src/formats/*.map)))
$(BUILD)/maps.c: scripts/build/maps.awk src/model/metric.def $(MAPS)
	@mkdir -p $(@D)
	awk -f $^ >$@.part && mv $@.part $@
$(BUILD)/maps.o: $(BUILD)/maps.c src/formats/column.h
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/man_text.c: scripts/build/embed.sh $(MAN_TEXT) $(COMPLETIONS)
	@mkdir -p $(@D)
	HEADER=cli/option.h sh scripts/build/embed.sh man=$(subst $() ,+,$(MAN_TEXT)) \
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

# ---- library and program ----

$(BUILD)/libsmilog.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^
$(BUILD)/libsmilog.so: $(LIB_OBJ) scripts/build/libsmilog.map
	$(CC) $(SAN) -shared -Wl,-z,defs,-soname,$(SO),--version-script=scripts/build/libsmilog.map $(LDFLAGS) -o $(BUILD)/$(SO) $(LIB_OBJ) $(LIBS)
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

demo: setup-build # build smilog and summarize the sample sweep
	@echo "building smilog (about a minute on two cores)"
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" all
	@echo "summarising the sample sweep: $(BUILD)/smilog summarize tests/fixtures/sweep"
	@$(BUILD)/smilog summarize tests/fixtures/sweep
	@echo "writing the same as a page and as a workbook"
	@$(BUILD)/smilog report -q tests/fixtures/sweep -o $(BUILD)/demo.html
	@$(BUILD)/smilog report -q tests/fixtures/sweep -o $(BUILD)/demo.xlsx
	@echo "open $(BUILD)/demo.html in a browser, $(BUILD)/demo.xlsx in a spreadsheet"

version: # print the version
	@echo $(VERSION)
clean: # remove build
	rm -rf build

.PHONY: all help deps setup-build man static demo version clean
-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d)
include $(RULES)
