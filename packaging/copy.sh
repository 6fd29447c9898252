# shellcheck shell=bash
# copy.sh
#	A clean copy of the tree: without .git, and without what .gitignore names.
#
# Sourced in the root of the checkout, or of an unpacked archive, which has no
# .git.  What is not committed is copied, too.

# clean_copy DIRECTORY
clean_copy()
(
	# An empty repository has no index: all files are new to it
	nothing=$(mktemp -d)
	trap 'rm -rf "$nothing"' EXIT
	mkdir -p "$1" &&
		git init -q --bare "$nothing" &&
		git --git-dir="$nothing" --work-tree=. ls-files -z --others \
			--exclude-per-directory=.gitignore |
		tar -cf - --null --files-from=- |
			tar -xf - -C "$1" --no-same-owner
)
