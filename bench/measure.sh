# shellcheck shell=bash
# measure.sh
#	What the measuring scripts share.  Sourced after test/server.sh, with the
#	number of rows in $rows.

# What was measured on
machine()
{
	echo "PostgreSQL $("$PG_CONFIG" --version | cut -d' ' -f2), $(nproc) CPUs, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"
}

# Milliseconds of a query
time_of()
{
	psql -XAtq -v ON_ERROR_STOP=1 -c '\timing on' -c "$1" |
		sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p'
}

# The median of numbers, one a line
median()
{
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# A query that evaluates an expression ten times a row
ten_calls()
{
	local columns
	columns=$(printf "$1,%.0s" 1 2 3 4 5 6 7 8 9 10)
	echo "SELECT count(*) FROM (SELECT ${columns%,} FROM generate_series(1, $rows) OFFSET 0) s"
}
