# shellcheck shell=bash disable=SC2034
# users.sh
#	Who runs what: root changes the machine, an unprivileged user runs servers.
#
# Sourced.  The server refuses to run as root, so root hands it to another
# user.  That user may not be able to read the checkout: give it copies, or
# files on standard input.

# Runs a command as root: directly, or through sudo
as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		echo "neither root nor sudo, so this cannot be run: $*" >&2
		return 1
	fi
}

# The user that runs servers, and what to put before a command of theirs
server_user=$(id -un)
as_server_user=()
if [ "$(id -u)" = 0 ]; then
	server_user=nobody
	if id postgres >/dev/null 2>&1; then
		server_user=postgres
	fi
	as_server_user=(setpriv --reuid="$server_user"
		--regid="$(id -g "$server_user")" --clear-groups)
fi

# Installs a built extension: install_extension DIRECTORY
# Asks for root only where the server's own folders are not ours.
install_extension()
{
	local command=(make -s -C "$1" install PG_CONFIG="$PG_CONFIG")

	if [ -w "$("$PG_CONFIG" --pkglibdir)" ] &&
		[ -w "$("$PG_CONFIG" --sharedir)/extension" ]; then
		"${command[@]}"
	else
		as_root "${command[@]}"
	fi
}
