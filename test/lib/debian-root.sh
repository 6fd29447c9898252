# shellcheck shell=bash
# debian-root.sh
#	Folders with a fresh Debian inside, and commands that run in them.
#
# Sourced; everything here needs root, and what the set roots of
# test/lib/install-packages installs.
#
#   root_make FOLDER RELEASE       a minimal Debian, such as trixie, with apt
#   root_source FOLDER RELEASE [PRIORITY [PACKAGES]]
#                                  packages of another release beside it
#   root_install FOLDER PACKAGE... installs them there
#   root_run FOLDER COMMAND...     runs a command there, as root
#   root_remove FOLDER             removes the folder
#
# A command has a namespace of its own for mounts, processes and System V
# memory.  Therefore nothing of it outlasts it, however it ends: no mount that
# a later rm -rf could follow, no server, no segment.  Two commands in one
# folder share its files only.  To interrupt one, kill the process with -KILL:
# everything in its namespace goes with it.
#
# Where the packages come from: $MIRROR and $MIRROR-security, or Debian's, and
# those of Ubuntu's release noble from $UBUNTU_MIRROR, or Ubuntu's; through the
# proxy and with the other Acquire:: settings of the machine's apt.

mirror=${MIRROR:-http://deb.debian.org/debian}
ubuntu_mirror=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}

# root_isolated COMMAND...: with namespaces as said above
root_isolated()
{
	unshare --mount --ipc --pid --fork --kill-child --mount-proc -- "$@"
}

# The proxy of the machine's apt, for debootstrap, which does not ask apt
root_proxy()
{
	local proxy=

	eval "$(apt-config shell proxy Acquire::http::Proxy)"
	if [ -n "$proxy" ] && [ "$proxy" != DIRECT ]; then
		echo "$proxy"
	fi
}

# The folder appears when it is complete; one that was there is replaced then
root_make()
{
	local folder=$1 release=$2 new=$1.new script proxy
	proxy=${http_proxy:-$(root_proxy)}

	root_remove "$new" || return
	mkdir -p "$new" || return
	# A release newer than this debootstrap is made as Debian's newest
	script=/usr/share/debootstrap/scripts/$release
	if [ ! -e "$script" ]; then
		script=/usr/share/debootstrap/scripts/sid
	fi
	root_isolated env ${proxy:+http_proxy="$proxy"} PATH="$PATH:/usr/sbin:/sbin" \
		debootstrap --variant=minbase "$release" "$new" "$mirror" "$script" \
		</dev/null || {
		tail -n 20 "$new/debootstrap/debootstrap.log" >&2 || true
		return 1
	}

	# A mirror that lags behind is good enough, and is signed all the same
	{
		apt-config dump | grep '^Acquire::' || true
		echo 'Acquire::Languages "none";'
		echo 'Acquire::Check-Valid-Until "false";'
		echo 'APT::Install-Recommends "false";'
		echo 'APT::Keep-Downloaded-Packages "false";'
	} >"$new/etc/apt/apt.conf.d/99root" || return
	# What a loss of power would cost is made again
	echo force-unsafe-io >"$new/etc/dpkg/dpkg.cfg.d/99root" || return
	# A package starts no service here: what runs is what root_run runs
	printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d" &&
		chmod 755 "$new/usr/sbin/policy-rc.d" &&
		root_sources "$release" >"$new/etc/apt/sources.list" &&
		root_remove "$folder" && mv "$new" "$folder"
}

# The lines of a release, with the fixes that it gets between its versions
root_sources()
{
	local key='[signed-by=/usr/share/keyrings/ubuntu-archive-keyring.gpg]'

	case $1 in
		noble)
			echo "deb $key $ubuntu_mirror $1 main universe"
			echo "deb $key $ubuntu_mirror $1-security main universe"
			;;
		sid | experimental)
			echo "deb $mirror $1 main"
			;;
		*)
			echo "deb $mirror $1 main"
			echo "deb $mirror-security $1-security main"
			;;
	esac
}

# At the default priority only what the folder's own release does not have comes
# from there; at 500 the newer version wins.  PACKAGES is a list as in a
# Package: line of apt_preferences(5).
root_source()
{
	local folder=$1 release=$2 priority=${3:-100} packages=${4:-*}
	local by

	root_sources "$release" >"$folder/etc/apt/sources.list.d/$release.list"
	# By its code name, or by its role, such as experimental
	for by in "n=$release" "n=$release-security" "a=$release"; do
		printf 'Package: %s\nPin: release %s\nPin-Priority: %s\n\n' \
			"$packages" "$by" "$priority"
	done >"$folder/etc/apt/preferences.d/$release"
}

root_install()
{
	local folder=$1
	shift

	root_run "$folder" apt-get update -qq &&
		root_run "$folder" env DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq -o Dpkg::Use-Pty=0 "$@"
}

# The command gets the standard input, and a clean environment
root_run()
{
	local folder=$1 name
	local environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
		HOME=/root LC_ALL=C.UTF-8)
	shift

	for name in http_proxy https_proxy no_proxy TERM; do
		if [ -n "${!name:-}" ]; then
			environment+=("$name=${!name}")
		fi
	done
	# A link there would lead out of the folder
	for name in resolv.conf hosts; do
		cp -L --remove-destination "/etc/$name" "$folder/etc/$name" || return
	done

	# The shell stays as the first process of the namespace, to reap orphans: a
	# server that somebody waits for must not stay there as a zombie
	# shellcheck disable=SC2016
	root_isolated bash -c '
		folder=$1
		shift
		mount --bind "$folder" "$folder" &&
			mount -t proc proc "$folder/proc" &&
			mount -t tmpfs -o mode=1777 shm "$folder/dev/shm" &&
			mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 \
				devpts "$folder/dev/pts" || exit 125
		chroot "$folder" /usr/bin/env -i "$@"
		exit $?' bash "$folder" "${environment[@]}" "$@"
}

# Refuses to if something is mounted in it, by hand for instance: rm would remove
# that as well
root_remove()
{
	local folder=$1

	if [ ! -e "$folder" ]; then
		return
	fi
	folder=$(realpath "$folder") || return
	if ! awk -v folder="$folder/" 'index($2, folder) == 1 { exit 1 }' \
		/proc/self/mounts; then
		echo "something is mounted in $folder, so it stays" >&2
		return 1
	fi
	rm -rf --one-file-system "$folder"
}
