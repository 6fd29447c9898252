# shellcheck shell=bash disable=SC2034
# headers.sh
#	The headers of servers that this machine does not have, of other versions
#	and for other processors, and what to compile against them with.
#
# Sourced in the root of the checkout.
#
#   headers_fetch VERSION [ARCHITECTURE]   sets $headers to the folder with them,
#                                          $headers_package to where from
#
# The headers come from Debian packages, which are unpacked beside, not
# installed.  What was downloaded is kept for a week in CACHED_HEADERS
# (~/.cache/sno-headers); MIRROR is Debian's.

# shellcheck source=test/lib/private-apt.sh
. test/lib/private-apt.sh

headers_cache=${CACHED_HEADERS:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/sno-headers}

# Options of any gcc
headers_flags=(-std=gnu11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror
	-Wmissing-prototypes -Wno-unused-parameter -Wno-sign-compare
	-D_GNU_SOURCE -DNDEBUG
	"-DSNO_VERSION=\"$(sed -n "s/^default_version = '\(.*\)'/\1/p" sno.control)\"")
# What the headers were configured with may be newer than this compiler
if ! echo 'typeof_unqual(int) i;' | gcc -xc -std=gnu11 -fsyntax-only - 2>/dev/null; then
	headers_flags+=(-Dtypeof_unqual=__typeof__)
fi

# headers_download VERSION ARCHITECTURE DIRECTORY: the package, unpacked in
# DIRECTORY/root
headers_download()
{
	local release
	release=$(debian_release "$1") || return

	rm -rf "$3"
	(
		private_apt "$3/apt" deb "$release" "$2" && cd "$3" &&
			apt-get -qq download "postgresql-server-dev-$1"
	) >&2 || return
	dpkg-deb -x "$3/postgresql-server-dev-$1"_*.deb "$3/root" && rm -rf "$3/apt"
}

# Downloads them unless they are there, which takes the place of older ones only
# when it is complete; one at a time
headers_fetch()
{
	local architecture=${2:-$(dpkg --print-architecture)}
	local folder=$headers_cache/$1-$architecture

	mkdir -p "$headers_cache" || return
	(
		flock 9
		[ -n "$(find "$folder/complete" -mtime -7 2>/dev/null)" ] ||
			{ headers_download "$1" "$architecture" "$folder.new" &&
				touch "$folder.new/complete" && rm -rf "$folder" &&
				mv "$folder.new" "$folder"; }
	) 9>"$folder.lock" || return
	headers=$folder/root/usr/include/postgresql/$1/server
	headers_package=$(find "$folder" -maxdepth 1 -name '*.deb' -printf '%f')
}

# headers_compile COMPILER DIRECTORY [OPTION...]: every source file, to the end,
# against $headers; the objects go to DIRECTORY
headers_compile()
{
	local compiler=$1 objects=$2 source status=0
	shift 2

	mkdir -p "$objects"
	for source in src/*.c src/*/*.c; do
		"$compiler" "${headers_flags[@]}" "$@" -I src -I "$headers" \
			-c "$source" -o "$objects/$(basename "$source" .c).o" || status=1
	done >&2
	return "$status"
}
