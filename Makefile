# The server to build for is the one PG_CONFIG belongs to.
#
#   make, make install, make installcheck   as for every extension
#   make demo                               build, install and show it at work
#   make test                               what every change must pass
#   make test-matrix VERSIONS="15 18"       the same with other servers
#   make test-clients                       real drivers and ORMs
#   make test-monitoring                    Prometheus's exporter and alarms
#   make test-patroni                       switchovers and failovers
#   make test-citus CITUS=FOLDER            shards on several nodes
#   make test-arch                          the core on other processors
#   make test-musl                          on the C library of Alpine
#   make test-packages, make test-images    what make deb, make dist and make image make
#   make test-valgrind, make test-sanitizers  the extension under these
#   make test-assertions                    servers with assertions
#   make lint                               what linters find
#   make prove                              the core, for every input
#   make soak MINUTES=10                    servers in trouble, at random
#   make deb, make dist                     Debian packages; PGXN's archive
#   make image                              container images
#   make bench, make bench-quick            what it costs, beside its rivals
#   make WERROR=1                           warnings are errors

# The sources may be in another folder (make -f that/folder/Makefile): names of
# files are relative to it
top := $(dir $(firstword $(MAKEFILE_LIST)))
files = $(sort $(patsubst $(top)%,%,$(wildcard $(addprefix $(top),$(1)))))

PG_CONFIG ?= pg_config

EXTENSION = sno sql/registry/sno_registry
MODULE_big = sno
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" $(top)sno.control)
DATA = $(call files,sql/*--*--*.sql)
DATA_built = sno--$(EXTVERSION).sql sno_registry--$(EXTVERSION).sql
# The parts of the script, in its order
sno_parts = checks type generate fields order time resolved gist casts numbers admin table_partitions estimated_count members record
DOCS = $(call files,doc/*)

OBJS = $(patsubst %.c,%.o,$(call files,src/*.c src/*/*.c))
REGRESS = $(patsubst sql/%.sql,%,$(filter-out $(call files,sql/*--*.sql),$(call files,sql/*.sql)))
# The tests have characters of several bytes, and expect no order but C
ENCODING = UTF8
NO_LOCALE = 1

PG_CPPFLAGS = -I$(srcdir)/src -DSNO_VERSION='"$(EXTVERSION)"'
# src/core asserts with <assert.h>: where the server's Assert() does something
ifeq (,$(findstring enable-cassert,$(shell $(PG_CONFIG) --configure 2>/dev/null)))
PG_CPPFLAGS += -DNDEBUG
endif
ifdef WERROR
# PostgreSQL's own headers and calling convention leave parameters unused, and
# mix signs; clang does not know every option a server was built with by gcc
PG_CFLAGS = -Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare -Wno-ignored-optimization-argument -Wno-unknown-warning-option -Wno-ignored-attributes
endif

# What all targets leave
EXTRA_CLEAN = results regression.diffs regression.out tmp_check bench/results/part deb \
	$(wildcard sno-*.zip bench/results/*.rounds)

# pg_config of libpq names a makefile that comes with the server's headers only
PGXS := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))
ifneq ($(PGXS),)
include $(PGXS)
# The folder is everybody's, and the names of the pages are not unusual
docmoduledir := $(docmoduledir)/sno

sno--$(EXTVERSION).sql: $(sno_parts:%=$(top)sql/sno/%.sql)
	cat $^ >$@
sno_registry--$(EXTVERSION).sql: $(top)sql/registry/sno_registry.sql
	cp $< $@

# Bitcode is for the server's JIT compiler, and is not needed
.PHONY: bitcode-compiler
$(OBJS:.o=.bc): | bitcode-compiler
bitcode-compiler:
	@command -v $(CLANG) >/dev/null || { \
		echo "The server was built with $(CLANG), which is not here." >&2; \
		echo "Install it, or give make and make install with_llvm=no." >&2; exit 1; }

# PGXS installs the pages without their folder, and does not find them with it
.PHONY: uninstall-pages
uninstall: uninstall-pages
uninstall-pages:
	rm -rf '$(DESTDIR)$(docdir)/$(docmoduledir)'
else
# make demo and make test install a server where there is none
all install uninstall installcheck clean:
	@echo "$(PG_CONFIG) knows no server headers." >&2
	@echo "Debian has them in postgresql-server-dev-15 (Debian 12), -17 (13) and -18 (14)." >&2
	@echo "PG_CONFIG=FILE chooses another server. make demo installs what it needs by itself." >&2
	@exit 1
endif

objdirs = $(patsubst %/,$(CURDIR)/%,$(sort $(dir $(OBJS))))
$(OBJS) $(OBJS:.o=.bc): $(addprefix $(top),$(call files,src/*.h src/*/*.h)) | $(objdirs)
$(objdirs):
	mkdir -p $@

.PHONY: image test-images test-monitoring demo test test-matrix test-clients test-patroni test-citus test-arch test-musl test-packages
.PHONY: test-assertions test-valgrind test-sanitizers lint prove soak deb dist bench bench-quick
demo:
	@$(top)examples/demo/run

test:
	@$(top)test/run

test-matrix:
	@$(if $(VERSIONS),VERSIONS="$(VERSIONS)") $(top)test/debian/matrix

test-clients:
	@$(top)test/systems/clients/run

test-monitoring:
	@$(top)test/systems/monitoring/run

test-patroni:
	@$(top)test/systems/patroni/run

test-citus:
	@CITUS="$(CITUS)" $(if $(SERVER),SERVER="$(SERVER)") $(top)test/systems/citus/run

test-arch:
	@$(top)test/debian/arch

test-musl:
	@$(top)test/systems/musl/run

test-packages:
	@$(top)test/debian/packages

test-assertions:
	@$(top)test/memory/run assertions

test-valgrind:
	@$(top)test/memory/run valgrind

test-sanitizers:
	@$(top)test/memory/run sanitizers

lint:
	@$(top)test/checks/lint/run

# CBMC is in Debian from 13 on
prove:
	@if command -v cbmc >/dev/null; then \
		$(top)test/proof/run; else \
		VERSIONS=17 $(top)test/debian/matrix exec sh -c \
			"test/lib/install-packages proof && test/proof/run"; fi

soak:
	@SUITE="test/t/fleet.pl test/t/servers.pl test/t/readers_load.pl test/t/portable.pl" MINUTES="$(MINUTES)" $(if $(SEED),SEED="$(SEED)") $(top)test/run

deb:
	@$(top)packaging/deb

dist:
	@$(top)packaging/dist

image:
	@$(if $(BASE),BASE="$(BASE)") $(top)packaging/image

test-images:
	@$(top)test/debian/images

bench:
	@$(top)bench/run

bench-quick:
	@$(top)bench/run quick
