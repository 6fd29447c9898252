-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION sno" to load this file. \quit

--
-- Type
--

CREATE TYPE sno;

CREATE FUNCTION sno_in(cstring) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_in(cstring) IS 'I/O';

CREATE FUNCTION sno_out(sno) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_out(sno) IS 'I/O';

CREATE FUNCTION sno_recv(internal) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_recv(internal) IS 'I/O';

CREATE FUNCTION sno_send(sno) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_send(sno) IS 'I/O';

CREATE FUNCTION sno_typanalyze(internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_typanalyze(internal) IS 'statistics that ANALYZE collects on a column of type sno';

CREATE TYPE sno (
	INPUT = sno_in,
	OUTPUT = sno_out,
	RECEIVE = sno_recv,
	SEND = sno_send,
	ANALYZE = sno_typanalyze,
	INTERNALLENGTH = 10,
	ALIGNMENT = char,
	STORAGE = plain
);
COMMENT ON TYPE sno IS 'time-ordered unique id of 10 bytes, with a metabyte; 16 characters of base32 as text';

--
-- Generate
--
-- All that generates is parallel restricted: below a Gather the server evaluates
-- equal calls once, and gives their columns the same id.
--

CREATE FUNCTION sno_generate_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_generate_support(internal) IS 'planner support for sno_generate';

-- Not really stable, but COPY must take it for that: see copy.c.  At this cost, an
-- SQL function that uses its argument twice is not inlined with two such calls.
CREATE FUNCTION sno_generate_for_copy(meta integer, internal) RETURNS sno
	AS 'MODULE_PATHNAME', 'sno_generate' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;
COMMENT ON FUNCTION sno_generate_for_copy(integer, internal) IS 'what COPY evaluates in place of sno_generate';

CREATE FUNCTION sno_generate(meta integer DEFAULT 0) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT sno_generate_support;
COMMENT ON FUNCTION sno_generate(integer) IS 'a new id with this metabyte, unique in the cluster';

CREATE FUNCTION sno_generate(meta integer, at timestamptz) RETURNS sno
	AS 'MODULE_PATHNAME', 'sno_generate_at' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_generate(integer, timestamptz) IS 'an id with this metabyte for a row of the given time; not guaranteed to be unique';

CREATE FUNCTION sno_generate_many_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_generate_many_support(internal) IS 'planner support for sno_generate_many';

CREATE FUNCTION sno_generate_many(count integer, meta integer DEFAULT 0) RETURNS SETOF sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT sno_generate_many_support;
COMMENT ON FUNCTION sno_generate_many(integer, integer) IS 'the given number of new ids with this metabyte, one per row';

CREATE FUNCTION sno_generate_array(count integer, meta integer DEFAULT 0) RETURNS sno[]
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_generate_array(integer, integer) IS 'the given number of new ids with this metabyte, as an array';

--
-- Build
--

CREATE FUNCTION sno_make(at timestamptz, meta integer DEFAULT 0, partition integer DEFAULT 0,
	sequence integer DEFAULT 0, tick_tock boolean DEFAULT false) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_make(timestamptz, integer, integer, integer, boolean) IS 'the id with these fields; the time is floored to 4 ms';

CREATE FUNCTION sno_with_meta(sno, meta integer) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_with_meta(sno, integer) IS 'the id with another metabyte';

CREATE FUNCTION sno_with_partition(sno, partition integer) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_with_partition(sno, integer) IS 'the id with another partition';

CREATE FUNCTION sno_with_sequence(sno, sequence integer) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_with_sequence(sno, integer) IS 'the id with another sequence';

--
-- Inspect
--

CREATE FUNCTION sno_timestamp(sno) RETURNS timestamptz
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_timestamp(sno) IS 'time of an id: the beginning of its 4 ms';

CREATE FUNCTION sno_tick_tock(sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_tick_tock(sno) IS 'tick-tock bit of an id: which of two planes it is in';

CREATE FUNCTION sno_meta(sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_meta(sno) IS 'metabyte of an id';

CREATE FUNCTION sno_partition(sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_partition(sno) IS 'partition of an id: who generated it';

CREATE FUNCTION sno_sequence(sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_sequence(sno) IS 'sequence of an id: the counter within its 4 ms';

--
-- Order
--

CREATE FUNCTION sno_lt(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_lt(sno, sno) IS 'implementation of < operator';

CREATE FUNCTION sno_le(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_le(sno, sno) IS 'implementation of <= operator';

CREATE FUNCTION sno_eq(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_eq(sno, sno) IS 'implementation of = operator';

CREATE FUNCTION sno_ne(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_ne(sno, sno) IS 'implementation of <> operator';

CREATE FUNCTION sno_ge(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_ge(sno, sno) IS 'implementation of >= operator';

CREATE FUNCTION sno_gt(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_gt(sno, sno) IS 'implementation of > operator';

CREATE FUNCTION sno_cmp(sno, sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_cmp(sno, sno) IS 'less-equal-greater';

CREATE FUNCTION sno_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_sortsupport(internal) IS 'sort support';

CREATE FUNCTION sno_skipsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_skipsupport(internal) IS 'skip support';

CREATE FUNCTION sno_in_range(value sno, base sno, distance interval, sub boolean, less boolean) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_in_range(sno, sno, interval, boolean, boolean) IS 'window RANGE support: distances are in time';

CREATE FUNCTION sno_hash(sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_hash(sno) IS 'hash';

CREATE FUNCTION sno_hash_extended(sno, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_hash_extended(sno, bigint) IS 'hash';

CREATE FUNCTION sno_brin_distance(internal, internal) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_brin_distance(internal, internal) IS 'BRIN multi minmax distance';

CREATE FUNCTION sno_brin_minmax_add_value(internal, internal, internal, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_brin_minmax_add_value(internal, internal, internal, internal) IS 'BRIN minmax support';

CREATE FUNCTION sno_brin_minmax_consistent(internal, internal, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_brin_minmax_consistent(internal, internal, internal) IS 'BRIN minmax support';

CREATE FUNCTION sno_brin_minmax_union(internal, internal, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_brin_minmax_union(internal, internal, internal) IS 'BRIN minmax support';

CREATE FUNCTION sno_brin_minmax_multi_add_value(internal, internal, internal, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_brin_minmax_multi_add_value(internal, internal, internal, internal) IS 'BRIN multi minmax support';

CREATE FUNCTION sno_brin_minmax_multi_consistent(internal, internal, internal, integer) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_brin_minmax_multi_consistent(internal, internal, internal, integer) IS 'BRIN multi minmax support';

CREATE FUNCTION sno_brin_minmax_multi_union(internal, internal, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_brin_minmax_multi_union(internal, internal, internal) IS 'BRIN multi minmax support';

CREATE FUNCTION sno_ineqsel(internal, oid, internal, integer) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_ineqsel(internal, oid, internal, integer) IS 'restriction selectivity of comparisons of a sno';

CREATE FUNCTION sno_ineqjoinsel(internal, oid, internal, smallint, internal) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_ineqjoinsel(internal, oid, internal, smallint, internal) IS 'join selectivity of comparisons of a sno';

CREATE FUNCTION sno_rangesel(internal, oid, internal, integer) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_rangesel(internal, oid, internal, integer) IS 'restriction selectivity of a sno within a range of time';

CREATE FUNCTION sno_multirangesel(internal, oid, internal, integer) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_multirangesel(internal, oid, internal, integer) IS 'restriction selectivity of a sno within ranges of time';

CREATE FUNCTION sno_rangejoinsel(internal, oid, internal, smallint, internal) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_rangejoinsel(internal, oid, internal, smallint, internal) IS 'join selectivity of a sno within a range of time';

CREATE FUNCTION sno_prefixsel(internal, oid, internal, integer) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_prefixsel(internal, oid, internal, integer) IS 'restriction selectivity of a prefix of a sno';

CREATE OPERATOR < (
	FUNCTION = sno_lt, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR < (sno, sno) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = sno_le, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR <= (sno, sno) IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = sno_eq, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = =, NEGATOR = <>,
	RESTRICT = eqsel, JOIN = eqjoinsel,
	HASHES, MERGES
);
COMMENT ON OPERATOR = (sno, sno) IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = sno_ne, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = <>, NEGATOR = =,
	RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (sno, sno) IS 'not equal';

CREATE OPERATOR >= (
	FUNCTION = sno_ge, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR >= (sno, sno) IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = sno_gt, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR > (sno, sno) IS 'greater than';

CREATE OPERATOR CLASS sno_ops DEFAULT FOR TYPE sno USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 sno_cmp(sno, sno),
	FUNCTION 2 sno_sortsupport(internal),
	FUNCTION 3 (sno, interval) sno_in_range(sno, sno, interval, boolean, boolean),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR FAMILY sno_ops USING btree IS 'order of snos';
COMMENT ON OPERATOR CLASS sno_ops USING btree IS 'order of snos';

CREATE OPERATOR CLASS sno_ops DEFAULT FOR TYPE sno USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 sno_hash(sno),
	FUNCTION 2 sno_hash_extended(sno, bigint);
COMMENT ON OPERATOR FAMILY sno_ops USING hash IS 'hashes of snos';
COMMENT ON OPERATOR CLASS sno_ops USING hash IS 'hashes of snos';

CREATE OPERATOR CLASS sno_minmax_ops DEFAULT FOR TYPE sno USING brin AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 brin_minmax_opcinfo(internal),
	FUNCTION 2 sno_brin_minmax_add_value(internal, internal, internal, internal),
	FUNCTION 3 sno_brin_minmax_consistent(internal, internal, internal),
	FUNCTION 4 sno_brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR FAMILY sno_minmax_ops USING brin IS 'a range of snos per block range';
COMMENT ON OPERATOR CLASS sno_minmax_ops USING brin IS 'a range of snos per block range';

CREATE OPERATOR CLASS sno_minmax_multi_ops FOR TYPE sno USING brin AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 brin_minmax_multi_opcinfo(internal),
	FUNCTION 2 sno_brin_minmax_multi_add_value(internal, internal, internal, internal),
	FUNCTION 3 sno_brin_minmax_multi_consistent(internal, internal, internal, integer),
	FUNCTION 4 sno_brin_minmax_multi_union(internal, internal, internal),
	FUNCTION 5 brin_minmax_multi_options(internal),
	FUNCTION 11 (sno, sno) sno_brin_distance(internal, internal);
COMMENT ON OPERATOR FAMILY sno_minmax_multi_ops USING brin IS 'several ranges of snos per block range';
COMMENT ON OPERATOR CLASS sno_minmax_multi_ops USING brin IS 'several ranges of snos per block range';

CREATE OPERATOR CLASS sno_bloom_ops FOR TYPE sno USING brin AS
	OPERATOR 1 =,
	FUNCTION 1 brin_bloom_opcinfo(internal),
	FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_bloom_consistent(internal, internal, internal, integer),
	FUNCTION 4 brin_bloom_union(internal, internal, internal),
	FUNCTION 5 brin_bloom_options(internal),
	FUNCTION 11 (sno, sno) sno_hash(sno);
COMMENT ON OPERATOR FAMILY sno_bloom_ops USING brin IS 'a Bloom filter of snos per block range';
COMMENT ON OPERATOR CLASS sno_bloom_ops USING brin IS 'a Bloom filter of snos per block range';

CREATE FUNCTION sno_smaller(sno, sno) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_smaller(sno, sno) IS 'smaller of two';

CREATE FUNCTION sno_larger(sno, sno) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_larger(sno, sno) IS 'larger of two';

CREATE AGGREGATE min(sno) (
	SFUNC = sno_smaller, STYPE = sno, COMBINEFUNC = sno_smaller,
	SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(sno) IS 'minimum of all input ids: the first one';

CREATE AGGREGATE max(sno) (
	SFUNC = sno_larger, STYPE = sno, COMBINEFUNC = sno_larger,
	SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(sno) IS 'maximum of all input ids: the last one';

--
-- Bounds
--

CREATE FUNCTION sno_lower_bound(timestamptz) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_lower_bound(timestamptz) IS 'the smallest id whose time is at or after the instant';

CREATE FUNCTION sno_upper_bound(timestamptz) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_upper_bound(timestamptz) IS 'the largest id whose time is at or before the instant';

CREATE FUNCTION sno_min() RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_min() IS 'the smallest id there can be';

CREATE FUNCTION sno_max() RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_max() IS 'the largest id there can be';

--
-- Time as a predicate: a sno beside a timestamptz, each operator being that of
-- sno_timestamp(id); a sno within a tstzrange; a prefix of the text form
--

CREATE FUNCTION sno_le_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_le_support(internal) IS 'planner support for a sno <= an instant';

CREATE FUNCTION sno_gt_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gt_support(internal) IS 'planner support for a sno > an instant';

CREATE FUNCTION sno_range_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_range_support(internal) IS 'planner support for a sno within a range of time';

CREATE FUNCTION sno_multirange_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_multirange_support(internal) IS 'planner support for a sno within ranges of time';

CREATE FUNCTION sno_prefix_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_prefix_support(internal) IS 'planner support for a prefix of a sno';

CREATE FUNCTION sno_next_instant(timestamptz) RETURNS timestamptz
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_next_instant(timestamptz) IS 'a microsecond later; the infinities stay as they are';

CREATE FUNCTION sno_range_lower(tstzrange) RETURNS timestamptz
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_range_lower(tstzrange) IS 'the first instant of a range; infinity if it is empty';

CREATE FUNCTION sno_range_upper(tstzrange) RETURNS timestamptz
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_range_upper(tstzrange) IS 'the first instant after a range; -infinity if it is empty';

CREATE FUNCTION sno_prefix_first(text) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_prefix_first(text) IS 'the first id whose text starts with the prefix';

CREATE FUNCTION sno_prefix_last(text) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_prefix_last(text) IS 'the last id whose text starts with the prefix';

CREATE FUNCTION sno_lt_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_lt_timestamptz(sno, timestamptz) IS 'implementation of < operator';

CREATE FUNCTION sno_le_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_le_support;
COMMENT ON FUNCTION sno_le_timestamptz(sno, timestamptz) IS 'implementation of <= operator';

CREATE FUNCTION sno_ge_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_ge_timestamptz(sno, timestamptz) IS 'implementation of >= operator';

CREATE FUNCTION sno_gt_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_gt_support;
COMMENT ON FUNCTION sno_gt_timestamptz(sno, timestamptz) IS 'implementation of > operator';

CREATE FUNCTION timestamptz_lt_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_lt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_gt_support;
COMMENT ON FUNCTION timestamptz_lt_sno(timestamptz, sno) IS 'implementation of < operator';

CREATE FUNCTION timestamptz_le_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_le' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION timestamptz_le_sno(timestamptz, sno) IS 'implementation of <= operator';

CREATE FUNCTION timestamptz_ge_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_ge' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_le_support;
COMMENT ON FUNCTION timestamptz_ge_sno(timestamptz, sno) IS 'implementation of >= operator';

CREATE FUNCTION timestamptz_gt_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_gt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION timestamptz_gt_sno(timestamptz, sno) IS 'implementation of > operator';

CREATE FUNCTION sno_distance_timestamptz(sno, timestamptz) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_distance_timestamptz(sno, timestamptz) IS 'implementation of <-> operator';

CREATE FUNCTION timestamptz_distance_sno(timestamptz, sno) RETURNS double precision
	AS 'MODULE_PATHNAME', 'sno_timestamptz_distance' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION timestamptz_distance_sno(timestamptz, sno) IS 'implementation of <-> operator';

CREATE FUNCTION sno_id_instant_le(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_id_instant_le(sno, timestamptz) IS 'implementation of #<=# operator';

CREATE FUNCTION sno_id_instant_eq(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_id_instant_eq(sno, timestamptz) IS 'implementation of #=# operator';

CREATE FUNCTION sno_id_instant_gt(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_id_instant_gt(sno, timestamptz) IS 'implementation of #># operator';

CREATE FUNCTION sno_id_instant_cmp(sno, timestamptz) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_id_instant_cmp(sno, timestamptz) IS 'less-equal-greater, in the order of operator families';

CREATE FUNCTION sno_instant_id_lt(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_id_lt(timestamptz, sno) IS 'implementation of #<# operator';

CREATE FUNCTION sno_instant_id_eq(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_id_eq(timestamptz, sno) IS 'implementation of #=# operator';

CREATE FUNCTION sno_instant_id_ge(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_id_ge(timestamptz, sno) IS 'implementation of #>=# operator';

CREATE FUNCTION sno_instant_id_cmp(timestamptz, sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_id_cmp(timestamptz, sno) IS 'less-equal-greater, in the order of operator families';

CREATE FUNCTION sno_instant_lt(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_lt(timestamptz, timestamptz) IS 'implementation of #<# operator';

CREATE FUNCTION sno_instant_le(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_le(timestamptz, timestamptz) IS 'implementation of #<=# operator';

CREATE FUNCTION sno_instant_eq(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_eq(timestamptz, timestamptz) IS 'implementation of #=# operator';

CREATE FUNCTION sno_instant_ge(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_ge(timestamptz, timestamptz) IS 'implementation of #>=# operator';

CREATE FUNCTION sno_instant_gt(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_gt(timestamptz, timestamptz) IS 'implementation of #># operator';

CREATE FUNCTION sno_instant_cmp(timestamptz, timestamptz) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_instant_cmp(timestamptz, timestamptz) IS 'less-equal-greater, in the order of operator families';

-- With tstzrange itself, these would be the best match for every tstzrange
-- beside an untyped literal, as in during @> '[2026-01-01,2026-02-01)', which
-- is none of a sno's business.  A domain matches less well.
CREATE DOMAIN sno_period AS tstzrange;
COMMENT ON DOMAIN sno_period IS 'a tstzrange, as an argument of the operators of sno';

CREATE FUNCTION sno_contained_by_range(sno, sno_period) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_range_support;
COMMENT ON FUNCTION sno_contained_by_range(sno, sno_period) IS 'implementation of <@ operator';

CREATE FUNCTION sno_range_contains(sno_period, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_range_support;
COMMENT ON FUNCTION sno_range_contains(sno_period, sno) IS 'implementation of @> operator';

-- The same with tstzmultirange.  Beside an untyped literal, as in
-- id <@ '[2026-01-01,2026-02-01)', a range is meant: so here sno is a domain as
-- well, and matches less well than above.
CREATE DOMAIN sno_periods AS tstzmultirange;
COMMENT ON DOMAIN sno_periods IS 'a tstzmultirange, as an argument of the operators of sno';
CREATE DOMAIN sno_operand AS sno;
COMMENT ON DOMAIN sno_operand IS 'a sno, as an argument of the operators with a tstzmultirange';

CREATE FUNCTION sno_contained_by_multirange(sno_operand, sno_periods) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_multirange_support;
COMMENT ON FUNCTION sno_contained_by_multirange(sno_operand, sno_periods) IS 'implementation of <@ operator';

CREATE FUNCTION sno_multirange_contains(sno_periods, sno_operand) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_multirange_support;
COMMENT ON FUNCTION sno_multirange_contains(sno_periods, sno_operand) IS 'implementation of @> operator';

CREATE FUNCTION sno_within_gaps(sno, tstzmultirange) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_contained_by_multirange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_within_gaps(sno, tstzmultirange) IS 'implementation of #<@# operator';

CREATE FUNCTION sno_starts_with(sno, text) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_prefix_support;
COMMENT ON FUNCTION sno_starts_with(sno, text) IS 'implementation of ^@ operator';

CREATE OPERATOR < (
	FUNCTION = sno_lt_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR < (sno, timestamptz) IS 'time of the id is before the instant';

CREATE OPERATOR <= (
	FUNCTION = sno_le_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR <= (sno, timestamptz) IS 'time of the id is before or at the instant';

CREATE OPERATOR >= (
	FUNCTION = sno_ge_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR >= (sno, timestamptz) IS 'time of the id is at or after the instant';

CREATE OPERATOR > (
	FUNCTION = sno_gt_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR > (sno, timestamptz) IS 'time of the id is after the instant';

CREATE OPERATOR < (
	FUNCTION = timestamptz_lt_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR < (timestamptz, sno) IS 'instant is before the time of the id';

CREATE OPERATOR <= (
	FUNCTION = timestamptz_le_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR <= (timestamptz, sno) IS 'instant is before or at the time of the id';

CREATE OPERATOR >= (
	FUNCTION = timestamptz_ge_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR >= (timestamptz, sno) IS 'instant is at or after the time of the id';

CREATE OPERATOR > (
	FUNCTION = timestamptz_gt_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = sno_ineqsel, JOIN = sno_ineqjoinsel
);
COMMENT ON OPERATOR > (timestamptz, sno) IS 'instant is after the time of the id';

CREATE OPERATOR <-> (
	FUNCTION = sno_distance_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = <->
);
COMMENT ON OPERATOR <-> (sno, timestamptz) IS 'seconds between the time of the id and the instant';

CREATE OPERATOR <-> (
	FUNCTION = timestamptz_distance_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = <->
);
COMMENT ON OPERATOR <-> (timestamptz, sno) IS 'seconds between the instant and the time of the id';

CREATE OPERATOR <@ (
	FUNCTION = sno_contained_by_range, LEFTARG = sno, RIGHTARG = sno_period,
	COMMUTATOR = @>,
	RESTRICT = sno_rangesel, JOIN = sno_rangejoinsel
);
COMMENT ON OPERATOR <@ (sno, sno_period) IS 'time of the id is within the range';

CREATE OPERATOR @> (
	FUNCTION = sno_range_contains, LEFTARG = sno_period, RIGHTARG = sno,
	COMMUTATOR = <@,
	RESTRICT = sno_rangesel, JOIN = sno_rangejoinsel
);
COMMENT ON OPERATOR @> (sno_period, sno) IS 'range contains the time of the id';

CREATE OPERATOR <@ (
	FUNCTION = sno_contained_by_multirange, LEFTARG = sno_operand, RIGHTARG = sno_periods,
	COMMUTATOR = @>,
	RESTRICT = sno_multirangesel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (sno_operand, sno_periods) IS 'time of the id is within one of the ranges';

CREATE OPERATOR @> (
	FUNCTION = sno_multirange_contains, LEFTARG = sno_periods, RIGHTARG = sno_operand,
	COMMUTATOR = <@,
	RESTRICT = sno_multirangesel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @> (sno_periods, sno_operand) IS 'one of the ranges contains the time of the id';

-- What <@ becomes beside the bounds of all the ranges; for the server alone
CREATE OPERATOR #<@# (
	FUNCTION = sno_within_gaps, LEFTARG = sno, RIGHTARG = tstzmultirange,
	RESTRICT = sno_multirangesel, JOIN = contjoinsel
);
COMMENT ON OPERATOR #<@# (sno, tstzmultirange) IS 'time of the id is within one of the ranges, among ids between the first and the last';

CREATE OPERATOR ^@ (
	FUNCTION = sno_starts_with, LEFTARG = sno, RIGHTARG = text,
	RESTRICT = sno_prefixsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR ^@ (sno, text) IS 'text of the id starts with the prefix';

-- What a family needs beyond that to be complete, for one order over both types,
-- in which an instant has the place of the first id whose time is not before
-- it.  These are for the server alone.

CREATE OPERATOR #<=# (FUNCTION = sno_id_instant_le, LEFTARG = sno, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #<=# (sno, timestamptz) IS 'order of snos and instants in operator families';

CREATE OPERATOR #=# (FUNCTION = sno_id_instant_eq, LEFTARG = sno, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #=# (sno, timestamptz) IS 'order of snos and instants in operator families';

CREATE OPERATOR #># (FUNCTION = sno_id_instant_gt, LEFTARG = sno, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #># (sno, timestamptz) IS 'order of snos and instants in operator families';

CREATE OPERATOR #<# (FUNCTION = sno_instant_id_lt, LEFTARG = timestamptz, RIGHTARG = sno);
COMMENT ON OPERATOR #<# (timestamptz, sno) IS 'order of snos and instants in operator families';

CREATE OPERATOR #=# (FUNCTION = sno_instant_id_eq, LEFTARG = timestamptz, RIGHTARG = sno);
COMMENT ON OPERATOR #=# (timestamptz, sno) IS 'order of snos and instants in operator families';

CREATE OPERATOR #>=# (FUNCTION = sno_instant_id_ge, LEFTARG = timestamptz, RIGHTARG = sno);
COMMENT ON OPERATOR #>=# (timestamptz, sno) IS 'order of snos and instants in operator families';

CREATE OPERATOR #<# (FUNCTION = sno_instant_lt, LEFTARG = timestamptz, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #<# (timestamptz, timestamptz) IS 'order of snos and instants in operator families';

CREATE OPERATOR #<=# (FUNCTION = sno_instant_le, LEFTARG = timestamptz, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #<=# (timestamptz, timestamptz) IS 'order of snos and instants in operator families';

CREATE OPERATOR #=# (FUNCTION = sno_instant_eq, LEFTARG = timestamptz, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #=# (timestamptz, timestamptz) IS 'order of snos and instants in operator families';

CREATE OPERATOR #>=# (FUNCTION = sno_instant_ge, LEFTARG = timestamptz, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #>=# (timestamptz, timestamptz) IS 'order of snos and instants in operator families';

CREATE OPERATOR #># (FUNCTION = sno_instant_gt, LEFTARG = timestamptz, RIGHTARG = timestamptz);
COMMENT ON OPERATOR #># (timestamptz, timestamptz) IS 'order of snos and instants in operator families';

ALTER OPERATOR FAMILY sno_ops USING btree ADD
	OPERATOR 1 < (sno, timestamptz),
	OPERATOR 2 #<=# (sno, timestamptz),
	OPERATOR 3 #=# (sno, timestamptz),
	OPERATOR 4 >= (sno, timestamptz),
	OPERATOR 5 #># (sno, timestamptz),
	FUNCTION 1 (sno, timestamptz) sno_id_instant_cmp(sno, timestamptz),
	OPERATOR 1 #<# (timestamptz, sno),
	OPERATOR 2 <= (timestamptz, sno),
	OPERATOR 3 #=# (timestamptz, sno),
	OPERATOR 4 #>=# (timestamptz, sno),
	OPERATOR 5 > (timestamptz, sno),
	FUNCTION 1 (timestamptz, sno) sno_instant_id_cmp(timestamptz, sno),
	OPERATOR 1 #<# (timestamptz, timestamptz),
	OPERATOR 2 #<=# (timestamptz, timestamptz),
	OPERATOR 3 #=# (timestamptz, timestamptz),
	OPERATOR 4 #>=# (timestamptz, timestamptz),
	OPERATOR 5 #># (timestamptz, timestamptz),
	FUNCTION 1 (timestamptz, timestamptz) sno_instant_cmp(timestamptz, timestamptz);

ALTER OPERATOR FAMILY sno_minmax_ops USING brin ADD
	OPERATOR 1 < (sno, timestamptz),
	OPERATOR 2 #<=# (sno, timestamptz),
	OPERATOR 3 #=# (sno, timestamptz),
	OPERATOR 4 >= (sno, timestamptz),
	OPERATOR 5 #># (sno, timestamptz);

ALTER OPERATOR FAMILY sno_minmax_multi_ops USING brin ADD
	OPERATOR 1 < (sno, timestamptz),
	OPERATOR 2 #<=# (sno, timestamptz),
	OPERATOR 3 #=# (sno, timestamptz),
	OPERATOR 4 >= (sno, timestamptz),
	OPERATOR 5 #># (sno, timestamptz);

--
-- GiST
--

CREATE FUNCTION sno_gist_consistent(internal, sno, smallint, oid, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_consistent(internal, sno, smallint, oid, internal) IS 'GiST support';

CREATE FUNCTION sno_gist_union(internal, internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_union(internal, internal) IS 'GiST support';

CREATE FUNCTION sno_gist_compress(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_compress(internal) IS 'GiST support';

CREATE FUNCTION sno_gist_penalty(internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_penalty(internal, internal, internal) IS 'GiST support';

CREATE FUNCTION sno_gist_picksplit(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_picksplit(internal, internal) IS 'GiST support';

CREATE FUNCTION sno_gist_same(bytea, bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_same(bytea, bytea, internal) IS 'GiST support';

CREATE FUNCTION sno_gist_distance(internal, sno, smallint, oid, internal) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_distance(internal, sno, smallint, oid, internal) IS 'GiST support';

CREATE FUNCTION sno_gist_fetch(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_fetch(internal) IS 'GiST support';

CREATE FUNCTION sno_gist_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_sortsupport(internal) IS 'GiST support';

CREATE FUNCTION sno_gist_strategy(integer) RETURNS smallint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_strategy(integer) IS 'GiST support';

-- A key is one id on a leaf, and the first and the last one above
CREATE OPERATOR CLASS sno_ops DEFAULT FOR TYPE sno USING gist AS
	STORAGE bytea,
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	OPERATOR 6 <>,
	OPERATOR 1 < (sno, timestamptz),
	OPERATOR 2 <= (sno, timestamptz),
	OPERATOR 4 >= (sno, timestamptz),
	OPERATOR 5 > (sno, timestamptz),
	OPERATOR 8 <@ (sno, sno_period),
	OPERATOR 15 <-> (sno, timestamptz) FOR ORDER BY float_ops,
	FUNCTION 1 sno_gist_consistent(internal, sno, smallint, oid, internal),
	FUNCTION 2 sno_gist_union(internal, internal),
	FUNCTION 3 sno_gist_compress(internal),
	FUNCTION 5 sno_gist_penalty(internal, internal, internal),
	FUNCTION 6 sno_gist_picksplit(internal, internal),
	FUNCTION 7 sno_gist_same(bytea, bytea, internal),
	FUNCTION 8 sno_gist_distance(internal, sno, smallint, oid, internal),
	FUNCTION 9 sno_gist_fetch(internal),
	FUNCTION 11 sno_gist_sortsupport(internal);
COMMENT ON OPERATOR FAMILY sno_ops USING gist IS 'snos by range and by distance in time';
COMMENT ON OPERATOR CLASS sno_ops USING gist IS 'snos by range and by distance in time';

-- Support functions that only newer servers take.  pg_upgrade brings families
-- along as the old server had them.
CREATE FUNCTION sno_operator_families_update() RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	method text;
	number_and_types text;
	support_function text;
BEGIN
	IF current_setting('server_version_num')::integer < 180000 THEN
		RETURN;
	END IF;
	FOR method, number_and_types, support_function IN VALUES
		('btree', '6 (%1$s.sno, %1$s.sno)', '%1$s.sno_skipsupport(internal)'),
		('gist', '12 ("any", "any")', '%1$s.sno_gist_strategy(integer)')
	LOOP
		IF NOT EXISTS (SELECT FROM pg_amproc
				WHERE amproc::oid = format(support_function, sno_schema)::regprocedure) THEN
			EXECUTE format(concat('ALTER OPERATOR FAMILY %1$s.sno_ops USING ', method,
				' ADD FUNCTION ', number_and_types, ' ', support_function), sno_schema);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_operator_families_update() IS 'after pg_upgrade, add to the operator families the support functions that the old server did not know';
REVOKE EXECUTE ON FUNCTION sno_operator_families_update() FROM PUBLIC;

SELECT sno_operator_families_update();

--
-- Casts
--

CREATE FUNCTION sno_to_bytea(sno) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_to_bytea(sno) IS 'the 10 bytes of an id';

CREATE FUNCTION sno_from_bytea(bytea) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_from_bytea(bytea) IS 'the id with these 10 bytes';

CREATE FUNCTION sno_to_uuid(sno) RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_to_uuid(sno) IS 'the 16 characters of an id as the bytes of a uuid';

CREATE FUNCTION sno_from_uuid(uuid) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_from_uuid(uuid) IS 'the id whose 16 characters are the bytes of a uuid';

-- Drivers bind ids as strings, byte arrays or uuids, so each can be assigned
CREATE CAST (text AS sno) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (text AS sno) IS 'id from its 16 characters';

-- The cast to text drops the blanks that pad a character(n)
CREATE FUNCTION sno_from_bpchar(bpchar) RETURNS sno
	LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1::text::sno;
COMMENT ON FUNCTION sno_from_bpchar(bpchar) IS 'the id with these 16 characters; trailing blanks are ignored';

CREATE CAST (varchar AS sno) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (varchar AS sno) IS 'id from its 16 characters';
CREATE CAST (bpchar AS sno) WITH FUNCTION sno_from_bpchar(bpchar) AS ASSIGNMENT;
COMMENT ON CAST (bpchar AS sno) IS 'id from its 16 characters';
CREATE CAST (bytea AS sno) WITH FUNCTION sno_from_bytea(bytea) AS ASSIGNMENT;
COMMENT ON CAST (bytea AS sno) IS 'id from its 10 bytes';
CREATE CAST (uuid AS sno) WITH FUNCTION sno_from_uuid(uuid) AS ASSIGNMENT;
COMMENT ON CAST (uuid AS sno) IS 'id from a uuid whose bytes are its 16 characters';

CREATE CAST (sno AS bytea) WITH FUNCTION sno_to_bytea(sno);
COMMENT ON CAST (sno AS bytea) IS '10 bytes of an id';
CREATE CAST (sno AS uuid) WITH FUNCTION sno_to_uuid(sno);
COMMENT ON CAST (sno AS uuid) IS 'uuid whose bytes are the 16 characters of an id';
CREATE CAST (sno AS timestamptz) WITH FUNCTION sno_timestamp(sno);
COMMENT ON CAST (sno AS timestamptz) IS 'time of an id';

-- Needs the cast to text and bytea
CREATE FUNCTION sno_inspect(id sno, OUT "timestamp" timestamptz, OUT tick_tock boolean, OUT meta integer,
	OUT partition integer, OUT sequence integer, OUT text text, OUT bytes bytea)
	LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT sno_timestamp(id), sno_tick_tock(id), sno_meta(id), sno_partition(id), sno_sequence(id),
		id::text, id::bytea;
END;
COMMENT ON FUNCTION sno_inspect(sno) IS 'all fields of an id, its text and its bytes';

--
-- 64 bits
--

CREATE FUNCTION sno_to_bigint(sno) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_to_bigint(sno) IS 'an id without its partition, in 64 bits; until 2044-11-03';

CREATE FUNCTION sno_from_bigint(bigint, partition integer) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_from_bigint(bigint, integer) IS 'the id, in this partition, of a number that sno_to_bigint made';

--
-- Snowflake
--

CREATE FUNCTION sno_from_snowflake(bigint, meta integer DEFAULT 0, epoch_ms bigint DEFAULT 1288834974657) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_from_snowflake(bigint, integer, bigint) IS 'a Snowflake id as a sno; epoch in milliseconds since 1970';

CREATE FUNCTION sno_to_snowflake(sno, epoch_ms bigint DEFAULT 1288834974657) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_to_snowflake(sno, bigint) IS 'a sno as a Snowflake id, without its metabyte; epoch in milliseconds since 1970';

--
-- Operate
--

CREATE FUNCTION sno_stat_get(OUT partition integer, OUT partition_source text, OUT partition_count integer,
	OUT sequence_min integer, OUT sequence_max integer, OUT capacity integer, OUT lease_limit integer,
	OUT last_tick timestamptz, OUT plane integer, OUT durable_until timestamptz, OUT other_plane_until timestamptz,
	OUT slots_claimed bigint, OUT leases bigint, OUT reservations bigint, OUT regressions bigint,
	OUT overflow_waits bigint, OUT overflow_wait_time double precision,
	OUT regression_waits bigint, OUT regression_wait_time double precision,
	OUT restart_waits bigint, OUT restart_wait_time double precision,
	OUT reservation_waits bigint, OUT reservation_wait_time double precision,
	OUT standby_waits bigint, OUT standby_wait_time double precision,
	OUT stats_reset timestamptz)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat_get() IS 'live values of the generator, for the view sno_stat';

CREATE VIEW sno_stat AS SELECT * FROM sno_stat_get();
COMMENT ON VIEW sno_stat IS 'live values of the generator; waiting times are in milliseconds';
COMMENT ON COLUMN sno_stat.partition IS 'first partition of this cluster';
COMMENT ON COLUMN sno_stat.partition_source IS 'automatic (from the system identifier) or configured (by sno.partition)';
COMMENT ON COLUMN sno_stat.partition_count IS 'consecutive partitions in use';
COMMENT ON COLUMN sno_stat.sequence_min IS 'first sequence of each partition';
COMMENT ON COLUMN sno_stat.sequence_max IS 'last sequence of each partition';
COMMENT ON COLUMN sno_stat.capacity IS 'ids that can be generated in 4 ms';
COMMENT ON COLUMN sno_stat.lease_limit IS 'ids that a backend may claim at once';
COMMENT ON COLUMN sno_stat.last_tick IS 'time of the last claim; null before the first one since the start of the server';
COMMENT ON COLUMN sno_stat.plane IS 'plane of new ids, 0 or 1: their tick-tock bit; null if there was no claim since the start of the server';
COMMENT ON COLUMN sno_stat.durable_until IS 'time up to which ids of this plane are reserved on disk; null if there was no claim since the start of the server';
COMMENT ON COLUMN sno_stat.other_plane_until IS 'latest time for which the other plane was, or may have been, used; if the clock is set back to before it, calls wait';
COMMENT ON COLUMN sno_stat.slots_claimed IS 'ids claimed by backends, whether handed out or dropped';
COMMENT ON COLUMN sno_stat.leases IS 'claims that backends made';
COMMENT ON COLUMN sno_stat.reservations IS 'how often the durable record was written';
COMMENT ON COLUMN sno_stat.regressions IS 'how often the clock of the running server ran backwards and the plane changed';
COMMENT ON COLUMN sno_stat.overflow_waits IS 'waits for the next 4 ms because all ids of the current 4 ms were taken';
COMMENT ON COLUMN sno_stat.overflow_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.regression_waits IS 'waits for a clock that ran backwards';
COMMENT ON COLUMN sno_stat.regression_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.restart_waits IS 'waits for the clock to pass what was reserved before the server started';
COMMENT ON COLUMN sno_stat.restart_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.reservation_waits IS 'waits for another session that was reserving ids on disk';
COMMENT ON COLUMN sno_stat.reservation_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.standby_waits IS 'waits for synchronous standbys to confirm a reservation';
COMMENT ON COLUMN sno_stat.standby_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.stats_reset IS 'time when counting began, or when sno_stat_reset was last called';
GRANT SELECT ON sno_stat TO PUBLIC;

CREATE FUNCTION sno_stat_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat_reset() IS 'set the counters of sno_stat to 0';
REVOKE EXECUTE ON FUNCTION sno_stat_reset() FROM PUBLIC;

CREATE FUNCTION sno_snapshot() RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_snapshot() IS 'the bookkeeping of the generator, for sno_restore';
REVOKE EXECUTE ON FUNCTION sno_snapshot() FROM PUBLIC;

CREATE FUNCTION sno_restore(snapshot jsonb) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_restore(jsonb) IS 'keep this cluster from generating ids that the cluster of the snapshot may have generated';
REVOKE EXECUTE ON FUNCTION sno_restore(jsonb) FROM PUBLIC;

CREATE FUNCTION sno_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_reset() IS 'forget which ids were generated ahead of the clock; use it only after changing the partition or the sequences';
REVOKE EXECUTE ON FUNCTION sno_reset() FROM PUBLIC;

CREATE FUNCTION sno_origin_create() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_origin_create() IS 'create the replication origin in which this cluster keeps reservations, unless it has one';
REVOKE EXECUTE ON FUNCTION sno_origin_create() FROM PUBLIC;

CREATE FUNCTION sno_origin_drop() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_origin_drop() IS 'drop the replication origin of sno, when this cluster will generate no more ids; if it does, they can come again';
REVOKE EXECUTE ON FUNCTION sno_origin_drop() FROM PUBLIC;

-- No id can be generated without; fails where there is no slot for it
SELECT sno_origin_create();

--
-- Partitions
--

CREATE FUNCTION sno_range_partitions(parent regclass)
	RETURNS TABLE (partition regclass, lower_bound sno, upper_bound sno, lower_time timestamptz, upper_time timestamptz)
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	-- The type of lower_bound is sno, whatever schema that is in.  A domain over
	-- it is refused, as its checks would be run by whoever creates partitions.
	IF NOT EXISTS (SELECT FROM pg_partitioned_table AS p
			JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
			WHERE p.partrelid = parent AND p.partstrat = 'r' AND p.partnatts = 1
				AND a.atttypid = pg_typeof(lower_bound)) THEN
		RAISE EXCEPTION 'relation % is not partitioned by range of snos', parent
			USING ERRCODE = 'wrong_object_type',
				DETAIL = 'It must be a table PARTITION BY RANGE (id), where id is a column of type sno.';
	END IF;

	RETURN QUERY EXECUTE format($query$
		SELECT c.oid::regclass, first_id::%1$s.sno, end_id::%1$s.sno,
			coalesce(%1$s.sno_timestamp(first_id::%1$s.sno), '-infinity'),
			coalesce(%1$s.sno_timestamp(end_id::%1$s.sno), 'infinity')
		FROM pg_inherits AS i
		JOIN pg_class AS c ON c.oid = i.inhrelid,
			pg_get_expr(c.relpartbound, c.oid) AS bound,
			substring(bound, 'FROM [(]''(.{16})''[)]') AS first_id,
			substring(bound, 'TO [(]''(.{16})''[)]') AS end_id
		WHERE i.inhparent = $1 AND NOT i.inhdetachpending AND bound <> 'DEFAULT'
		ORDER BY first_id COLLATE "C" NULLS FIRST $query$, sno_schema)
		USING parent;
END
$$;
COMMENT ON FUNCTION sno_range_partitions(regclass) IS 'the partitions of a table by range of ids, in order, without the default one, with the times of their bounds; a bound that is null is MINVALUE or MAXVALUE';

CREATE FUNCTION sno_partition_suffixes() RETURNS text[]
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN '{_YYYYMM,_YYYYMMDD,_YYYYMMDD_HH24MI,_YYYYMMDD_HH24MISS,_YYYYMMDD_HH24MISSMS}'::text[];
COMMENT ON FUNCTION sno_partition_suffixes() IS 'formats of the time at the end of partition names, for sno_create_partitions';

-- A former partition is known by what detaching it concurrently leaves up to
-- PostgreSQL 18, and users add from 19 on: a constraint of its bounds.  As another
-- table can have such a constraint, it must also have the name that
-- sno_create_partitions gives to what begins there, and the schema, owner and
-- columns of the parent.
--
-- The planner may well look at the name first, so what is taken for an id must be
-- one, in whatever constraint.
CREATE FUNCTION sno_detached_partitions(parent regclass)
	RETURNS TABLE (partition regclass, lower_bound sno, upper_bound sno, lower_time timestamptz, upper_time timestamptz)
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT FROM %s.sno_range_partitions($1)', sno_schema) USING parent;

	RETURN QUERY EXECUTE format($query$
		WITH parent AS (
			SELECT c.*, quote_ident(a.attname) AS key
			FROM pg_class AS c
			JOIN pg_partitioned_table AS p ON p.partrelid = c.oid
			JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
			WHERE c.oid = $1
		),
		former (oid, first_id, end_id) AS (
			-- Detaching was broken off: the server still knows whose they are
			SELECT c.oid, substring(bound, 'FROM [(]''(.{16})''[)]'), substring(bound, 'TO [(]''(.{16})''[)]')
			FROM pg_inherits AS i
			JOIN pg_class AS c ON c.oid = i.inhrelid,
				pg_get_expr(c.relpartbound, c.oid) AS bound
			WHERE i.inhparent = $1 AND i.inhdetachpending AND bound <> 'DEFAULT'
			UNION
			SELECT c.oid, first_id, end_id
			FROM parent AS p
			JOIN pg_class AS c ON c.relnamespace = p.relnamespace AND c.relowner = p.relowner
				AND c.relpersistence = p.relpersistence AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'c',
				pg_get_constraintdef(k.oid) AS definition,
				substring(definition, '>=[)]? ''([2-9a-x]{16})''') AS first_id,
				substring(definition, '<[)]? ''([2-9a-x]{16})''') AS end_id
			WHERE regexp_replace(definition, ' NOT VALID$', '') = format('CHECK (((%%1$s IS NOT NULL) AND (%%1$s OPERATOR(%%4$s.>=) %%2$L::%%4$s.sno) AND (%%1$s OPERATOR(%%4$s.<) %%3$L::%%4$s.sno)))',
					p.key, first_id, end_id, $2)
				AND c.relname IN (SELECT p.relname || to_char(%1$s.sno_timestamp(first_id::%1$s.sno) AT TIME ZONE 'UTC', suffix)
					FROM unnest(%1$s.sno_partition_suffixes()) AS suffix)
				AND NOT EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhrelid = c.oid OR i.inhparent = c.oid AND c.relkind = 'r')
				AND NOT EXISTS (
					SELECT FROM (SELECT * FROM pg_attribute WHERE attrelid = p.oid AND attnum > 0 AND NOT attisdropped) AS a
					FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS b
						USING (attname, atttypid, atttypmod, attcollation)
					WHERE a.attnum IS NULL OR b.attnum IS NULL)
		)
		SELECT oid::regclass, first_id::%1$s.sno, end_id::%1$s.sno,
			coalesce(%1$s.sno_timestamp(first_id::%1$s.sno), '-infinity'),
			coalesce(%1$s.sno_timestamp(end_id::%1$s.sno), 'infinity')
		FROM former
		ORDER BY first_id COLLATE "C" NULLS FIRST $query$, sno_schema)
		USING parent, sno_schema;
END
$$;
COMMENT ON FUNCTION sno_detached_partitions(regclass) IS 'the detached former partitions of a table by range of ids, in order; only those that have a constraint of their bounds';

-- The periods of a step lie on a grid in UTC, of months since 2000-01-01 or of
-- anything else since Monday, 2001-01-01.  Their bounds, and those of the
-- partitions that are there, cut time into pieces; a running count tells which
-- of them are in a partition.
--
-- Bounds are sorted as bytes, which have the same order, because pg_upgrade
-- creates functions before the operator class that sorting snos would need.
--
-- The functions it calls are looked up when the extension is created.  None may be
-- one that somebody put into its schema before, and that fits better than the
-- server's.
CREATE FUNCTION sno_missing_partitions(parent regclass, "from" timestamptz, upto timestamptz, step interval)
	RETURNS TABLE (suffix text, lower_bound sno, upper_bound sno)
	LANGUAGE SQL STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	WITH change (bound, partitions) AS (
		SELECT CASE WHEN start < timestamp '2079-09-07 15:47:35.552'
			THEN sno_lower_bound(start AT TIME ZONE 'UTC')::bytea END, 0
		FROM generate_series(
			CASE WHEN step = date_trunc('month', step) THEN timestamp '2000-01-01'
				ELSE date_bin(step, "from" AT TIME ZONE 'UTC', timestamp '2001-01-01') END,
			upto AT TIME ZONE 'UTC' + step, step) AS start
		UNION ALL
		SELECT coalesce(lower_bound, sno_min())::bytea, 1 FROM sno_range_partitions(parent)
		UNION ALL
		SELECT upper_bound::bytea, -1 FROM sno_range_partitions(parent)
	),
	piece AS (
		SELECT bound AS lower_bound, pg_catalog.lead(bound) OVER by_bound AS upper_bound,
			sum(sum(partitions)) OVER by_bound AS partitions,
			sno_timestamp(bound::sno) AT TIME ZONE 'UTC' AS start
		FROM change GROUP BY bound
		WINDOW by_bound AS (ORDER BY bound)
	)
	-- Periods have names of one length, a piece that begins within one may need a
	-- longer one
	SELECT to_char(start, (sno_partition_suffixes())[CASE
			WHEN step = date_trunc('month', step) AND start = date_trunc('month', start) THEN 1
			WHEN step = date_trunc('day', step) AND start = date_trunc('day', start) THEN 2
			WHEN step = date_trunc('minute', step) AND start = date_trunc('minute', start) THEN 3
			WHEN start = date_trunc('second', start) THEN 4
			ELSE 5 END]),
		lower_bound::sno, upper_bound::sno
	FROM piece
	WHERE partitions = 0::numeric AND lower_bound <= sno_upper_bound(upto - interval '1 microsecond')::bytea
		AND (upper_bound > sno_make("from")::bytea OR upper_bound IS NULL)
	ORDER BY piece.lower_bound;
END;
COMMENT ON FUNCTION sno_missing_partitions(regclass, timestamptz, timestamptz, interval) IS 'what sno_create_partitions has to create, for a step that it accepts';

CREATE FUNCTION sno_lock_partitions(parent regclass) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_lock_partitions(regclass) IS 'wait for other sessions that create or drop partitions of a table, and keep them out, for sno_create_partitions and sno_drop_partitions';

CREATE FUNCTION sno_create_partition(parent regclass, name text, lower_bound sno, upper_bound sno,
	template regclass DEFAULT NULL, time_column text DEFAULT NULL) RETURNS regclass
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION sno_create_partition(regclass, text, sno, sno, regclass, text) IS 'create a partition with the rights of the owner of its table, for sno_create_partitions';

CREATE FUNCTION sno_create_partitions(parent regclass, "from" timestamptz, upto timestamptz, step interval,
	template regclass DEFAULT NULL, time_column text DEFAULT NULL)
	RETURNS TABLE (partition regclass, lower_bound timestamptz, upper_bound timestamptz, created boolean)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	parent_name name;
	suffix text;
	first_id text;
	end_id text;
	name text;
	all_created oid[] := '{}';
BEGIN
	IF num_nulls(parent, "from", upto, step) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_create_partitions must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;

	-- 24 hours are a day
	step := justify_hours(step);
	IF NOT isfinite(step) OR step <= '0' OR step > '1000 years' OR step <> date_trunc('second', step)
		OR date_trunc('month', step) NOT IN ('0', step) THEN
		RAISE EXCEPTION 'invalid step between partitions: %', step
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'A step is a number of months, or of days, hours, minutes and whole seconds, up to 1000 years.',
				HINT = 'For example, use interval ''1 month'' or interval ''7 days''.';
	END IF;
	IF "from" < '2010-01-01 00:00:00+00' OR upto > '2079-09-07 15:47:35.552+00' THEN
		RAISE EXCEPTION 'timestamp out of range for type sno'
			USING ERRCODE = 'datetime_field_overflow',
				DETAIL = 'A sno holds times from 2010-01-01 00:00:00 UTC to 2079-09-07 15:47:35.551999 UTC.';
	END IF;
	IF "from" >= upto THEN
		RAISE EXCEPTION '"from" must be earlier than "upto"'
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	IF (upto - "from") / 10000 > step THEN
		RAISE EXCEPTION 'too many partitions'
			USING ERRCODE = 'program_limit_exceeded',
				DETAIL = 'A call creates partitions for at most 10000 steps.',
				HINT = 'Use a larger step, or several calls.';
	END IF;

	-- Refuse what has no such partitions.  Then one session at a time: the next
	-- queries see what others created before.
	EXECUTE format('SELECT FROM %s.sno_range_partitions($1)', sno_schema) USING parent;
	EXECUTE format('SELECT %s.sno_lock_partitions($1)', sno_schema) USING parent;

	SELECT relname INTO parent_name FROM pg_class WHERE oid = parent;

	FOR suffix, first_id, end_id IN
		EXECUTE format('SELECT suffix, lower_bound::text, upper_bound::text
			FROM %s.sno_missing_partitions($1, $2, $3, $4)', sno_schema)
		USING parent, "from", upto, step
	LOOP
		name := parent_name;
		WHILE octet_length(name || suffix) > current_setting('max_identifier_length')::integer LOOP
			name := left(name, -1);
		END LOOP;

		EXECUTE format('SELECT %1$s.sno_create_partition($1, $2, $3::%1$s.sno, $4::%1$s.sno, $5, $6)', sno_schema)
			INTO partition USING parent, name || suffix, first_id, end_id, template, time_column;
		all_created := all_created || partition::oid;
	END LOOP;

	-- No lock keeps a schema from being renamed in between.  Then some of this
	-- was done to another table, perhaps another one's, and must not last.
	IF cardinality(all_created) <> (SELECT count(*)
			FROM pg_inherits AS i WHERE i.inhparent = parent AND i.inhrelid = ANY (all_created)) THEN
		RAISE EXCEPTION 'schema of % was concurrently renamed', parent
			USING ERRCODE = 'serialization_failure';
	END IF;

	RETURN QUERY EXECUTE format('SELECT partition, lower_time, upper_time, partition = ANY ($4)
		FROM %s.sno_range_partitions($1)
		WHERE partition = ANY ($4) OR lower_time < $3 AND upper_time > $2', sno_schema)
		USING parent, "from", upto, all_created;
END
$$;
COMMENT ON FUNCTION sno_create_partitions(regclass, timestamptz, timestamptz, interval, regclass, text) IS 'create the partitions missing between two times in a table by range of ids; each covers one step, is partitioned like the template, and has a CHECK of its times';

CREATE FUNCTION sno_drop_partition(parent regclass, partition regclass, detached boolean DEFAULT false) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_drop_partition(regclass, regclass, boolean) IS 'detach and drop a partition with the rights of the owner of its table, for sno_drop_partitions';

CREATE FUNCTION sno_drop_partitions(parent regclass, before timestamptz, detached boolean DEFAULT false)
	RETURNS TABLE (partition text, lower_bound timestamptz, upper_bound timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	dropped regclass;
	was_detached boolean;
BEGIN
	IF num_nulls(parent, before, detached) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_drop_partitions must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;

	-- As in sno_create_partitions
	EXECUTE format('SELECT FROM %s.sno_range_partitions($1)', sno_schema) USING parent;
	EXECUTE format('SELECT %s.sno_lock_partitions($1)', sno_schema) USING parent;

	FOR was_detached, dropped, partition, lower_bound, upper_bound IN
		EXECUTE format('SELECT was_detached, partition, partition::text, lower_time, upper_time
			FROM (SELECT false AS was_detached, * FROM %1$s.sno_range_partitions($1)
				UNION ALL
				SELECT true, * FROM %1$s.sno_detached_partitions($1) WHERE $3) AS p
			WHERE upper_bound OPERATOR(%1$s.<=) %1$s.sno_lower_bound($2)
			ORDER BY lower_time', sno_schema)
		USING parent, before, detached
	LOOP
		EXECUTE format('SELECT %s.sno_drop_partition($1, $2, $3)', sno_schema) USING parent, dropped, was_detached;
		-- As in sno_create_partitions: was it another table?
		IF EXISTS (SELECT FROM pg_class WHERE oid = dropped) THEN
			RAISE EXCEPTION 'table % was concurrently renamed', partition
				USING ERRCODE = 'serialization_failure';
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_drop_partitions(regclass, timestamptz, boolean) IS 'drop the partitions of a table by range of ids that lie wholly before a time and, if asked for, detached former ones';

--
-- Registry
--
-- Which clusters and programs of a fleet have which partitions.  Rows cover all
-- partitions there are; those without an owner are free.  As all times are
-- multiples of 4 ms, and the next owner's usable_from is never before the former
-- one's expires, the ids of both differ in their time.  That relies on no clock:
-- expires of a row never goes back but when its owner releases it, and is kept when
-- the row is divided.
--
-- The functions for users run with the rights of their owner, so a role that is
-- granted one needs nothing else.  The others are called by these alone.  Calls
-- match them exactly, in number and types of arguments: one that leaves out a
-- default, or has a literal of no type, could find a function that somebody else
-- has put into this schema.

CREATE TABLE sno_registry_range (
	partitions int4range NOT NULL,
	owner text COLLATE "C",
	since timestamptz,
	usable_from timestamptz,
	expires timestamptz,
	CONSTRAINT sno_registry_range_partitions_excl
		EXCLUDE USING gist (partitions WITH OPERATOR(pg_catalog.&&)),
	CONSTRAINT sno_registry_range_owner_key UNIQUE (owner),
	CONSTRAINT sno_registry_range_partitions_check
		CHECK (partitions OPERATOR(pg_catalog.<@) pg_catalog.int4range(0, 65536) AND NOT pg_catalog.isempty(partitions)),
	CONSTRAINT sno_registry_range_owner_check
		CHECK ((owner IS NULL) = (since IS NULL) AND (owner IS NULL) = (usable_from IS NULL)
			AND (owner IS NOT NULL OR expires IS NOT NULL)),
	CONSTRAINT sno_registry_range_expires_check CHECK (usable_from <= expires)
);
CREATE INDEX sno_registry_range_free ON sno_registry_range
	((pg_catalog.upper(partitions) - pg_catalog.lower(partitions)), (pg_catalog.lower(partitions)))
	WHERE owner IS NULL;
CREATE INDEX sno_registry_range_expires ON sno_registry_range (expires);
-- Else nothing could be changed beside a publication FOR ALL TABLES
ALTER TABLE sno_registry_range REPLICA IDENTITY FULL;
SELECT pg_catalog.pg_extension_config_dump('sno_registry_range', '');
COMMENT ON TABLE sno_registry_range IS 'ranges of partitions and their owners, for the view sno_registry; change it by the functions sno_registry_... only';

CREATE VIEW sno_registry AS
	SELECT pg_catalog.lower(partitions) AS partition,
		pg_catalog.upper(partitions) - pg_catalog.lower(partitions) AS partition_count,
		owner,
		CASE WHEN owner IS NULL THEN 'free' WHEN expires <= pg_catalog.clock_timestamp() THEN 'expired' ELSE 'in use' END AS state,
		since, usable_from, expires
	FROM sno_registry_range;
COMMENT ON VIEW sno_registry IS 'who has which partitions, what is free, and what has expired';
COMMENT ON COLUMN sno_registry.partition IS 'first partition of the range';
COMMENT ON COLUMN sno_registry.partition_count IS 'consecutive partitions in it';
COMMENT ON COLUMN sno_registry.owner IS 'who has it, or had it if it has expired; null if it is free';
COMMENT ON COLUMN sno_registry.state IS 'in use, expired or free';
COMMENT ON COLUMN sno_registry.since IS 'when the owner got it';
COMMENT ON COLUMN sno_registry.usable_from IS 'the owner makes no id with a time before this';
COMMENT ON COLUMN sno_registry.expires IS 'the owner makes no id with this time or a later one; null if it keeps the range for good. For a free range, when its last owner''s time ended';

CREATE FUNCTION sno_registry_own_name() RETURNS text
	LANGUAGE SQL STABLE PARALLEL SAFE
	RETURN (SELECT pg_catalog.concat('cluster ', system_identifier) FROM pg_catalog.pg_control_system());
COMMENT ON FUNCTION sno_registry_own_name() IS 'the owner name of the registry''s own cluster';
REVOKE EXECUTE ON FUNCTION sno_registry_own_name() FROM PUBLIC;

CREATE FUNCTION sno_registry_ceil(timestamptz) RETURNS timestamptz
	LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
	RETURN pg_catalog.date_bin(interval '4 ms', $1 + interval '3999 us', timestamptz '2010-01-01 00:00+00');
COMMENT ON FUNCTION sno_registry_ceil(timestamptz) IS 'the earliest time of an id at or after this time, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_ceil(timestamptz) FROM PUBLIC;

CREATE FUNCTION sno_registry_check(owner text, count integer, duration interval) RETURNS void
	LANGUAGE plpgsql STABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	own text;
BEGIN
	IF num_nulls(owner, count, duration) > 0 THEN
		RAISE EXCEPTION 'owner, count, ttl and margin must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF octet_length(owner) NOT BETWEEN 1 AND 255 THEN
		RAISE EXCEPTION 'invalid owner name'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'It must have 1 to 255 bytes.';
	END IF;
	IF count NOT BETWEEN 1 AND 65536 THEN
		RAISE EXCEPTION 'count of partitions out of range: %', count
			USING ERRCODE = 'numeric_value_out_of_range',
				DETAIL = 'It must be between 1 and 65536.';
	END IF;
	-- With months and days of opposite signs it depends on the date which is more
	IF NOT isfinite(duration) OR duration <= '0' OR clock_timestamp() + duration <= clock_timestamp() THEN
		RAISE EXCEPTION 'ttl must be finite and greater than zero: %', duration
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	EXECUTE format('SELECT %s.sno_registry_own_name()', sno_schema) INTO own;
	IF owner = own THEN
		RAISE EXCEPTION '"%" is the cluster that holds the registry', owner
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Its partitions are recorded automatically and stay on record.';
	END IF;
END
$$;
COMMENT ON FUNCTION sno_registry_check(text, integer, interval) IS 'refuse bad arguments, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_check(text, integer, interval) FROM PUBLIC;

-- Makes room for a row where others are free or expired before that time; what
-- these have beyond the new one stays free.  Returns until when their owners may
-- have made ids.
CREATE FUNCTION sno_registry_take(first integer, count integer, before timestamptz) RETURNS timestamptz
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	used_until timestamptz;
BEGIN
	-- All rows are gone before the first is inserted.  What is left in the same 256
	-- is kept apart, so that not every call has to replace the large row.
	EXECUTE format('WITH gone AS (
			DELETE FROM %1$s.sno_registry_range
			WHERE partitions && $1 AND (owner IS NULL OR expires <= $2)
			RETURNING partitions, expires
		),
		kept AS (
			INSERT INTO %1$s.sno_registry_range (partitions, expires)
			SELECT rest, expires FROM gone, LATERAL (SELECT int4multirange(partitions) - int4multirange($1) AS left_over) AS l,
				LATERAL (SELECT unnest(left_over * int4multirange($3)) UNION ALL SELECT unnest(left_over - int4multirange($3))) AS r (rest)
		)
		SELECT max(expires) FROM gone', sno_schema)
		INTO used_until
		USING int4range(first, first + count), before, int4range(first / 256 * 256, (first + count + 255) / 256 * 256);
	RETURN used_until;
END
$$;
COMMENT ON FUNCTION sno_registry_take(integer, integer, timestamptz) IS 'make room for a range in what is free or expired before this time, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_take(integer, integer, timestamptz) FROM PUBLIC;

-- Puts partitions on record for good that are in use already: no margin would
-- change that.  The lock must be held.
CREATE FUNCTION sno_registry_record(owner text, first integer, count integer, hint text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	at timestamptz := clock_timestamp();
	known record;
	other record;
BEGIN
	EXECUTE format('SELECT lower(partitions) AS first, upper(partitions) - 1 AS last FROM %s.sno_registry_range WHERE owner = $1', sno_schema)
		INTO known USING owner;
	IF known.first IS NOT NULL THEN
		RAISE EXCEPTION '"%" has partitions % to % on record', owner, known.first, known.last
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'If it uses others now, release these first; otherwise adopt the others under another name.';
	END IF;
	EXECUTE format('SELECT owner, lower(partitions) AS first, upper(partitions) - 1 AS last
		FROM %s.sno_registry_range
		WHERE partitions && $1 AND owner IS NOT NULL AND (expires > $2 OR expires IS NULL)
		ORDER BY partitions LIMIT 1', sno_schema)
		INTO other USING int4range(first, first + count), at;
	IF other.owner IS NOT NULL THEN
		RAISE EXCEPTION 'partitions of "%" overlap those of "%"', owner, other.owner
			USING ERRCODE = 'object_in_use',
				DETAIL = format('"%s" uses partitions %s to %s; %s to %s are on record for "%s".',
					owner, first, first + count - 1, other.first, other.last, other.owner),
				HINT = hint;
	END IF;
	EXECUTE format('INSERT INTO %1$s.sno_registry_range (partitions, owner, since, usable_from)
		SELECT $1, $2, $3, greatest(%1$s.sno_registry_take($4, $5, $3), %1$s.sno_registry_ceil($3))', sno_schema)
		USING int4range(first, first + count), owner, at, first, count;
END
$$;
COMMENT ON FUNCTION sno_registry_record(text, integer, integer, text) IS 'put partitions that are in use on record, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_record(text, integer, integer, text) FROM PUBLIC;

-- One session at a time gives ranges away, until its transaction ends.  The lock is
-- the row of the registry's own cluster, which only the first call does not find.
--
-- After a dump was restored into another cluster, the row of the old one is that
-- of another owner, who may live on.
CREATE FUNCTION sno_registry_lock() RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	own text;
	used int4range;
	is_on_record boolean;
	find text;
	unrecorded int4multirange;
	piece int4range;
BEGIN
	IF pg_is_in_recovery() THEN
		RAISE EXCEPTION 'cannot change the registry of partitions during recovery'
			USING ERRCODE = 'read_only_sql_transaction',
				HINT = 'Connect to the primary.';
	END IF;
	-- What was given away must be known after a crash
	IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
		PERFORM set_config('synchronous_commit', 'on', true);
	END IF;

	EXECUTE format('SELECT %1$s.sno_registry_own_name(), int4range(partition, partition + partition_count) FROM %1$s.sno_stat', sno_schema)
		INTO own, used;
	EXECUTE format('SELECT true FROM %s.sno_registry_range WHERE owner = $1 FOR UPDATE', sno_schema)
		INTO is_on_record USING own;
	-- Names that begin with its own and a slash are the cluster's as well; a zero
	-- sorts next to that
	find := format('SELECT int4multirange($2) - coalesce(range_agg(partitions), ''{}'')
		FROM %s.sno_registry_range WHERE owner = $1 OR owner >= $1 || ''/'' AND owner < $1 || ''0''', sno_schema);
	EXECUTE find INTO unrecorded USING own, used;
	IF is_on_record AND unrecorded = '{}' THEN
		RETURN;
	END IF;

	-- The first call, or other partitions than before
	EXECUTE format('LOCK TABLE %s.sno_registry_range IN SHARE UPDATE EXCLUSIVE MODE', sno_schema);
	EXECUTE format('INSERT INTO %1$s.sno_registry_range (partitions, expires)
		SELECT int4range(0, 65536), ''-infinity'' WHERE NOT EXISTS (SELECT FROM %1$s.sno_registry_range)', sno_schema);
	EXECUTE format('SELECT true FROM %s.sno_registry_range WHERE owner = $1 FOR UPDATE', sno_schema)
		INTO is_on_record USING own;
	EXECUTE find INTO unrecorded USING own, used;
	FOR piece IN SELECT unnest(unrecorded) LOOP
		EXECUTE format('SELECT %s.sno_registry_record($1, $2, $3, $4)', sno_schema)
			USING CASE WHEN is_on_record THEN own || '/' || lower(piece) ELSE own END,
				lower(piece), upper(piece) - lower(piece),
				'The first is the registry''s own cluster.  Release the second if it is the same cluster under a former name, or is gone; otherwise give one of the two another sno.partition.';
		is_on_record := true;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_registry_lock() IS 'wait for other sessions that acquire, keep them out, and put the registry''s own cluster on record';
REVOKE EXECUTE ON FUNCTION sno_registry_lock() FROM PUBLIC;

-- Makes free ranges of those that expired before, joined where they meet.  Whoever
-- has a row locked is just renewing it.
CREATE FUNCTION sno_registry_collect(before timestamptz) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('WITH ended AS MATERIALIZED (
			SELECT partitions, owner, expires FROM %1$s.sno_registry_range WHERE expires <= $1 FOR UPDATE SKIP LOCKED
		),
		begun AS (
			SELECT *, lower(partitions) IS DISTINCT FROM lag(upper(partitions)) OVER (ORDER BY partitions) AS begins FROM ended
		),
		numbered AS (
			SELECT *, count(*) FILTER (WHERE begins) OVER (ORDER BY partitions) AS island FROM begun
		),
		joined AS MATERIALIZED (
			SELECT island, int4range(min(lower(partitions)), max(upper(partitions))) AS partitions, max(expires) AS expires
			FROM numbered GROUP BY island HAVING count(*) > 1 OR count(owner) > 0
		),
		gone AS (
			DELETE FROM %1$s.sno_registry_range AS r USING numbered AS n JOIN joined AS j USING (island)
			WHERE r.partitions = n.partitions RETURNING 1
		)
		-- All of them are gone before the first is inserted
		INSERT INTO %1$s.sno_registry_range (partitions, expires)
		SELECT partitions, expires FROM joined, (SELECT count(*) FROM gone) AS all_gone', sno_schema)
		USING before;
END
$$;
COMMENT ON FUNCTION sno_registry_collect(timestamptz) IS 'free the ranges that expired before this time, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_collect(timestamptz) FROM PUBLIC;

CREATE FUNCTION sno_registry_acquire(owner text, count integer DEFAULT 16, ttl interval DEFAULT NULL, margin interval DEFAULT '1 minute',
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	at timestamptz;
	is_locked boolean := false;
	is_collected boolean := false;
	alignment integer := 1;
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, $2, $3)', sno_schema)
		USING owner, count, coalesce(ttl, '1 day');
	IF margin IS NULL THEN
		RAISE EXCEPTION 'owner, count, ttl and margin must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF NOT isfinite(margin) OR margin < '0' OR clock_timestamp() - margin > clock_timestamp() THEN
		RAISE EXCEPTION 'margin must be finite and not negative: %', margin
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	EXECUTE format('SELECT %s.sno_registry_lock()', sno_schema);
	at := clock_timestamp();

	-- The owner's own range, expired or not.  Nothing goes back, whatever the clock
	-- did; a null is later than all.
	EXECUTE format('UPDATE %1$s.sno_registry_range SET
			since = CASE WHEN expires <= $2 THEN $2 ELSE since END,
			usable_from = greatest(usable_from, %1$s.sno_registry_ceil($2)),
			expires = CASE WHEN expires IS NOT NULL AND $3 IS NOT NULL
				THEN greatest(usable_from, expires, %1$s.sno_registry_ceil($3)) END
		WHERE owner = $1
		RETURNING lower(partitions), upper(partitions) - lower(partitions), usable_from, expires', sno_schema)
		INTO partition, partition_count, usable_from, expires
		USING owner, at, at + ttl;
	IF partition_count >= count THEN
		RETURN;
	ELSIF partition_count < count THEN
		RAISE EXCEPTION '"%" has % partitions, fewer than %', owner, partition_count, count
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Release them and acquire others, or acquire more under another name.';
	END IF;

	-- The smallest free range that has a place for this many, at a multiple of the
	-- next power of two
	WHILE alignment < count LOOP
		alignment := alignment * 2;
	END LOOP;
	LOOP
		EXECUTE format('SELECT first
			FROM %s.sno_registry_range, LATERAL (SELECT (lower(partitions) + $2 - 1) / $2 * $2 AS first) AS place
			WHERE owner IS NULL AND upper(partitions) - lower(partitions) >= $1
				AND first + $1 <= upper(partitions) AND expires <= $3
			ORDER BY upper(partitions) - lower(partitions), lower(partitions) LIMIT 1', sno_schema)
			INTO partition USING count, alignment, at - margin;
		EXIT WHEN partition IS NOT NULL;
		IF is_collected THEN
			RAISE EXCEPTION 'no range of % partitions is free', count
				USING ERRCODE = 'program_limit_exceeded',
					HINT = 'Wait until some have expired, release what is no longer used, or ask for fewer.';
		END IF;
		EXECUTE format('SELECT %s.sno_registry_collect($1)', sno_schema) USING at - margin;
		is_collected := true;
	END LOOP;

	EXECUTE format('INSERT INTO %1$s.sno_registry_range AS r (partitions, owner, since, usable_from, expires)
		SELECT int4range($1, $1 + $2), $3, $4, greatest(%1$s.sno_registry_take($1, $2, $5), %1$s.sno_registry_ceil($4)), %1$s.sno_registry_ceil($6)
		RETURNING $2, r.usable_from, r.expires', sno_schema)
		INTO partition_count, usable_from, expires
		USING partition, count, owner, at, at - margin, at + ttl;
END
$$;
COMMENT ON FUNCTION sno_registry_acquire(text, integer, interval, interval) IS 'get partitions for an owner: those it has, or else a free range; for good, or for the time to live';
REVOKE EXECUTE ON FUNCTION sno_registry_acquire(text, integer, interval, interval) FROM PUBLIC;

CREATE FUNCTION sno_registry_adopt(owner text, first integer, count integer DEFAULT 1,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, $2, interval ''1 day'')', sno_schema) USING owner, count;
	IF first IS NULL THEN
		RAISE EXCEPTION 'first must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF first NOT BETWEEN 0 AND 65536 - count THEN
		RAISE EXCEPTION 'partitions out of range: % starting at %', count, first
			USING ERRCODE = 'numeric_value_out_of_range',
				DETAIL = 'The first partition is 0, the last one 65535.';
	END IF;
	EXECUTE format('SELECT %s.sno_registry_lock()', sno_schema);

	EXECUTE format('UPDATE %s.sno_registry_range SET expires = NULL WHERE owner = $1
		RETURNING lower(partitions), upper(partitions) - lower(partitions), usable_from', sno_schema)
		INTO partition, partition_count, usable_from USING owner;
	IF first >= partition AND first + count <= partition + partition_count THEN
		RETURN;
	END IF;

	EXECUTE format('SELECT %s.sno_registry_record($1, $2, $3, $4)', sno_schema)
		USING owner, first, count, 'Give one of the two another sno.partition, such as one from sno_registry_acquire.';
	EXECUTE format('SELECT $2, $3, usable_from FROM %s.sno_registry_range WHERE owner = $1', sno_schema)
		INTO partition, partition_count, usable_from USING owner, first, count;
END
$$;
COMMENT ON FUNCTION sno_registry_adopt(text, integer, integer) IS 'record partitions that an owner already uses, such as the automatic one of a cluster';
REVOKE EXECUTE ON FUNCTION sno_registry_adopt(text, integer, integer) FROM PUBLIC;

CREATE FUNCTION sno_registry_renew(owner text, ttl interval,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	at timestamptz := clock_timestamp();
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, 1, $2)', sno_schema) USING owner, ttl;
	-- As in sno_registry_lock: the owner goes by the new time
	IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
		PERFORM set_config('synchronous_commit', 'on', true);
	END IF;
	-- Its row may just be collected
	EXECUTE format('UPDATE %1$s.sno_registry_range
		SET expires = CASE WHEN expires IS NOT NULL THEN greatest(expires, %1$s.sno_registry_ceil($3)) END
		WHERE owner = $1 AND (expires > $2 OR expires IS NULL)
		RETURNING lower(partitions), upper(partitions) - lower(partitions), usable_from, expires', sno_schema)
		INTO partition, partition_count, usable_from, expires USING owner, at, at + ttl;
	IF partition IS NULL THEN
		EXECUTE format('SELECT expires FROM %s.sno_registry_range WHERE owner = $1', sno_schema)
			INTO expires USING owner;
		RAISE EXCEPTION 'the partitions of "%" have expired', owner
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = CASE WHEN expires IS NULL THEN 'No partitions are on record for it any more.' ELSE format('They expired at %s.', expires) END,
				HINT = 'Generate no more ids in them, and acquire partitions again.';
	END IF;
END
$$;
COMMENT ON FUNCTION sno_registry_renew(text, interval) IS 'let an owner keep its partitions for this long from now on';
REVOKE EXECUTE ON FUNCTION sno_registry_renew(text, interval) FROM PUBLIC;

CREATE FUNCTION sno_registry_release(owner text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	is_released boolean;
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, 1, interval ''1 day'')', sno_schema) USING owner;
	EXECUTE format('UPDATE %1$s.sno_registry_range
		SET owner = NULL, since = NULL, usable_from = NULL,
			expires = greatest(usable_from, least(expires, %1$s.sno_registry_ceil($2)))
		WHERE owner = $1 RETURNING true', sno_schema)
		INTO is_released USING owner, clock_timestamp();
	IF is_released IS NULL THEN
		RAISE EXCEPTION 'no partitions are on record for "%"', owner
			USING ERRCODE = 'undefined_object';
	END IF;
END
$$;
COMMENT ON FUNCTION sno_registry_release(text) IS 'give back the partitions of an owner that makes no more ids in them';
REVOKE EXECUTE ON FUNCTION sno_registry_release(text) FROM PUBLIC;

-- For roles that must not touch what others have.  The prefix is the role that has
-- logged in, as the one that calls cannot be seen from here.  Each role has a
-- prefix of its own, and none is that of the registry's own cluster.
CREATE FUNCTION sno_registry_owner_of(name text) RETURNS text
	LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN replace(replace(replace(session_user, '%', '%25'), '/', '%2F'), ' ', '%20') || '/' || name;
END
$$;
COMMENT ON FUNCTION sno_registry_owner_of(text) IS 'the full name of an owner that belongs to the role of the session, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_owner_of(text) FROM PUBLIC;

CREATE FUNCTION sno_registry_acquire_own(name text, ttl interval, count integer DEFAULT 1,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, $2, $3)', sno_schema) USING name, count, ttl;
	EXECUTE format('SELECT * FROM %1$s.sno_registry_acquire(%1$s.sno_registry_owner_of($1), $2, $3, interval ''1 minute'')', sno_schema)
		INTO partition, partition_count, usable_from, expires USING name, count, ttl;
END
$$;
COMMENT ON FUNCTION sno_registry_acquire_own(text, interval, integer) IS 'as sno_registry_acquire, for an owner whose name begins with that of the session''s role';
REVOKE EXECUTE ON FUNCTION sno_registry_acquire_own(text, interval, integer) FROM PUBLIC;

CREATE FUNCTION sno_registry_renew_own(name text, ttl interval,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT * FROM %1$s.sno_registry_renew(%1$s.sno_registry_owner_of($1), $2)', sno_schema)
		INTO partition, partition_count, usable_from, expires USING name, ttl;
END
$$;
COMMENT ON FUNCTION sno_registry_renew_own(text, interval) IS 'as sno_registry_renew, for an owner of sno_registry_acquire_own';
REVOKE EXECUTE ON FUNCTION sno_registry_renew_own(text, interval) FROM PUBLIC;

CREATE FUNCTION sno_registry_release_own(name text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT %1$s.sno_registry_release(%1$s.sno_registry_owner_of($1))', sno_schema) USING name;
END
$$;
COMMENT ON FUNCTION sno_registry_release_own(text) IS 'as sno_registry_release, for an owner of sno_registry_acquire_own';
REVOKE EXECUTE ON FUNCTION sno_registry_release_own(text) FROM PUBLIC;
