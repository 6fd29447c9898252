# shellcheck shell=bash
# check.sh
#	For tests that are commands: prints TAP, and what a command that failed said.
#
# Sourced.  CHECK_COUNT tests have run before these, elsewhere.

check_count=${CHECK_COUNT:-0}
check_failed=0

# report STATUS PROPERTY [LOG]: a test that passed if the status is 0; what is
# shown of the log of one that failed is its beginning
report()
{
	local result=ok

	check_count=$((check_count + 1))
	if [ "$1" != 0 ]; then
		result="not ok"
		check_failed=$((check_failed + 1))
	fi
	echo "$result $check_count - $2"
	if [ "$1" != 0 ] && [ -n "${3:-}" ]; then
		head -n 60 "$3" | sed 's/^/# /'
	fi
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

# check_tap NAME COMMAND...: the tests of a command that prints TAP of its own, as
# some of ours; and one more, that they are all: it fails if there is none, if a
# plan says another number, or if the command fails without a failed test.  What
# else it prints are comments, as prove for instance ends with an "ok" that is
# not a test.
check_tap()
{
	local name=$1 before=$check_count failed=$check_failed status=0 line plan=
	local test='^(not )?ok +([0-9]+|-)( +[-+])? *(.*)$'
	shift

	while IFS= read -r line; do
		if [[ $line =~ $test ]]; then
			report "${#BASH_REMATCH[1]}" "${BASH_REMATCH[4]}"
		elif [[ $line =~ ^1\.\.([0-9]+) ]]; then
			plan=${BASH_REMATCH[1]}
		else
			echo "# ${line#\# }"
		fi
	done < <("$@" 2>&1 </dev/null)
	wait $! || status=$?
	if [ "$check_failed" != "$failed" ]; then
		status=0
	fi
	if [ "$check_count" = "$before" ] ||
		[ "${plan:-$((check_count - before))}" != $((check_count - before)) ]; then
		status=1
	fi
	report "$status" "$name: all of it ran"
}

# The last thing to run: the plan, and whether all passed
check_done()
{
	echo "1..$check_count"
	[ "$check_failed" = 0 ]
}
