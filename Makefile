# The server to build for is the one PG_CONFIG belongs to.
#
#   make, make install, make installcheck   as for every extension
#   make demo                               build, install and show it at work
#   make test                               everything there is to test
#   make WERROR=1                           warnings are errors
#   make headers-check                      compile against other servers' headers

EXTENSION = sno
MODULE_big = sno
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" sno.control)
DATA = $(wildcard sql/sno--*.sql)
DOCS = README.md

OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/core/*.c) $(wildcard src/pg/*.c)))
INCLUDED = $(wildcard src/core/*.h src/pg/*.h)

REGRESS = $(sort $(patsubst sql/%.sql,%,$(filter-out sql/sno--%,$(wildcard sql/*.sql))))

# src/core asserts with <assert.h>; the glue with the server's Assert()
PG_CPPFLAGS = -I$(srcdir)/src -DNDEBUG -DSNO_VERSION='"$(EXTVERSION)"'
ifdef WERROR
# PostgreSQL's own headers and calling convention leave parameters unused, and
# mix signs; clang does not know every option a server was built with by gcc
PG_CFLAGS = -Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare -Wno-ignored-optimization-argument -Wno-unknown-warning-option -Wno-ignored-attributes
endif

EXTRA_CLEAN = results regression.diffs regression.out tmp_check

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
ifneq ($(PGXS),)
include $(PGXS)
else
# make demo and make test install a server where there is none
all install uninstall installcheck clean:
	@echo "$(PG_CONFIG) not found: install the server's development package, or set PG_CONFIG" >&2; exit 1
endif

$(OBJS) $(OBJS:.o=.bc): $(INCLUDED)

.PHONY: demo test headers-check
demo:
	@test/demo

test:
	@test/run

headers-check:
	@test/headers-check
