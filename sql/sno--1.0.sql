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

CREATE TYPE sno (
	INPUT = sno_in,
	OUTPUT = sno_out,
	RECEIVE = sno_recv,
	SEND = sno_send,
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

-- Not really stable, but COPY must take it for that: see copy.c.  What costs so
-- much is not written twice where an SQL function uses its argument twice.
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
COMMENT ON FUNCTION sno_generate_many(integer, integer) IS 'as many new ids with this metabyte, a row each';

CREATE FUNCTION sno_generate_array(count integer, meta integer DEFAULT 0) RETURNS sno[]
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_generate_array(integer, integer) IS 'as many new ids with this metabyte, as an array';

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
COMMENT ON FUNCTION sno_prefix_first(text) IS 'the first id whose text begins so';

CREATE FUNCTION sno_prefix_last(text) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_prefix_last(text) IS 'the last id whose text begins so';

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

CREATE OPERATOR <@ (
	FUNCTION = sno_contained_by_range, LEFTARG = sno, RIGHTARG = sno_period,
	COMMUTATOR = @>,
	RESTRICT = sno_rangesel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (sno, sno_period) IS 'time of the id is within the range';

CREATE OPERATOR @> (
	FUNCTION = sno_range_contains, LEFTARG = sno_period, RIGHTARG = sno,
	COMMUTATOR = <@,
	RESTRICT = sno_rangesel, JOIN = contjoinsel
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
COMMENT ON OPERATOR ^@ (sno, text) IS 'text of the id begins so';

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
-- Casts
--

CREATE FUNCTION sno_to_bytea(sno) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_to_bytea(sno) IS 'the 10 bytes of an id';

CREATE FUNCTION sno_from_bytea(bytea) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_from_bytea(bytea) IS 'the id of 10 bytes';

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
COMMENT ON FUNCTION sno_from_bpchar(bpchar) IS 'the id of 16 characters and any blanks after them';

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
COMMENT ON FUNCTION sno_from_bigint(bigint, integer) IS 'the id that sno_to_bigint made a number of, in this partition';

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
COMMENT ON COLUMN sno_stat.durable_until IS 'up to when ids of this plane are reserved on disk; null if there was no claim since the start of the server';
COMMENT ON COLUMN sno_stat.other_plane_until IS 'the last time for which the other plane was used, or may have been: a clock set back to before that is waited for';
COMMENT ON COLUMN sno_stat.slots_claimed IS 'ids claimed by backends, whether handed out or dropped';
COMMENT ON COLUMN sno_stat.leases IS 'claims that backends made';
COMMENT ON COLUMN sno_stat.reservations IS 'times the durable record was written';
COMMENT ON COLUMN sno_stat.regressions IS 'times the clock of the running server ran backwards and the plane changed';
COMMENT ON COLUMN sno_stat.overflow_waits IS 'waits for the next 4 ms because all ids of the present ones were taken';
COMMENT ON COLUMN sno_stat.overflow_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.regression_waits IS 'waits for a clock that ran backwards';
COMMENT ON COLUMN sno_stat.regression_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.restart_waits IS 'waits for the end of what was reserved before the server started';
COMMENT ON COLUMN sno_stat.restart_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.reservation_waits IS 'waits for another session that was reserving ids on disk';
COMMENT ON COLUMN sno_stat.reservation_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.standby_waits IS 'waits for synchronous standbys to confirm a reservation';
COMMENT ON COLUMN sno_stat.standby_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.stats_reset IS 'since when is counted';
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
COMMENT ON FUNCTION sno_restore(jsonb) IS 'generate none of the ids that the cluster of this snapshot may have generated';
REVOKE EXECUTE ON FUNCTION sno_restore(jsonb) FROM PUBLIC;

CREATE FUNCTION sno_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_reset() IS 'forget which ids were generated ahead of the clock; only after the partition or the sequences were changed';
REVOKE EXECUTE ON FUNCTION sno_reset() FROM PUBLIC;

CREATE FUNCTION sno_origin_create() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_origin_create() IS 'create the replication origin in which this cluster keeps reservations, unless it has one';
REVOKE EXECUTE ON FUNCTION sno_origin_create() FROM PUBLIC;

CREATE FUNCTION sno_origin_drop() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_origin_drop() IS 'drop that replication origin, when this cluster will generate no more ids; they could come again';
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
COMMENT ON FUNCTION sno_partition_suffixes() IS 'formats of the time that sno_create_partitions ends names with';

-- A former partition is known by what detaching it concurrently has left: a
-- constraint of its bounds.  As another table can have such a constraint, it must
-- also have the name that sno_create_partitions gives to what begins there, and
-- the schema, owner and columns of the parent.
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
			UNION ALL
			SELECT c.oid, first_id, end_id
			FROM parent AS p
			JOIN pg_class AS c ON c.relnamespace = p.relnamespace AND c.relowner = p.relowner
				AND c.relpersistence = p.relpersistence AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'c' AND k.convalidated,
				pg_get_constraintdef(k.oid) AS definition,
				substring(definition, '>=[)]? ''(.{16})''') AS first_id,
				substring(definition, '<[)]? ''(.{16})''') AS end_id
			WHERE definition = format('CHECK (((%%1$s IS NOT NULL) AND (%%1$s OPERATOR(%1$s.>=) %%2$L::%1$s.sno) AND (%%1$s OPERATOR(%1$s.<) %%3$L::%1$s.sno)))',
					p.key, first_id, end_id)
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
		USING parent;
END
$$;
COMMENT ON FUNCTION sno_detached_partitions(regclass) IS 'the former partitions of a table by range of ids that were detached concurrently, in order';

-- The periods of a step lie on a grid in UTC, of months since 2000-01-01 or of
-- anything else since Monday, 2001-01-01.  Their bounds, and those of the
-- partitions that are there, cut time into pieces; a running count tells which
-- of them are in a partition.
--
-- Bounds are sorted as bytes, which have the same order, because pg_upgrade
-- creates functions before the operator class that sorting snos would need.
--
-- What is called is settled when the extension is created.  It must not be what
-- somebody has put into its schema before, and fits better than the server's.
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
		RAISE EXCEPTION 'the time from which to create partitions must be before the one up to which'
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
COMMENT ON FUNCTION sno_create_partitions(regclass, timestamptz, timestamptz, interval, regclass, text) IS 'create the missing partitions of a table by range of ids, for all times between two; each covers one step, is partitioned as a template is, and has a CHECK of its times';

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
COMMENT ON FUNCTION sno_drop_partitions(regclass, timestamptz, boolean) IS 'drop the partitions of a table by range of ids that lie wholly before a time, and if asked for former ones that were detached concurrently';
