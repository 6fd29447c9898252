# shellcheck shell=bash
# releases.sh
#	Which release of Debian has which PostgreSQL.  Sourced.

# debian_release MAJOR: or that on which Ubuntu's 16 runs
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
