# shellcheck shell=bash
# measure.sh
#	What the questions share: how a server is set up, how a figure is taken and
#	how it is printed.
#
# Sourced in the root of the checkout.  Sources test/lib/server.sh; needs sno to be
# installed in the server of PG_CONFIG.
#
# A question prints rows of tab-separated round, case, rival, measure and value.
# In each round every rival has its turn, in a new order each time, so that what
# changes on the machine in the meantime falls on all of them: ratios are to be
# taken within a round.

rounds=${ROUNDS:-5}
# With QUICK=1 tables have a tenth of their rows
part=${QUICK:+10}
part=${part:-1}
export PG_CONFIG=${PG_CONFIG:-pg_config} LC_ALL=C

# shellcheck source=test/lib/server.sh
. test/lib/server.sh
PATH=$bindir:$PATH

# Settings of every server: no other process, no checkpoint and no plan made of
# chance gets into a figure; what is committed is on disk a moment later
settings=("shared_preload_libraries = 'sno'" "shared_buffers = 2GB"
	"work_mem = 1GB" "maintenance_work_mem = 1GB" "max_wal_size = 12GB"
	"checkpoint_timeout = 1h" "autovacuum = off" "jit = off"
	"max_parallel_workers_per_gather = 0" "max_parallel_maintenance_workers = 0"
	"synchronous_commit = off" "timezone = UTC")

# The major version of the server
server_major()
{
	"$PG_CONFIG" --version | sed -E 's/^PostgreSQL ([0-9]+).*/\1/'
}

# bench_server NAME [SETTING ...]
bench_server()
{
	local name=$1
	shift
	server_start "$name" "${settings[@]}" "$@"
	query "CREATE EXTENSION sno"
}

# What a script returns, without the notices: query_file OPTION ... of psql
query_file()
{
	PGOPTIONS="-c client_min_messages=warning" \
		psql -XAtq -F $'\t' -v ON_ERROR_STOP=1 "$@"
}

# What a statement returns
query()
{
	query_file -c "$1"
}

# Does the server that is used have uuids of version 7 (18 and later)?
has_uuidv7()
{
	[ "$(query "SELECT to_regprocedure('uuidv7()') IS NOT NULL")" = t ]
}

# Milliseconds of each of the statements, in one session; nothing if one fails,
# though psql says how long that took, too
times_of()
{
	local options=() statement output
	for statement; do
		options+=(-c "$statement")
	done
	output=$(psql -XAtq -v ON_ERROR_STOP=1 -c '\timing on' "${options[@]}") || return
	sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' <<<"$output"
}

# Milliseconds of the last of the statements
time_of()
{
	times_of "$@" | tail -n 1
}

# best_time_of COUNT STATEMENT: milliseconds of the fastest of COUNT
best_time_of()
{
	local statements
	mapfile -t statements < <(yes "$2" | head -n "$1")
	times_of "${statements[@]}" | sort -n | head -n 1
}

# A query that evaluates an expression ten times for each of a number of rows
ten_calls()
{
	local columns
	columns=$(printf "$1,%.0s" 1 2 3 4 5 6 7 8 9 10)
	echo "SELECT count(*) FROM (SELECT ${columns%,} FROM generate_series(1, $2) OFFSET 0) s"
}

# calculate EXPRESSION: of awk
calculate()
{
	awk "BEGIN { printf \"%.6g\", $1 }"
}

# pgbench_run SECONDS CLIENTS SCRIPT [OPTION ...]: its report
pgbench_run()
{
	local seconds=$1 clients=$2 script=$3
	shift 3
	pgbench -n -M prepared -T "$seconds" -c "$clients" \
		-j "$((clients < $(nproc) ? clients : $(nproc)))" -f "$script" "$@" 2>"$scratch/pgbench.log" || {
		cat "$scratch/pgbench.log" >&2
		return 1
	}
}
transactions_a_second()
{
	awk '/^tps/ { print $3 }'
}

head_line()
{
	printf 'round\tcase\trival\tmeasure\tvalue\n'
}

# row CASE RIVAL MEASURE VALUE: of the round that is on.  The end of the question
# if there is no value, because what it was computed from failed.
row()
{
	if ! [[ $4 =~ ^-?[0-9.]+(e[+-]?[0-9]+)?$ ]]; then
		echo "$(basename "$0"): no value: $1, $2, $3" >&2
		exit 1
	fi
	# The loop over the rounds is that of each question
	# shellcheck disable=SC2154
	printf '%s\t%s\t%s\t%s\t%s\n' "$round" "$@"
}

# counted NUMBER NOUN: 1 client, 8 clients
counted()
{
	echo "$1 $2$([ "$1" = 1 ] || echo s)"
}

# Says how far it is
tell_round()
{
	echo "# $(basename "$0"): round $round of $rounds" >&2
}
