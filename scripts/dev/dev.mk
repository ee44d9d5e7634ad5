# Rules for developers: comparisons, measurements, fuzzing. Included by the Makefile.
golden: all # compare all output with that of commit REF; ONLY='cases random ...': some areas
	@python3 -B scripts/dev/golden.py --ref $(or $(REF),17d40724) --new $(BUILD)/smilog $(ONLY)
mutants: # put COUNT drawn faults into the sources, one at a time: do the tests notice?
	@python3 -B scripts/dev/mutants.py --count $(or $(COUNT),100)
fuzz: # fuzz each reader for SECONDS; print the coverage and every crash
	@CLANG=$(CLANG) BUILD=$(BUILD) bash scripts/dev/fuzz.sh $(SECONDS)
bench: all bench-gen # measure MB/s and memory of each format, kernel and size
	@SMILOG=$(BUILD)/smilog GEN=$(BUILD)/bench/gen python3 scripts/dev/bench.py
bench-gen: $(BUILD)/bench/gen # build the program that writes the logs for make bench
$(BUILD)/bench/gen: tests/bench/gen.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -o $@ $<
pictures: all # draw docs/pictures, which README.md shows; needs chromium and DejaVu fonts
	@/usr/bin/python3 -B scripts/dev/pictures.py $(BUILD)/smilog
nightly: setup-nightly # run the checks that take too long for every push
	@BUILD=$(BUILD) scripts/dev/nightly.sh

.PHONY: golden mutants fuzz bench bench-gen pictures nightly
