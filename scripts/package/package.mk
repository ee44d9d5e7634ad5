# Rules for installation, packages and releases. Included by the Makefile.

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
	644:scripts/systemd/smilog-live.service:$(UNITDIR)/smilog-live.service \
	644:scripts/examples/smilog_jax.py:$(DATADIR)/smilog/smilog_jax.py \
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
	@for d in $(INCLUDEDIR)/smilog $(DATADIR)/doc/smilog $(DATADIR)/smilog/slurm $(DATADIR)/smilog/kubernetes $(DATADIR)/smilog; do \
	[ ! -d "$(DESTDIR)$$d" ] || rmdir "$(DESTDIR)$$d"; done

DEB_PACKAGES := debhelper lintian dpkg-dev

deb: # build the Debian packages smilog, libsmilog0 and libsmilog-dev in build/deb; run lintian
	$(call install,$(DEB_PACKAGES))
	@BUILD=$(BUILD) scripts/package/deb.sh
dist: all static # write the files of a release to build/dist: sources, static program, SPDX, checksums
	@BUILD=$(BUILD) scripts/package/dist.sh
image: static # write a container image with the static program to build/dist; needs buildah
	@BUILD=$(BUILD) scripts/package/image.sh
package-check: deb dist image # test the packages, the release and the image on a minimal Debian, as root
	@BUILD=$(BUILD) tests/system/package_check.sh

.PHONY: install uninstall deb dist image package-check
