# shellcheck shell=bash
# server.sh
#	A throw-away server in a scratch folder, and copies of the tree for it.
#
# Sourced in the root of the checkout, with PG_CONFIG set.  Owns the folder
# $scratch, which goes away with the shell, and with it the servers, unless
# KEEP=1.  A server listens on a socket in that folder and nowhere else.
#
# The folder lies in /tmp whatever TMPDIR says: the path of a socket must be
# shorter than 108 bytes, and the user that runs the server must get there.
#
# What is in a folder of that user, that user writes: root would follow a link
# that has been put in the place of a file.

# shellcheck source=test/lib/users.sh
. test/lib/users.sh
# shellcheck source=test/lib/copy.sh
. test/lib/copy.sh

bindir=$("$PG_CONFIG" --bindir)
scratch=$(mktemp -d /tmp/sno.XXXXXX)
chmod 711 "$scratch"
server=

server_clean()
{
	# A second interrupt would leave all of it there
	trap '' INT TERM
	if [ "${KEEP:-}" != 1 ]; then
		for server in "$scratch"/*; do
			server_stop || true
		done
		rm -rf "$scratch"
	fi
}
trap server_clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Makes a folder in the scratch folder that belongs to the server's user
server_folder()
{
	mkdir -p "$scratch/$1" && chown "$server_user" "$scratch/$1" &&
		chmod 700 "$scratch/$1"
}

# Makes psql and other clients find the server of that name, and server_stop stop
# it.  Its folder is then $server, its log $server/log.
server_use()
{
	server=$scratch/$1
	# A port only tells sockets in one folder apart
	export PGHOST=$server PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
}

# Starts a server, and uses it: server_start NAME [SETTING=VALUE ...]
server_start()
{
	local name=$1 said
	shift

	server_folder "$name" || return
	server_use "$name"
	(
		cd "$server" || exit
		said=$("${as_server_user[@]}" "$bindir/initdb" -D data -U postgres \
			--auth=trust --no-locale -E UTF8 --no-sync) || {
			echo "$said" >&2
			exit 1
		}
		printf '%s\n' "listen_addresses = ''" "port = 5432" \
			"unix_socket_directories = '$server'" "$@" |
			"${as_server_user[@]}" tee -a data/postgresql.conf >/dev/null ||
			exit
		said=$("${as_server_user[@]}" "$bindir/pg_ctl" -D data -l log -w start) || {
			echo "$said" >&2
			"${as_server_user[@]}" cat log >&2
			exit 1
		}
	)
}

server_stop()
{
	if [ -n "$server" ] && [ -e "$server/data/postmaster.pid" ]; then
		(cd "$server" && "${as_server_user[@]}" "$bindir/pg_ctl" -D data \
			-m immediate -w stop >/dev/null)
	fi
	server=
}

# run_cluster DIRECTORY COMMAND...
# Runs what uses PostgreSQL::Test::Cluster in a copy that the servers' user owns: as
# that user, with what PGXS would set for it.  All that it leaves is in the copy, if
# it is killed as well, and in a folder of it that no other copy has.
run_cluster()
(
	pgxs=$(dirname "$(dirname "$("$PG_CONFIG" --pgxs)")")
	cd "$1" || exit
	shift
	"${as_server_user[@]}" mkdir -p tmp_check/tmp
	exec "${as_server_user[@]}" env TMPDIR="$PWD/tmp_check/tmp" HOME="$PWD" \
		PATH="$bindir:$PATH" PERL5LIB="$PWD/test/t:$pgxs/test/perl" \
		PG_CONFIG="$PG_CONFIG" PG_REGRESS="$pgxs/test/regress/pg_regress" \
		TESTDIR="$PWD" TESTDATADIR="$PWD/tmp_check" \
		TESTLOGDIR="$PWD/tmp_check/log" "$@"
)
