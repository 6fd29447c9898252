# shellcheck shell=bash
# server.sh
#	A throw-away server in a scratch folder, and copies of the tree.
#
# Sourced in the root of the checkout, with PG_CONFIG set.  Owns the folder
# $scratch, which goes away with the shell, and with it the servers, unless
# KEEP=1.  A server listens on a socket in that folder and nowhere else.
#
# The folder lies in /tmp whatever TMPDIR says: the path of a socket must be
# shorter than 108 bytes, and the user that runs the server must get there.

# shellcheck source=test/users.sh
. test/users.sh

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
	local name=$1 setting
	shift

	server_folder "$name" || return
	server_use "$name"
	(
		cd "$server"
		"${as_server_user[@]}" "$bindir/initdb" -D data -U postgres \
			--auth=trust --no-locale -E UTF8 --no-sync >initdb.log || {
			cat initdb.log >&2
			exit 1
		}
		{
			echo "listen_addresses = ''"
			echo "port = 5432"
			echo "unix_socket_directories = '$server'"
			for setting; do
				echo "$setting"
			done
		} >>data/postgresql.conf
		"${as_server_user[@]}" "$bindir/pg_ctl" -D data -l log -w start \
			>pg_ctl.log || {
			cat pg_ctl.log log >&2
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

# copy_tree DIRECTORY: the checkout without what a build or a test left there
copy_tree()
{
	mkdir -p "$1"
	tar -cf - --exclude='*.o' --exclude='*.bc' --exclude='*.so' \
		--exclude=./.git --exclude=./results --exclude=./tmp_check . |
		tar -xf - -C "$1" --no-same-owner --no-overwrite-dir
}

# run_cluster DIRECTORY COMMAND...
# Runs what uses PostgreSQL::Test::Cluster in a copy of the tree that belongs to
# the servers' user: as that user, with what PGXS would set for it, and with a
# folder for sockets that goes away even if the command is killed.
run_cluster()
(
	pgxs=$(dirname "$(dirname "$("$PG_CONFIG" --pgxs)")")
	cd "$1" || exit
	shift
	"${as_server_user[@]}" mkdir -p tmp
	exec "${as_server_user[@]}" env TMPDIR="$PWD/tmp" HOME="$PWD" \
		PATH="$bindir:$PATH" PERL5LIB="$pgxs/test/perl" \
		PG_CONFIG="$PG_CONFIG" PG_REGRESS="$pgxs/test/regress/pg_regress" \
		TESTDIR="$PWD" TESTDATADIR="$PWD/tmp_check" \
		TESTLOGDIR="$PWD/tmp_check/log" "$@"
)
