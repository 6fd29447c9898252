# shellcheck shell=bash
# private-apt.sh
#	Packages of other releases of Debian, without touching the machine's: apt with
#	lists and sources of its own.
#
# Sourced; MIRROR is Debian's.
#
#   debian_release MAJOR           which release has that PostgreSQL, or is that on
#                                  which Ubuntu's 16 runs
#   private_apt FOLDER TYPE RELEASE
#                                  what apt finds in FOLDER from now on, in this
#                                  shell: of the TYPE deb or deb-src

debian_release()
{
	case $1 in
		15) echo bookworm ;;
		16 | 17) echo trixie ;;
		18) echo forky ;;
		19) echo experimental ;;
		*)
			echo "no release of Debian is known to have PostgreSQL $1" >&2
			return 1
			;;
	esac
}

# How to reach the mirror is the machine's matter, all else is private; a mirror
# that lags behind is good enough, and is signed all the same
private_apt()
{
	local folder=$1 type=$2 release=$3
	local keyring=/usr/share/keyrings/debian-archive-keyring.gpg

	mkdir -p "$folder"/etc/apt/{apt.conf.d,preferences.d} \
		"$folder"/var/lib/apt/lists/partial \
		"$folder"/var/cache/apt/archives/partial || return
	: >"$folder/status"
	echo "$type [signed-by=$keyring] ${MIRROR:-http://deb.debian.org/debian} $release main" \
		>"$folder/etc/apt/sources.list"
	{
		apt-config dump | grep '^Acquire::' || true
		echo "Dir \"$folder\";"
		echo "Dir::State::status \"$folder/status\";"
		echo "Acquire::Languages \"none\";"
		echo "Acquire::Check-Valid-Until \"false\";"
		echo "APT::Sandbox::User \"root\";"
	} >"$folder/apt.conf"
	export APT_CONFIG=$folder/apt.conf
	apt-get -qq update
}
