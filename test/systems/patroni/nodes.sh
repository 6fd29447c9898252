# shellcheck shell=bash
# nodes.sh
#	A cluster under Patroni: two nodes and etcd, in folders of $scratch.
#
# Sourced after test/lib/server.sh, in a network of its own, where nobody else can get at
# what listens; who sources it calls nodes_stop before server_clean.

nodes=(east west)
# A failover takes as long as the leader key lives (Patroni allows no less), and
# all else takes less
ttl_s=20
seconds_max=90
declare -A address=([east]=127.0.0.2 [west]=127.0.0.3)
declare -A daemon=()

# Patroni first, as it would start its server again
nodes_stop()
{
	if [ ${#daemon[@]} != 0 ]; then
		kill -KILL "${daemon[@]}" 2>/dev/null || true
	fi
	for server in "${nodes[@]/#/$scratch/}"; do
		server_stop || true
	done
}

# start_daemon NAME COMMAND...: in the folder of that name; its log is beside that
start_daemon()
{
	local name=$1
	shift

	(cd "$scratch/$name" && exec "${as_server_user[@]}" "$@") \
		>>"$scratch/$name.log" 2>&1 </dev/null &
	daemon[$name]=$!
	# Or the shell would tell that it was killed
	disown "${daemon[$name]}"
}

start_etcd()
{
	server_folder etcd
	start_daemon etcd etcd --data-dir data
	until_true etcdctl endpoint health
}

# configure NODE FILE: with what is read, beside the other files of its
# configuration
configure()
{
	(cd "$scratch/$1" && "${as_server_user[@]}" mkdir -p config &&
		"${as_server_user[@]}" tee "config/$2" >/dev/null)
}

# create_node NODE: Patroni reads all files of a folder, so that what one node has
# of its own can be put beside this one
create_node()
{
	server_folder "$1" && configure "$1" node.yml <<-END
		scope: sno
		name: $1
		etcd3:
		  host: 127.0.0.1:2379
		restapi:
		  listen: ${address[$1]}:8008
		bootstrap:
		  dcs:
		    ttl: $ttl_s
		    loop_wait: 1
		    retry_timeout: 5
		    # However much a failover loses
		    maximum_lag_on_failover: 1073741824
		    postgresql:
		      use_pg_rewind: true
		  initdb:
		  - encoding: UTF8
		  - no-locale
		  - no-sync
		postgresql:
		  listen: ${address[$1]}:5432
		  bin_dir: $bindir
		  data_dir: $scratch/$1/data
		  pgpass: $scratch/$1/pgpass
		  basebackup:
		  - checkpoint: fast
		  - no-sync
		  parameters:
		    unix_socket_directories: $scratch/$1
		    # The operating system lives on
		    fsync: off
		  authentication:
		    superuser:
		      username: postgres
		    replication:
		      username: postgres
		  pg_hba:
		  - local all all trust
		  - host all,replication postgres 127.0.0.0/8 trust
	END
}

start_node()
{
	start_daemon "$1" patroni config
}

ctl()
{
	(cd "$scratch/east" && "${as_server_user[@]}" patronictl -c config "$@")
}

# connect NODE...: psql on whichever of them is the primary, or on the only one
connect()
{
	local hosts target=read-write

	printf -v hosts ",$scratch/%s" "$@"
	[ $# != 1 ] || target=any
	"$bindir/psql" -X -A -t -q -v ON_ERROR_STOP=1 -v VERBOSITY=sqlstate \
		"host=${hosts#,} port=5432 user=postgres dbname=postgres
		target_session_attrs=$target options='-c statement_timeout=60s'"
}

# ask NODE STATEMENT: of an error it says no more than the SQLSTATE
ask()
{
	connect "$1" <<<"$2;"
}

# is ANSWER NODE STATEMENT
is()
{
	local answer

	answer=$(ask "$2" "$3") || return
	if [ "$answer" != "$1" ]; then
		echo "$2: \"$answer\", not \"$1\": $3"
		return 1
	fi
}

# until_true COMMAND...: says what the command said at last, if that was in vain.
# The limit is for what waits for nothing but other processes: while a node runs
# pg_rewind, which syncs all its files, the time does not count.
until_true()
{
	local end=$((SECONDS + seconds_max)) said

	until said=$("$@" 2>&1); do
		if [ $SECONDS -ge $end ]; then
			printf 'not within %d s: %s\n%s\n' $seconds_max "$*" "$said"
			return 1
		fi
		if pgrep -f "pg_rewind .*$scratch/" >/dev/null; then
			end=$((SECONDS + seconds_max))
		fi
		# Before it asks again
		sleep 0.1
	done
}

# patroni_says NODE CHECK: whether a health check of Patroni's succeeds
patroni_says()
{
	curl -fsSI -m 5 --noproxy '*' "http://${address[$1]}:8008/$2"
}

# is_primary NODE: Patroni says so before the promotion is through
is_primary()
{
	patroni_says "$1" primary && is f "$1" "SELECT pg_is_in_recovery()"
}

# follows STANDBY PRIMARY: streams, and has replayed all that there is by now
follows()
{
	local end

	patroni_says "$1" replica &&
		is 1 "$2" "SELECT count(*) FROM pg_stat_replication
			WHERE application_name = '$1' AND state = 'streaming'" &&
		end=$(ask "$2" "SELECT pg_current_wal_flush_lsn()") &&
		until_true is t "$1" "SELECT pg_last_wal_replay_lsn() >= '$end'"
}

# has_settings NODE NAME=VALUE...
has_settings()
{
	local setting

	[ $# -gt 1 ] || return
	for setting in "${@:2}"; do
		is "${setting#*=}" "$1" "SHOW ${setting%%=*}" || return
	done
}

# restart_nodes SETTING: for what has changed, which is known by this setting; the
# standby first
restart_nodes()
{
	local node

	for node in "${nodes[@]}"; do
		until_true is t "$node" "SELECT pending_restart FROM pg_settings
			WHERE name = '$1'" || return
	done
	ctl restart sno --role replica --force && ctl restart sno --role leader --force
}

# send SIGNAL PROCESS...: to processes of the servers' user
send()
{
	# shellcheck disable=SC2016
	"${as_server_user[@]}" sh -c 'kill -s "$@"' sh "$@"
}

# kill_node NODE PROCESS...: Patroni, the postmaster, and these processes of it
kill_node()
{
	local postmaster

	postmaster=$("${as_server_user[@]}" head -n 1 "$scratch/$1/data/postmaster.pid")
	send KILL "${daemon[$1]}" "$postmaster" "${@:2}"
	unset "daemon[$1]"
}
