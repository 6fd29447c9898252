# shellcheck shell=bash
# check.sh
#	For tests that are commands: prints TAP, and what a command that failed said.
#
# Sourced.

check_count=0
check_failed=0

# report STATUS PROPERTY: a test that passed if the status is 0
report()
{
	local result=ok

	check_count=$((check_count + 1))
	if [ "$1" != 0 ]; then
		result="not ok"
		check_failed=$((check_failed + 1))
	fi
	echo "$result $check_count - $2"
}

# check PROPERTY COMMAND...: a test that passes if the command succeeds.  If that
# is a function, it has to join its commands with &&: set -e is off in there.
check()
{
	local property=$1 said status=0
	shift

	said=$("$@" 2>&1 </dev/null) || status=$?
	report "$status" "$property"
	if [ "$status" != 0 ]; then
		tail -n 40 <<<"$said" | sed 's/^/# /'
	fi
}

# The last thing to run: the plan, and whether all passed
check_done()
{
	echo "1..$check_count"
	[ "$check_failed" = 0 ]
}
