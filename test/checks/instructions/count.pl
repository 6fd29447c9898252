#!/usr/bin/env bash
# instructions
#	Counts the instructions of the hot paths beside what was stored: a change
#	that doubles the work of one is seen, and nothing is timed.
#
# Usage: [PG_CONFIG=...] test/checks/instructions/run [--store]
#
# Expects sno, built by gcc, to be installed in the server of PG_CONFIG.  Prints
# TAP, a count a line; one above its bound fails.  --store makes what is counted
# the baseline in test/checks/instructions/counts.tsv, for this architecture and version of gcc.
#
# Why instructions: a time needs a quiet machine and many rounds to tell a tenth;
# a count is the same on a busy one, and on every run.  It does not know which
# instructions wait, so the dear ones are counted by themselves: readings of the
# clock, and locked instructions.
#
# What: a backend in single-user mode runs under callgrind, each statement twice,
# and the second run counts, so that the cost of first calls does not.  A
# function's count is all that happens from its call to its return, palloc and
# what else it calls included; the codecs are also counted alone.
#
# Ids are made in statements of many rows, by a clock of ours
# (test/checks/instructions/clock.c): from leases that double up to sno.lease_limit, nearly
# all in one tick.  A statement of one row is a call with a claim of its own; a
# claim is counted beside.
#
# What comes out depends on the compiler, twice as much for some functions, and
# a little on the server.  A version of gcc without a baseline is held to the
# highest one of the architecture.  What is far below the baseline is only
# remarked upon: store it, so that it is not lost unseen.
set -eu -o pipefail

export PG_CONFIG=${PG_CONFIG:-pg_config} LC_ALL=C
cd "$(dirname "$0")/../../.."

# How many times the baseline a count may be.  Well below 2, because part of a
# function's work is the server's: palloc alone is two fifths of sno_generate.
bound=1.3
stored=test/checks/instructions/counts.tsv
rows=10000
array_ids=100000

case $* in
	'' | --store) ;;
	*)
		echo "usage: $0 [--store]" >&2
		exit 2
		;;
esac

if [[ $("$PG_CONFIG" --configure) == *enable-cassert* ]]; then
	echo "ok 1 - counts # SKIP the server spends its instructions on assertions"
	echo "1..1"
	exit
fi

architecture=$(uname -m)
compiler=$(gcc -dumpversion)
compiler="gcc ${compiler%%.*}"

# shellcheck source=test/lib/server.sh
. test/lib/server.sh

server_start instructions "shared_preload_libraries = 'sno'" \
	"sno.partition_count = 8" "fsync = off" "jit = off" \
	"max_parallel_workers_per_gather = 0"
folder=$server

# Ids of as many times, and few ids in no order, of which a sort compares most in
# full, as their abbreviations are equal.  The partitions have doubled since they
# were analyzed.
"$bindir/psql" -Xq -v ON_ERROR_STOP=1 <<-SQL
	CREATE EXTENSION sno;
	CREATE TABLE event AS
		SELECT id, lag(id, 1, id) OVER (ORDER BY id) AS previous, id::text AS text, sno_timestamp(id) AS at
		FROM generate_series(1, $rows) i,
			sno_make(timestamptz '2026-01-01 00:00+00' + i * interval '1 s', i % 256, i, i) id;
	CREATE TABLE few AS
		SELECT sno_make(timestamptz '2026-01-01 00:00+00', sequence => i * 37 % 101) AS id
		FROM generate_series(1, $rows) i;
	CREATE TABLE received (id sno);
	COPY event (id) TO '$folder/event' (FORMAT binary);
	CREATE TABLE parted (id sno PRIMARY KEY) PARTITION BY RANGE (id);
	SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (%L) TO (%L)',
			n, sno_lower_bound(at), sno_lower_bound(at + interval '1000 s'))
		FROM generate_series(0, $rows / 1000) n,
			LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * interval '1000 s' AS at) s \gexec
	INSERT INTO parted SELECT id FROM event WHERE sno_sequence(id) % 1000 < 500;
	VACUUM ANALYZE;
	INSERT INTO parted SELECT id FROM event WHERE sno_sequence(id) % 1000 >= 500;
	CHECKPOINT;
SQL
server_stop

gcc -std=gnu11 -O2 -fPIC -shared -Wall -Wextra -Werror test/checks/instructions/clock.c \
	-o "$scratch/clock.so"
chmod a+r "$scratch/clock.so"

# backend TOOL [OPTION ...]: runs statements, one a line, in single-user mode
# under a tool of valgrind.  An error in one of them is a failure.
backend()
(
	tool=$1
	shift
	cd "$folder"
	if ! "${as_server_user[@]}" env LD_PRELOAD="$scratch/clock.so" \
		valgrind -q --tool="$tool" "$@" \
		"$bindir/postgres" --single -D data postgres 2>"$scratch/log" ||
		grep -qE '(ERROR|FATAL|PANIC): ' "$scratch/log"; then
		cat "$scratch/log" >&2
		exit 1
	fi
)

# Callgrind writes what it has before a call of this, and starts from zero
marker=sno_stat_reset
parts=0

# part STATEMENT: what the counts that follow are taken in
part()
{
	parts=$((parts + 1))
	printf '%s\n' "$1" "SELECT $marker()" "$1" "SELECT $marker()" \
		>>"$scratch/statements"
}

# count NAME EVENT FUNCTION PER: the calls, instructions or locks of a function,
# for each call of another one, or for each of so many ids
count()
{
	printf '%s\t%s\t%s\t%s\t%s\n' $parts "$@" >>"$scratch/counts"
}

# part_of FUNCTION STATEMENT: and the function's instructions a call
part_of()
{
	part "$2"
	count "$1: instructions" instructions "$1" "$1"
}

# each EXPRESSION SOURCE: a statement that evaluates it for each row
each()
{
	echo "SELECT count(x) FROM (SELECT $1 AS x FROM $2 OFFSET 0) s"
}

part_of sno_generate "$(each "sno_generate(0)" "generate_series(1, $rows)")"
count "sno_generate: readings of the clock" calls clock_gettime sno_generate
count "sno_generate: locked instructions" locks sno_generate sno_generate
count "sno_generate: claims" calls sno_claim sno_generate
count "claim: instructions" instructions sno_claim sno_claim
# Optimized as a whole, as by Ubuntu's flags, the claim has the step in itself
if [[ $("$PG_CONFIG" --cflags) != *-flto* ]]; then
	count "claim: instructions of the step" instructions sno_step_claim \
		sno_claim
fi
count "claim: locked instructions" locks sno_claim sno_claim

part_of sno_generate_many \
	"SELECT count(*) FROM (SELECT sno_generate_many($rows) OFFSET 0) s"
count "sno_generate_many: claims" calls sno_claim sno_generate_many

part "SELECT cardinality(sno_generate_array($array_ids))"
count "sno_generate_array, an id: instructions" instructions sno_generate_array \
	$array_ids
count "sno_generate_array, an id: claims" calls sno_claim $array_ids
count "sno_generate_array, an id: readings of the clock" calls clock_gettime \
	$array_ids

# Valgrind's processor has no AVX-512, and that codec no count
codecs=$(backend none <<<"SELECT unnest(enumvals) FROM pg_settings WHERE name = 'sno.codec'" |
	sed -nE 's/.* unnest = "(\w+)".*/\1/p' | grep -v auto)
for codec in $codecs; do
	echo "SET sno.codec = $codec" >>"$scratch/statements"
	part "$(each "id::text" event)"
	count "sno_out, $codec: instructions" instructions sno_out sno_out
	count "sno_out, $codec: instructions of the codec" instructions "${codec}_encode" sno_out
	part "$(each "text::sno" event)"
	count "sno_in, $codec: instructions" instructions sno_in sno_in
	count "sno_in, $codec: instructions of the codec" instructions \
		"(sno_codec_)?${codec}_decode" sno_in
done
part_of sno_send "COPY event (id) TO '/dev/null' (FORMAT binary)"
part_of sno_recv "COPY received FROM '$folder/event' (FORMAT binary)"

for function in sno_lt sno_eq sno_cmp; do
	part_of $function "$(each "$function(id, previous)" event)"
done
part_of sno_ge_timestamptz "$(each "sno_ge_timestamptz(id, at)" event)"
part_of sno_hash "$(each "sno_hash(id)" event)"

part "SELECT id FROM few ORDER BY id OFFSET $rows"
count "sort, an abbreviation: instructions" instructions abbreviate abbreviate
count "sort, a comparison in full: instructions" instructions compare_full \
	compare_full

# A bound of many partitions lies outside of most, the bounds of a question within one
part "EXPLAIN SELECT FROM parted WHERE id >= timestamptz '2025-01-01' AND id < timestamptz '2027-01-01'"
count "sno_ineqsel, bounds outside: instructions" instructions sno_ineqsel sno_ineqsel
part "EXPLAIN SELECT FROM parted_5 WHERE id >= timestamptz '2026-01-01 01:25+00' AND id < timestamptz '2026-01-01 01:30+00'"
count "sno_ineqsel, bounds within: instructions" instructions sno_ineqsel sno_ineqsel

backend callgrind --callgrind-out-file=profile --dump-before=$marker \
	--collect-bus=yes --dump-line=no --compress-strings=no \
	<"$scratch/statements" >"$scratch/answers"

# functions PROFILE: each function's calls, and the instructions and the locks
# of these.  A profile has them with the caller: the name of the function, a line
# with the number of calls, and one with what they cost, all callees included.
functions()
{
	awk '
		sub(/^cfn=/, "") { name = $0 }
		sub(/^calls=/, "") {
			calls[name] += $1
			getline
			instructions[name] += $2
			locks[name] += $3
		}
		END {
			for (name in calls)
				print name, calls[name], instructions[name], locks[name]
		}
	' "$1"
}

# Both runs of a part end with a marker
for ((n = 1; n <= parts; n++)); do
	functions "$folder/profile.$((n * 2))" >"$scratch/functions.$n"
done

# value PART EVENT PATTERN PER: a count, or nothing if there was no such call
value()
{
	awk -v event="$2" -v pattern="^($3)\$" -v per="$4" '
		BEGIN { column["calls"] = 2; column["instructions"] = 3; column["locks"] = 4 }
		$1 ~ pattern { sum += $column[event]; called = 1 }
		$1 == per { calls = $2 }
		END {
			if (per ~ /^[0-9]+$/)
				calls = per
			if (called && calls > 0)
				printf "%.4g\n", sum / calls
		}
	' "$scratch/functions.$1"
}

while IFS=$'\t' read -r n name event function per; do
	printf '%s\t%s\t%s\t%s\n' "$architecture" "$compiler" "$name" \
		"$(value "$n" "$event" "$function" "$per")"
done <"$scratch/counts" >"$scratch/counted"

if [ "$*" = --store ]; then
	{
		[ ! -e "$stored" ] || awk -F'\t' -v architecture="$architecture" \
			-v compiler="$compiler" '$1 != architecture || $2 != compiler' "$stored"
		cat "$scratch/counted"
	} | sort -s -t $'\t' -k 1,2 >"$scratch/stored"
	cp "$scratch/stored" "$stored"
fi

# verdicts STORED COUNTED: the TAP
verdicts()
{
	awk -F'\t' -v bound=$bound -v stored="$1" '
		FILENAME == stored {
			known[$1] = 1
			ours[$1, $2, $3] = $4
			if (!(($1, $3) in highest) || $4 > highest[$1, $3])
				highest[$1, $3] = $4
			next
		}
		{
			own = ($1, $2, $3) in ours
			baseline = own ? ours[$1, $2, $3] : highest[$1, $3]
			text = $3 " " $4
			remark = ""
			good = 0
			if ($4 == "")
				text = text "never called"
			else if (!known[$1]) {
				good = 1
				text = text " # SKIP no baseline for " $1
			}
			else if (baseline == "")
				text = text ", which has no baseline: store it"
			else {
				good = $4 <= baseline * bound
				text = sprintf("%s, baseline %s%s, at most %.4g", text, baseline, own ? "" : " (of another gcc)", baseline * bound)
				if (own && $4 < baseline / bound)
					remark = "# far below the baseline: store it"
			}
			print (good ? "ok " : "not ok ") FNR " - " text
			if (remark)
				print remark
			failed += !good
		}
		END {
			print "1.." FNR
			exit failed > 0
		}
	' "$1" "$2"
}
verdicts "$stored" "$scratch/counted"
