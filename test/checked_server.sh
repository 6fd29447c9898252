# shellcheck shell=bash disable=SC2001,SC2034,SC2154
# checked_server.sh
#	A server that tells valgrind and AddressSanitizer where its allocations
#	begin and end, and that has its assertions on.
#
# Usage: [MIRROR=...] [SERVERS_CACHE=...]
#
# Sourced in the root of the checkout.  checked_server has to be called before
# test/server.sh is sourced, which then works with that server.  It is PostgreSQL
# of the major version of PG_CONFIG, built of Debian's source package.
#
# What was built is kept in SERVERS_CACHE (~/.cache/sno-servers).

export LC_ALL=C.UTF-8
unset MAKEFLAGS MAKELEVEL
servers_cache=${SERVERS_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/sno-servers}

# shellcheck source=test/private-apt.sh
. test/private-apt.sh
# shellcheck source=test/check.sh
. test/check.sh

# download_source MAJOR DIRECTORY: into DIRECTORY/source
download_source()
(
	release=$(debian_release "$1") &&
		mkdir -p "$2/package" "$2/source" &&
		private_apt "$2/apt" deb-src "$release" &&
		cd "$2/package" &&
		apt-get -qq --download-only source "postgresql-$1" &&
		tar -xf ./*.orig.tar.* -C "$2/source" --strip-components=1
)

# build_server DIRECTORY: of DIRECTORY/source, into DIRECTORY/installed
#
# The weak symbols of test/checked/valgrind/memcheck.h are bound when the server
# starts, by what is preloaded then.
build_server()
(
	local options=(--without-readline --without-zlib --enable-cassert --enable-debug)

	cp -r test/checked/valgrind "$1" && cd "$1/source" || return
	# 15 knows no such option; what it has not is not looked for
	if ./configure --help | grep -q -e --without-icu; then
		options+=(--without-icu)
	fi
	./configure -q --prefix="$1/installed" "${options[@]}" \
		CFLAGS="-O1 -fno-omit-frame-pointer" \
		CPPFLAGS="-DUSE_VALGRIND -I$1" \
		LDFLAGS_EX="-Wl,-z,dynamic-undefined-weak" &&
		make -s "-j$(nproc)" &&
		make -s install &&
		make -s -C contrib/pg_walinspect install &&
		make -s -C src/test/perl install enable_tap_tests=yes &&
		cp src/tools/valgrind.supp "$1/installed"
)

# Builds the server unless it was built before, and sets PG_CONFIG to it
checked_server()
{
	local version folder

	checked_major=$("${PG_CONFIG:-pg_config}" --version |
		sed -E 's/^PostgreSQL ([0-9]+).*/\1/')
	version=$({ declare -f build_server; cat test/checked/valgrind/memcheck.h; } |
		sha256sum | cut -c 1-12)
	folder=$servers_cache/$checked_major-$version

	mkdir -p "$servers_cache"
	exec {servers_lock}>"$folder.lock"
	flock "$servers_lock"
	if [ ! -e "$folder/complete" ]; then
		echo "# building a server in $folder"
		rm -rf "$folder"
		mkdir -p "$folder"
		if ! { download_source "$checked_major" "$folder" &&
			build_server "$folder"; } >"$folder/log" 2>&1; then
			tail -n 40 "$folder/log" >&2
			return 1
		fi
		rm -rf "$folder/source" "$folder/package" "$folder/apt"
		touch "$folder/complete"
	fi
	exec {servers_lock}>&-
	export PG_CONFIG=$folder/installed/bin/pg_config
}

# checked_copy: goes on with a copy of the server in the scratch folder, which
# the servers' user can read, and with sno in it, built with COPT
checked_copy()
{
	cp -a "${bindir%/bin}" "$scratch/postgres"
	bindir=$scratch/postgres/bin
	export PG_CONFIG=$bindir/pg_config
	mv "$bindir/postgres" "$bindir/postgres-itself"
	ln -s postgres-itself "$bindir/postgres"

	copy_tree "$scratch/extension"
	make -s "-j$(nproc)" -C "$scratch/extension" PG_CONFIG="$PG_CONFIG" >&2
	install_extension "$scratch/extension" >&2

	# shellcheck disable=SC2086
	gcc -shared -fPIC -g ${COPT:-} -I "$("$PG_CONFIG" --includedir-server)" \
		test/checked/faulty.c -o "$scratch/faulty.so"
}

# checked_run COMMAND...: from now on every server is run by this command
checked_run()
{
	rm "$bindir/postgres"
	{
		echo '#!/bin/sh'
		printf 'exec'
		printf " '%s'" "$@" "$bindir/postgres-itself"
		echo ' "$@"'
	} >"$bindir/postgres"
	chmod +x "$bindir/postgres"
}

# call_faulty FUNCTION: with a server that is not running; says what comes out
call_faulty()
{
	printf '%s\n' "CREATE FUNCTION faulty_$1(integer) RETURNS boolean AS '$scratch/faulty.so' LANGUAGE C" \
		"SELECT faulty_$1(1)" |
		(cd "$server" && "${as_server_user[@]}" "$bindir/postgres" --single \
			-D data postgres 2>&1) || true
}

# Starts a server that was started before, however long that takes
checked_start()
{
	local said

	server_use "$1"
	(
		cd "$server" || exit
		said=$("${as_server_user[@]}" "$bindir/pg_ctl" -D data -l log -w \
			-t 600 start) || {
			echo "$said" >&2
			"${as_server_user[@]}" tail -n 40 log >&2
			exit 1
		}
	)
}

# Stops it in good order
checked_stop()
{
	(cd "$server" && "${as_server_user[@]}" "$bindir/pg_ctl" -D data \
		-m fast -w -t 600 stop >/dev/null)
}

# The regression tests, or those of REGRESS, as TAP, which pg_regress prints from
# 16 on
checked_regress()
{
	make -C "$scratch/extension" installcheck PG_CONFIG="$PG_CONFIG" \
		${REGRESS:+REGRESS="$REGRESS"} 2>&1 |
		sed -E 's/^(test| +) +(\w+) +\.\.\. ok\b/ok - \2/
			s/^(test| +) +(\w+) +\.\.\. FAILED/not ok - \2/'
}

# without LIBRARY...: those that a session which uses sno does not have
without()
{
	local library

	for library; do
		"$bindir/psql" -XAtq -v ON_ERROR_STOP=1 -c "LOAD 'sno'" \
			-c "SELECT pg_read_file('/proc/self/maps')" >"$scratch/maps"
		grep -q "$library" "$scratch/maps" || echo "$library is not loaded"
	done
}

# not_said PATTERN FILE...: what the files say in place of that
not_said()
{
	local pattern=$1
	shift

	grep -q "$pattern" "$@" || {
		echo "not found: $pattern; but:"
		cat "$@"
	}
}

# verdict PROPERTY OUTPUT: a test that passes if there is no output
verdict()
{
	report ${#2} "$1" <(echo "$2")
}
