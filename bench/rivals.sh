# shellcheck shell=bash
# rivals.sh
#	What an id could be instead: the function that makes one, and the type of a
#	column of them.  Sourced after measure.sh.

declare -A rival_call=(
	["scan"]="0"
	["floor"]="floor_palloc(0)"
	["floor, clock"]="floor_palloc_clock(0)"
	["sno"]="sno_generate(0)"
	["sno, 1 partition"]="sno_generate(0)"
	["bigserial"]="nextval('one')"
	["bigserial, created_at"]="nextval('one')"
	["uuidv4"]="gen_random_uuid()"
	["uuidv7"]="uuidv7()"
	["shard id"]="shard_id()"
)

# The types of those that get a table
# shellcheck disable=SC2034 # for those who source this
declare -A rival_type=(
	["sno"]=sno
	["bigserial"]=bigint
	["bigserial, created_at"]=bigint
	["uuidv4"]=uuid
	["uuidv7"]=uuid
)

# Lets the server that is used make ids of all kinds, and lists those that it
# can make, one a line; the module of the floor is built at first
rivals_create()
{
	if [ ! -e "$scratch/floor" ]; then
		cp -r bench/floor "$scratch/floor"
		make -s -C "$scratch/floor" PG_CONFIG="$PG_CONFIG" >/dev/null
		chmod -R a+rX "$scratch/floor"
	fi
	query_file -v floor="$scratch/floor/floor" -f bench/rivals.sql
}

# rival_columns RIVAL: of its table, up to the one that holds the time of a row
rival_columns()
{
	echo "id ${rival_type[$1]} DEFAULT ${rival_call[$1]}"
	if [ "$1" = "bigserial, created_at" ]; then
		echo ", created_at timestamptz NOT NULL DEFAULT clock_timestamp()"
	fi
}

# rival_index RIVAL TABLE: on the time of a row, if that is a column
rival_index()
{
	if [ "$1" = "bigserial, created_at" ]; then
		query "CREATE INDEX ON $2 (created_at)"
	fi
}

# Starts the servers of those who generate ids: "several" with eight partitions, and
# "default", in which nothing is set.  Fills $rivals.
rivals_start()
{
	bench_server default
	bench_server several "sno.partition_count = 8"
	mapfile -t rivals < <(rivals_create)
	rivals+=("sno, 1 partition")
}

# rival_use RIVAL: uses the server for it, sets $call
rival_use()
{
	case $1 in
		"sno, 1 partition") server_use default ;;
		*) server_use several ;;
	esac
	# For whoever asked
	# shellcheck disable=SC2034
	call=${rival_call[$1]}
}
