\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Order: that of the bytes, unsigned; operators against those of bytea

-- Ids that look random, each with itself and with others that differ in one
-- byte only, by the least, the sign and every bit
CREATE TEMP TABLE pair AS
	SELECT a, b FROM generate_series(1, 100) i, generate_series(1, 100) j,
		pg_temp.nth_sno(i) a, pg_temp.nth_sno(j) b
	UNION ALL
	SELECT a, set_byte(a::bytea, position, get_byte(a::bytea, position) # mask)::sno
	FROM generate_series(1, 200) i, pg_temp.nth_sno(i) a,
		generate_series(0, 9) position, (VALUES (1), (128), (255)) m (mask)
	UNION ALL
	SELECT a, b FROM (VALUES (sno_min()), (sno_max()), ('2222222222222223'), ('ixxxxxxxxxxxxxxx'),
		('i222222222222222'), ('hxxxxxxxxxxxxxxx'), ('2222222222222xxx'), ('2222222222223222')) x (a),
		(VALUES (sno_min()), (sno_max()), ('2222222222222223'), ('ixxxxxxxxxxxxxxx'),
		('i222222222222222'), ('hxxxxxxxxxxxxxxx'), ('2222222222222xxx'), ('2222222222223222')) y (b);

\x on
\set ECHO all
SELECT count(*) AS pairs, count(*) FILTER (WHERE a = b) > 100 AS some_equal,
	count(*) FILTER (WHERE (a < b) IS DISTINCT FROM (a::bytea < b::bytea)) AS lt,
	count(*) FILTER (WHERE (a <= b) IS DISTINCT FROM (a::bytea <= b::bytea)) AS le,
	count(*) FILTER (WHERE (a = b) IS DISTINCT FROM (a::bytea = b::bytea)) AS eq,
	count(*) FILTER (WHERE (a <> b) IS DISTINCT FROM (a::bytea <> b::bytea)) AS ne,
	count(*) FILTER (WHERE (a >= b) IS DISTINCT FROM (a::bytea >= b::bytea)) AS ge,
	count(*) FILTER (WHERE (a > b) IS DISTINCT FROM (a::bytea > b::bytea)) AS gt,
	count(*) FILTER (WHERE sign(sno_cmp(a, b)) IS DISTINCT FROM sign(byteacmp(a::bytea, b::bytea))) AS cmp,
	count(*) FILTER (WHERE sign(sno_cmp(a, b)) IS DISTINCT FROM -sign(sno_cmp(b, a))) AS cmp_back,
	count(*) FILTER (WHERE least(a, b)::bytea IS DISTINCT FROM least(a::bytea, b::bytea)) AS least,
	count(*) FILTER (WHERE sno_smaller(a, b)::bytea IS DISTINCT FROM least(a::bytea, b::bytea)) AS smaller,
	count(*) FILTER (WHERE sno_larger(a, b)::bytea IS DISTINCT FROM greatest(a::bytea, b::bytea)) AS larger,
	count(*) FILTER (WHERE (a < b) IS DISTINCT FROM (a::text < b::text COLLATE "C")) AS text,
	count(*) FILTER (WHERE a < b AND sno_timestamp(a) > sno_timestamp(b)) AS time,
	count(*) FILTER (WHERE a = b AND sno_hash(a) <> sno_hash(b)) AS hash,
	count(*) FILTER (WHERE a = b AND sno_hash_extended(a, 42) <> sno_hash_extended(b, 42)) AS hash_extended
FROM pair;
\x off

-- Hashes: all ten bytes count, and the seed does; without one the low half is
-- the short hash
SELECT count(*) AS pairs,
       count(*) FILTER (WHERE sno_hash(a) = sno_hash(b)) < 5 AS hashes_differ,
       count(*) FILTER (WHERE sno_hash_extended(a, 0) = sno_hash_extended(b, 0)) AS same_extended,
       count(*) FILTER (WHERE sno_hash_extended(a, 0) = sno_hash_extended(a, 1)) AS same_with_seed,
       count(*) FILTER (WHERE sno_hash(a) <> (sno_hash_extended(a, 0) & 4294967295)::bit(32)::integer) AS other_short
FROM pair WHERE a <> b;

-- min, max
SELECT encode(min(id)::bytea, 'hex') = min(encode(id::bytea, 'hex') COLLATE "C") AS min,
       encode(max(id)::bytea, 'hex') = max(encode(id::bytea, 'hex') COLLATE "C") AS max
FROM generate_series(1, 1000) n, pg_temp.nth_sno(n) id;
SELECT min(id), max(id) FROM (VALUES (NULL::sno), ('3333333333333333'), ('2222222222222223'), (NULL)) v (id);
SELECT min(id), max(id) FROM (VALUES ('3333333333333333'::sno)) v (id) WHERE false;

-- NULL
SELECT sno_min() = NULL AS eq, NULL < sno_min() AS lt, sno_min() IS DISTINCT FROM NULL AS "distinct";
SELECT id FROM (VALUES ('b222222222222222'::sno), (NULL), ('a222222222222222')) v (id) ORDER BY id;
SELECT id FROM (VALUES ('b222222222222222'::sno), (NULL), ('a222222222222222')) v (id) ORDER BY id DESC NULLS LAST;

-- BETWEEN, IN, rows
SELECT count(*) FILTER (WHERE id BETWEEN 'a222222222222222' AND 'b222222222222222') AS between,
       count(*) FILTER (WHERE id IN ('a222222222222222', 'b222222222222222', 'c222222222222222')) AS "in",
       count(*) FILTER (WHERE id NOT IN ('a222222222222222', '2222222222222222')) AS not_in,
       count(*) FILTER (WHERE (id, 1) > ('a222222222222222', 0)) AS row
FROM (VALUES ('9xxxxxxxxxxxxxxx'::sno), ('a222222222222222'), ('axxxxxxxxxxxxxxx'),
             ('b222222222222222'), ('b222222222222223')) v (id);
