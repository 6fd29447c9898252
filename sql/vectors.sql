\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Golden vectors: ids made by an independent implementation, in every form
\set vectors :abs_srcdir /test/unit/vectors.tsv

CREATE TEMP TABLE vector (
	text text, hex text, at timestamp, unix_us bigint,
	tick_tock integer, meta integer, partition integer, sequence integer
);
\set copy '\\copy vector FROM ' :'vectors'
\set ECHO all
:copy

SELECT count(*) AS vectors FROM vector;

-- Vectors that come out different
\x on
SELECT
	count(*) FILTER (WHERE text::sno::text IS DISTINCT FROM text) AS text,
	count(*) FILTER (WHERE decode(hex, 'hex')::sno::text IS DISTINCT FROM text) AS from_bytea,
	count(*) FILTER (WHERE encode(text::sno::bytea, 'hex') IS DISTINCT FROM hex) AS to_bytea,
	count(*) FILTER (WHERE encode(sno_send(text::sno), 'hex') IS DISTINCT FROM hex) AS binary,
	count(*) FILTER (WHERE ('\x' || hex)::sno::text IS DISTINCT FROM text) AS hexadecimal,
	count(*) FILTER (WHERE ('\x' || upper(hex))::sno::text IS DISTINCT FROM text) AS upper_case,
	count(*) FILTER (WHERE encode(convert_to(text, 'UTF8'), 'hex')::uuid::sno::text IS DISTINCT FROM text) AS from_uuid,
	count(*) FILTER (WHERE convert_from(uuid_send(text::sno::uuid), 'UTF8') IS DISTINCT FROM text) AS to_uuid,
	count(*) FILTER (WHERE sno_timestamp(text::sno) IS DISTINCT FROM at AT TIME ZONE 'UTC') AS at,
	count(*) FILTER (WHERE text::sno::timestamptz IS DISTINCT FROM at AT TIME ZONE 'UTC') AS cast_at,
	count(*) FILTER (WHERE extract(epoch FROM sno_timestamp(text::sno)) * 1000000 IS DISTINCT FROM unix_us) AS unix_us,
	count(*) FILTER (WHERE sno_tick_tock(text::sno) IS DISTINCT FROM (tick_tock = 1)) AS tick_tock,
	count(*) FILTER (WHERE sno_meta(text::sno) IS DISTINCT FROM meta) AS meta,
	count(*) FILTER (WHERE sno_partition(text::sno) IS DISTINCT FROM partition) AS partition,
	count(*) FILTER (WHERE sno_sequence(text::sno) IS DISTINCT FROM sequence) AS sequence,
	count(*) FILTER (WHERE sno_make(at AT TIME ZONE 'UTC', meta, partition, sequence, tick_tock = 1)::text
		IS DISTINCT FROM text) AS make
FROM vector;
\x off
SELECT count(*) AS inspected_differently FROM vector v, sno_inspect(v.text::sno) i
WHERE (i.timestamp, i.tick_tock, i.meta, i.partition, i.sequence, i.text, encode(i.bytes, 'hex'))
	IS DISTINCT FROM
	(at AT TIME ZONE 'UTC', v.tick_tock = 1, v.meta, v.partition, v.sequence, v.text, hex);

-- The order of the ids is the order of their texts and of their bytes
SELECT count(*) AS pairs,
       count(*) FILTER (WHERE (a.text::sno < b.text::sno) <> (a.text < b.text COLLATE "C")) AS not_as_text,
       count(*) FILTER (WHERE (a.text::sno < b.text::sno) <> (a.hex < b.hex COLLATE "C")) AS not_as_bytes,
       count(*) FILTER (WHERE (a.text::sno = b.text::sno) <> (a.text = b.text)) AS not_equal
FROM vector a, vector b;
