-- The order of ids is that of their bytes, their texts, their uuids and their
-- times; equal ones hash alike.
\ir begin.psql

SELECT plan(21);

-- Pairs: strangers, near ones that differ in a single bit, neighbours in the
-- order, and equal ones
CREATE TEMP TABLE pair AS
	SELECT a.bytes AS a_bytes, a.id AS a, b.bytes AS b_bytes, b.bytes::sno AS b
	FROM sample a, LATERAL (
		SELECT bytes FROM sample b WHERE b.n = 20001 - a.n
		UNION ALL
		SELECT set_bit(a.bytes, bit, 1 - get_bit(a.bytes, bit))
		FROM (VALUES (pg_temp.noise('bit', a.n, 16) % 80)) v (bit)
		UNION ALL
		SELECT pg_temp.layout(a.ticks, a.tick_tock, a.meta, a.partition, (a.sequence + 1) % 65536)
		UNION ALL
		SELECT a.bytes) b;

SELECT cmp_ok((SELECT count(*) FROM pair), '=', 80000::bigint, '80,000 pairs');
SELECT cmp_ok((SELECT count(*) FROM pair WHERE a_bytes = b_bytes), '>=', 20000::bigint, 'of which some are equal');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a < b) IS DISTINCT FROM (a_bytes < b_bytes)', '< as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a <= b) IS DISTINCT FROM (a_bytes <= b_bytes)', '<= as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a = b) IS DISTINCT FROM (a_bytes = b_bytes)', '= as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a <> b) IS DISTINCT FROM (a_bytes <> b_bytes)', '<> as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a >= b) IS DISTINCT FROM (a_bytes >= b_bytes)', '>= as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a > b) IS DISTINCT FROM (a_bytes > b_bytes)', '> as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE sign(sno_cmp(a, b)) <> sign(byteacmp(a_bytes, b_bytes))', 'sno_cmp: sign as of bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE sign(sno_cmp(a, b)) <> -sign(sno_cmp(b, a))', 'sno_cmp: the other sign the other way round');
SELECT pg_temp.none('SELECT * FROM pair WHERE sno_smaller(a, b)::bytea <> least(a_bytes, b_bytes)', 'smaller as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE sno_larger(a, b)::bytea <> greatest(a_bytes, b_bytes)', 'larger as bytes');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a < b) <> (a::text < b::text COLLATE "C")', 'order of texts');
SELECT pg_temp.none('SELECT * FROM pair WHERE (a < b) <> (a::uuid < b::uuid)', 'order of uuids');
SELECT pg_temp.none('SELECT * FROM pair WHERE a < b AND sno_timestamp(a) > sno_timestamp(b)', 'a later time is a larger id');
SELECT pg_temp.none($$
	SELECT * FROM pair WHERE sno_timestamp(a) < '2044-11-03 19:53:47.776+00' AND sno_timestamp(b) < '2044-11-03 19:53:47.776+00'
		AND sno_partition(a) = sno_partition(b) AND (a < b) <> (sno_to_bigint(a) < sno_to_bigint(b))
	$$, 'order of bigints within a partition');

SELECT pg_temp.none('SELECT * FROM pair WHERE a = b AND sno_hash(a) <> sno_hash(b)', 'equal ids have equal hashes');
SELECT pg_temp.none($$
	SELECT * FROM pair, (VALUES (0), (1), (-9223372036854775808)) s (seed)
	WHERE a = b AND sno_hash_extended(a, seed) <> sno_hash_extended(b, seed)
	$$, 'equal ids have equal extended hashes');
SELECT pg_temp.none('SELECT * FROM pair WHERE a <> b AND sno_hash_extended(a, 0) = sno_hash_extended(b, 0)',
	'different ids have different hashes: every byte counts');
SELECT pg_temp.none('SELECT * FROM sample WHERE sno_hash_extended(id, 0) = sno_hash_extended(id, n)', 'the seed counts');
SELECT pg_temp.none('SELECT * FROM pair WHERE sno_hash(a) <> (sno_hash_extended(a, 0) & 4294967295)::bit(32)::integer',
	'without a seed the extended hash ends in the short one');
SELECT finish();
ROLLBACK;
