#!/usr/bin/env bash
# repack.sh
#	pg_repack, as a superuser, rewrites a table whose rows are inserted, updated and
#	deleted by their ids meanwhile: none is lost, and the index on the ids is right.
set -eu -o pipefail

# shellcheck source=test/lib/check.sh
. test/lib/check.sh
bindir=$("$PG_CONFIG" --bindir)
psql=("$bindir/psql" -XAtq -v ON_ERROR_STOP=1)

"${psql[@]}" -U postgres -c 'DROP EXTENSION IF EXISTS pg_repack, amcheck' -c 'CREATE EXTENSION pg_repack; CREATE EXTENSION amcheck SCHEMA pg_catalog'
"${psql[@]}" -c "INSERT INTO event (payload) SELECT n FROM generate_series(1, 50000) AS n" \
	-c "CREATE TABLE written AS SELECT id FROM event WITH NO DATA"
cat >"${scratch:?}/repack.sql" <<'EOF_SQL'
BEGIN;
WITH made AS (INSERT INTO event (payload) VALUES ('new') RETURNING id) INSERT INTO written SELECT id FROM made;
UPDATE event SET payload = 'changed' WHERE id = (SELECT min(id) FROM event WHERE payload <> 'changed');
DELETE FROM event WHERE id = (SELECT min(id) FROM event WHERE payload = 'changed');
COMMIT;
EOF_SQL

# written_more: waits until 20 more transactions have committed
written_more()
{
	local goal=$(($("${psql[@]}" -c 'SELECT count(*) FROM written') + 20))
	until [ "$("${psql[@]}" -c "SELECT count(*) >= $goal FROM written")" = t ]; do
		kill -0 $writers
	done
}
is_another_file() { [ "$("${psql[@]}" -c "SELECT pg_relation_filenode('event')")" != "$file" ]; }
is_whole()
{
	"${psql[@]}" -U postgres -c "SELECT bt_index_check('event_pkey', true)" &&
		[ "$("${psql[@]}" -c 'SELECT count(*) FROM written JOIN event USING (id)')" = "$("${psql[@]}" -c 'SELECT count(*) FROM written')" ]
}

file=$("${psql[@]}" -c "SELECT pg_relation_filenode('event')")
"$bindir/pgbench" -n -c 2 -T 300 -f "$scratch/repack.sql" >"$scratch/repack.log" 2>&1 &
writers=$!
trap 'kill $writers 2>/dev/null || true' EXIT
written_more
check 'pg_repack succeeds' "$bindir/pg_repack" -U postgres -d "$PGDATABASE" -t public.event
check 'the table has another file' is_another_file
check 'writers go on' written_more
kill $writers
wait $writers || true
check 'all rows that were written are there, and the index has each' is_whole
check_done
