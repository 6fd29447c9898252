# shellcheck shell=bash
# built.sh
#	A server that Debian has not: built of its source package, with other options, and
#	kept.  Sourced in the root of the checkout, before server.sh.
#
# It is PostgreSQL of the major version of PG_CONFIG, and is kept in SERVERS_CACHE
# (~/.cache/sno-servers).  MIRROR is Debian's.

# shellcheck source=test/lib/releases.sh
. test/lib/releases.sh

# download_source MAJOR DIRECTORY: into DIRECTORY/source, by apt with a list of sources
# of its own; a mirror that lags behind is good enough, and is signed all the same
download_source()
(
	release=$(debian_release "$1") &&
		mkdir -p "$2/package" "$2/source" "$2/apt/lists/partial" &&
		echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${MIRROR:-http://deb.debian.org/debian} $release main" \
			>"$2/apt/sources.list" &&
		cd "$2/package" || return
	apt=(apt-get -qq -o "Dir::Etc::sourcelist=$2/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$2/apt/lists"
		-o "Dir::Cache=$2/apt" -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root)
	"${apt[@]}" update && "${apt[@]}" --download-only source "postgresql-$1" &&
		tar -xf ./*.orig.tar.* -C "$2/source" --strip-components=1
)

# compile_source DIRECTORY OPTION...: of DIRECTORY/source, into DIRECTORY/installed
compile_source()
(
	cd "$1/source" || return
	local options=(--prefix="$1/installed" --without-readline --without-zlib "${@:2}")

	# 15 knows no such option; what it has not is not looked for
	if ./configure --help | grep -q -e --without-icu; then
		options+=(--without-icu)
	fi
	./configure -q "${options[@]}" &&
		make -s "-j$(nproc)" &&
		make -s install &&
		make -s -C contrib install &&
		make -s -C src/test/perl install enable_tap_tests=yes &&
		cp src/tools/valgrind.supp "$1/installed"
)

# build_server OPTION...: unless it is there; and makes PG_CONFIG, bindir and $scratch,
# as server.sh does, those of a copy of it, which the servers' user can read.
#
# The options are configure's.  An @ in them stands for the folder that is kept, which
# prepare_server FOLDER has prepared.
build_server()
{
	local machine major options=() option kept

	machine=$(command -v "${PG_CONFIG:-pg_config}")
	major=$("$machine" --version | sed -E 's/^PostgreSQL ([0-9]+).*/\1/')
	kept=$({ declare -f compile_source prepare_server; echo "$@"; } | sha256sum | cut -c 1-12)
	kept=${SERVERS_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/sno-servers}/$major-$kept
	for option; do
		options+=("${option//@/$kept}")
	done
	mkdir -p "$(dirname "$kept")"
	(
		flock 9
		if [ ! -e "$kept/complete" ]; then
			echo "building a server in $kept"
			rm -rf "$kept"
			mkdir -p "$kept"
			{ download_source "$major" "$kept" && prepare_server "$kept" &&
				compile_source "$kept" "${options[@]}"; } >"$kept/log" 2>&1 || {
				tail -n 40 "$kept/log" >&2
				exit 1
			}
			rm -rf "$kept/source" "$kept/package" "$kept/apt"
			touch "$kept/complete"
		fi
	) 9>"$kept.lock"

	export PG_CONFIG=$kept/installed/bin/pg_config
	# shellcheck source=test/lib/server.sh
	. test/lib/server.sh
	cp -a "$kept/installed" "$scratch/postgres"
	bindir=$scratch/postgres/bin
	PG_CONFIG=$bindir/pg_config
	# The programs name the folder that is kept, which their user may not be able to read
	export LD_LIBRARY_PATH=$scratch/postgres/lib
	cp "$("$machine" --sharedir)"/extension/pgtap* "$("$PG_CONFIG" --sharedir)/extension"
}
