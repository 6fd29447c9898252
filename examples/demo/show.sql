-- What the table of the demonstration holds after the load
\pset footer off
\pset pager off
\set QUIET on
VACUUM ANALYZE event;

\echo
\echo ==> Every row has an id of its own
SELECT count(*) AS rows, count(DISTINCT id) AS distinct_ids,
       pg_size_pretty(pg_relation_size('event_pkey')) AS primary_key
FROM event;

\echo ==> Ids taken apart
SELECT text, timestamp, tick_tock, meta, partition, sequence
FROM (SELECT * FROM event ORDER BY id DESC LIMIT 5) e, sno_inspect(e.id);

-- One second out of the middle of the load
SELECT middle AS since, middle + interval '1 second' AS until
FROM (SELECT sno_timestamp(min(id)) + (sno_timestamp(max(id)) - sno_timestamp(min(id))) / 2 AS middle
      FROM event) load \gset

\echo ==> Time is in the primary key: the events of one second, and how they are found
\echo
\echo '    WHERE id >= timestamptz ''':since''''
\echo '      AND id <  timestamptz ''':until''''
\echo
SELECT kind, count(*), min(sno_timestamp(id)) AS first, max(sno_timestamp(id)) AS last
FROM event
WHERE id >= timestamptz :'since' AND id < timestamptz :'until'
GROUP BY kind ORDER BY kind;

EXPLAIN (ANALYZE)
SELECT count(*) FROM event
WHERE id >= timestamptz :'since' AND id < timestamptz :'until';

\echo ==> It has a byte for your own use: here the kind of event
SELECT sno_meta(id) AS metabyte, min(kind) AS kind, count(*)
FROM event GROUP BY 1 ORDER BY 1;

\echo ==> The same id as a uuid, and back
SELECT id, id::uuid AS uuid, id::uuid::sno = id AS same
FROM event ORDER BY id LIMIT 3;

\echo ==> The generator
\x on
SELECT * FROM sno_stat();
