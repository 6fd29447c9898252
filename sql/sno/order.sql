--
-- Order
--

CREATE FUNCTION sno_lt(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_le(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_eq(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_ne(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_ge(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_gt(sno, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_cmp(sno, sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_in_range(value sno, base sno, distance interval, sub boolean, less boolean) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_in_range(sno, sno, interval, boolean, boolean) IS 'window RANGE support: distances are in time';
CREATE FUNCTION sno_hash(sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_hash_extended(sno, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_brin_minmax_opcinfo(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_brin_minmax_multi_opcinfo(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_brin_distance(internal, internal) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_sel(internal, oid, internal, integer) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_sel(internal, oid, internal, integer) IS 'restriction selectivity of operators of a sno';
CREATE FUNCTION sno_joinsel(internal, oid, internal, smallint, internal) RETURNS double precision
	AS 'MODULE_PATHNAME', 'sno_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_joinsel(internal, oid, internal, smallint, internal) IS
	'join selectivity of operators of a sno';

CREATE OPERATOR < (FUNCTION = sno_lt, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR < (sno, sno) IS 'less than';
CREATE OPERATOR <= (FUNCTION = sno_le, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR <= (sno, sno) IS 'less than or equal';
CREATE OPERATOR = (FUNCTION = sno_eq, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (sno, sno) IS 'equal';
CREATE OPERATOR <> (FUNCTION = sno_ne, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (sno, sno) IS 'not equal';
CREATE OPERATOR >= (FUNCTION = sno_ge, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR >= (sno, sno) IS 'greater than or equal';
CREATE OPERATOR > (FUNCTION = sno_gt, LEFTARG = sno, RIGHTARG = sno,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR > (sno, sno) IS 'greater than';

CREATE OPERATOR CLASS sno_ops DEFAULT FOR TYPE sno USING btree AS
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
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
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
	FUNCTION 1 sno_brin_minmax_opcinfo(internal),
	FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
	FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR FAMILY sno_minmax_ops USING brin IS 'a range of snos per block range';
COMMENT ON OPERATOR CLASS sno_minmax_ops USING brin IS 'a range of snos per block range';

CREATE OPERATOR CLASS sno_minmax_multi_ops FOR TYPE sno USING brin AS
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
	FUNCTION 1 sno_brin_minmax_multi_opcinfo(internal),
	FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, integer),
	FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
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

CREATE AGGREGATE min(sno) (SFUNC = sno_smaller, STYPE = sno, COMBINEFUNC = sno_smaller,
	SORTOP = <, PARALLEL = SAFE);
COMMENT ON AGGREGATE min(sno) IS 'minimum of all input ids: the first one';

CREATE AGGREGATE max(sno) (SFUNC = sno_larger, STYPE = sno, COMBINEFUNC = sno_larger,
	SORTOP = >, PARALLEL = SAFE);
COMMENT ON AGGREGATE max(sno) IS 'maximum of all input ids: the last one';
