# shellcheck shell=bash
# check.sh
#	For tests that are commands: prints TAP, and what a command that failed said.
#
# Sourced.

check_count=0
check_failed=0

# check PROPERTY COMMAND...: a test that passes if the command succeeds.  If that
# is a function, it has to join its commands with &&: set -e is off in there.
check()
{
	local property=$1 said status=0
	shift

	said=$("$@" 2>&1 </dev/null) || status=$?
	check_count=$((check_count + 1))
	if [ "$status" = 0 ]; then
		echo "ok $check_count - $property"
	else
		check_failed=$((check_failed + 1))
		echo "not ok $check_count - $property"
		tail -n 40 <<<"$said" | sed 's/^/# /'
	fi
}

# The last thing to run: the plan, and whether all passed
check_done()
{
	echo "1..$check_count"
	[ "$check_failed" = 0 ]
}
