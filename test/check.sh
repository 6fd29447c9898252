# shellcheck shell=bash
# check.sh
#	For tests that are commands: prints TAP, and what a command that failed said.
#
# Sourced.  CHECK_COUNT tests have run before these, elsewhere.

check_count=${CHECK_COUNT:-0}
check_failed=0

# check PROPERTY COMMAND...: a test that passes if the command succeeds.  If that
# is a function, it has to join its commands with &&: set -e is off in there.
check()
{
	local property=$1 result=ok said
	shift

	check_count=$((check_count + 1))
	said=$("$@" 2>&1 </dev/null) || {
		result="not ok"
		check_failed=$((check_failed + 1))
	}
	echo "$result $check_count - $property"
	if [ "$result" != ok ]; then
		tail -n 40 <<<"$said" | sed 's/^/# /'
	fi
}

# The last thing to run: the plan, and whether all passed
check_done()
{
	echo "1..$check_count"
	[ "$check_failed" = 0 ]
}
