#!/usr/bin/env bash
# repack.sh
#	pg_repack, as a superuser, rewrites a table whose rows are inserted, updated and
#	deleted by their ids meanwhile: none is lost, and the index on the ids is right.
set -eu -o pipefail

bindir=$("$PG_CONFIG" --bindir)
psql=("$bindir/psql" -XAtq -v ON_ERROR_STOP=1)

"${psql[@]}" -U postgres -c 'CREATE EXTENSION pg_repack; CREATE EXTENSION amcheck SCHEMA pg_catalog'
"${psql[@]}" -c "INSERT INTO event (payload) SELECT n FROM generate_series(1, 50000) AS n" \
	-c "CREATE TABLE written AS SELECT id FROM event WITH NO DATA"
cat >"${scratch:?}/repack.sql" <<'EOF_SQL'
BEGIN;
WITH made AS (INSERT INTO event (payload) VALUES ('new') RETURNING id) INSERT INTO written SELECT id FROM made;
UPDATE event SET payload = 'changed' WHERE id = (SELECT min(id) FROM event WHERE payload <> 'changed');
DELETE FROM event WHERE id = (SELECT min(id) FROM event WHERE payload = 'changed');
COMMIT;
EOF_SQL

# is_true CONDITION: said to be a test
is_true()
{
	[ "$("${psql[@]}" -U postgres -c "SELECT $1")" = t ]
	echo "ok - $1"
}

# wait_for_rows: until the writers have committed 20 more
wait_for_rows()
{
	local goal
	goal=$("${psql[@]}" -c 'SELECT count(*) + 20 FROM written')
	until [ "$("${psql[@]}" -c "SELECT count(*) >= $goal FROM written")" = t ]; do kill -0 $writers; done
}

file=$("${psql[@]}" -c "SELECT pg_relation_filenode('event')")
"$bindir/pgbench" -n -c 2 -T 300 -f "$scratch/repack.sql" >"$scratch/repack.log" 2>&1 &
writers=$!
trap 'kill $writers 2>/dev/null || true' EXIT
wait_for_rows
"$bindir/pg_repack" -U postgres -d "$PGDATABASE" -t public.event
wait_for_rows
echo "ok - writers go on"
kill $writers
wait $writers || true
is_true "pg_relation_filenode('event') <> $file"
is_true "bt_index_check('event_pkey', true) IS NOT NULL"
is_true "count(*) > 20 AND count(*) = (SELECT count(*) FROM written) FROM written JOIN event USING (id)"
