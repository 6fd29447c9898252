# shellcheck shell=bash disable=SC2034
# headers.sh
#	The headers of servers that this machine does not have, from Debian packages
#	that are unpacked beside, not installed.
#
# Sourced in the root of the checkout.  What was downloaded is kept for a week in
# CACHED_HEADERS (~/.cache/sno-headers); MIRROR is Debian's.

# shellcheck source=test/lib/private-apt.sh
. test/lib/private-apt.sh

headers_cache=${CACHED_HEADERS:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/sno-headers}

# headers_fetch VERSION: sets $headers to the folder with them; one at a time
headers_fetch()
{
	local folder
	folder=$headers_cache/$1-$(dpkg --print-architecture)

	mkdir -p "$headers_cache" || return
	(
		flock 9
		if [ -z "$(find "$folder/complete" -mtime -7 2>/dev/null)" ]; then
			rm -rf "$folder"
			release=$(debian_release "$1") &&
				private_apt "$folder/apt" deb "$release" && cd "$folder" &&
				apt-get -qq download "postgresql-server-dev-$1" &&
				dpkg-deb -x "postgresql-server-dev-$1"_*.deb root &&
				rm -rf apt && touch complete
		fi
	) 9>"$folder.lock" >&2 || return
	headers=$folder/root/usr/include/postgresql/$1/server
}
