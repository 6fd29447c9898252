# shellcheck shell=bash
# copy.sh
#	Copies of the tree: for builds and tests, for packages, for another Debian.
#
# Sourced in the root of the checkout, or of an unpacked archive, which has no
# .git.  What is not committed is copied, too.

# copy_tree DIRECTORY [COMMAND...]: without .git, and without what .gitignore names.
# The copy belongs to whom the command makes the user; setpriv is such a command.
#
# Not by git, which a machine that builds may not have: a line of .gitignore
# becomes a pattern of tar's, where ./ is the root of the tree.  One that begins
# with a !, or has a slash in its middle only, cannot, and is refused.  The root
# itself is not read: others may make files there meanwhile.
copy_tree()
{
	! grep -nE '^!|^[^/#]+/.' .gitignore >&2 &&
		mkdir -p "$1" &&
		sed -E '/^(#|$)/d; s,^/,./,; s,/$,,' .gitignore |
		tar -cf - --exclude=./.git --no-wildcards-match-slash \
			--exclude-from=- ./[!.]* ./.[!.]* |
			"${@:2}" tar -xf - -C "$1" --no-same-owner --no-overwrite-dir
}
