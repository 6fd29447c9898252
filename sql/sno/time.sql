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

CREATE FUNCTION sno_bounds_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_bounds_support(internal) IS 'planner support for predicates of a sno that indexes do not know';
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
CREATE FUNCTION sno_le_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION sno_ge_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_gt_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION timestamptz_lt_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_lt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION timestamptz_le_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_le' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION timestamptz_ge_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_ge' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION timestamptz_gt_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_gt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_distance_timestamptz(sno, timestamptz) RETURNS double precision
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION timestamptz_distance_sno(timestamptz, sno) RETURNS double precision
	AS 'MODULE_PATHNAME', 'sno_timestamptz_distance' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_id_instant_le(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_id_instant_eq(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_id_instant_gt(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_id_instant_cmp(sno, timestamptz) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_id_lt(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_id_eq(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_id_ge(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_id_cmp(timestamptz, sno) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_lt(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_le(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_eq(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_ge(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_gt(timestamptz, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION sno_instant_cmp(timestamptz, timestamptz) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

-- With tstzrange itself, these would be the best match for every tstzrange next
-- to an untyped literal, also without a sno, as in
-- during @> '[2026-01-01,2026-02-01)'.  A domain matches less well.
CREATE DOMAIN sno_period AS tstzrange;
COMMENT ON DOMAIN sno_period IS 'a tstzrange, as an argument of the operators of sno';

CREATE FUNCTION sno_contained_by_range(sno, sno_period) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION sno_range_contains(sno_period, sno) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_bounds_support;

-- The same with tstzmultirange.  Next to an untyped literal, as in
-- id <@ '[2026-01-01,2026-02-01)', a range is meant: so here sno is a domain as
-- well, and matches less well than above.
CREATE DOMAIN sno_periods AS tstzmultirange;
COMMENT ON DOMAIN sno_periods IS 'a tstzmultirange, as an argument of the operators of sno';
CREATE DOMAIN sno_operand AS sno;
COMMENT ON DOMAIN sno_operand IS 'a sno, as an argument of the operators with a tstzmultirange';

CREATE FUNCTION sno_contained_by_multirange(sno_operand, sno_periods) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION sno_multirange_contains(sno_periods, sno_operand) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION sno_within_gaps(sno, tstzmultirange) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_contained_by_multirange' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_starts_with(sno, text) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT sno_bounds_support;

CREATE OPERATOR < (FUNCTION = sno_lt_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR < (sno, timestamptz) IS 'time of the id is before the instant';
CREATE OPERATOR <= (FUNCTION = sno_le_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR <= (sno, timestamptz) IS 'time of the id is before or at the instant';
CREATE OPERATOR >= (FUNCTION = sno_ge_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR >= (sno, timestamptz) IS 'time of the id is at or after the instant';
CREATE OPERATOR > (FUNCTION = sno_gt_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR > (sno, timestamptz) IS 'time of the id is after the instant';
CREATE OPERATOR < (FUNCTION = timestamptz_lt_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR < (timestamptz, sno) IS 'instant is before the time of the id';
CREATE OPERATOR <= (FUNCTION = timestamptz_le_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR <= (timestamptz, sno) IS 'instant is before or at the time of the id';
CREATE OPERATOR >= (FUNCTION = timestamptz_ge_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR >= (timestamptz, sno) IS 'instant is at or after the time of the id';
CREATE OPERATOR > (FUNCTION = timestamptz_gt_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR > (timestamptz, sno) IS 'instant is after the time of the id';
CREATE OPERATOR <-> (FUNCTION = sno_distance_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz,
	COMMUTATOR = <->);
COMMENT ON OPERATOR <-> (sno, timestamptz) IS 'seconds between the time of the id and the instant';
CREATE OPERATOR <-> (FUNCTION = timestamptz_distance_sno, LEFTARG = timestamptz, RIGHTARG = sno,
	COMMUTATOR = <->);
COMMENT ON OPERATOR <-> (timestamptz, sno) IS 'seconds between the instant and the time of the id';
CREATE OPERATOR <@ (FUNCTION = sno_contained_by_range, LEFTARG = sno, RIGHTARG = sno_period,
	COMMUTATOR = @>, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR <@ (sno, sno_period) IS 'time of the id is within the range';
CREATE OPERATOR @> (FUNCTION = sno_range_contains, LEFTARG = sno_period, RIGHTARG = sno,
	COMMUTATOR = <@, RESTRICT = sno_sel, JOIN = sno_joinsel);
COMMENT ON OPERATOR @> (sno_period, sno) IS 'range contains the time of the id';
CREATE OPERATOR <@ (FUNCTION = sno_contained_by_multirange, LEFTARG = sno_operand, RIGHTARG = sno_periods,
	COMMUTATOR = @>, RESTRICT = sno_sel, JOIN = contjoinsel);
COMMENT ON OPERATOR <@ (sno_operand, sno_periods) IS 'time of the id is within one of the ranges';
CREATE OPERATOR @> (FUNCTION = sno_multirange_contains, LEFTARG = sno_periods, RIGHTARG = sno_operand,
	COMMUTATOR = <@, RESTRICT = sno_sel, JOIN = contjoinsel);
COMMENT ON OPERATOR @> (sno_periods, sno_operand) IS 'one of the ranges contains the time of the id';

-- What <@ becomes, in addition to the bounds of all ranges; for the server alone
CREATE OPERATOR #<@# (FUNCTION = sno_within_gaps, LEFTARG = sno, RIGHTARG = tstzmultirange,
	RESTRICT = sno_sel, JOIN = contjoinsel);
COMMENT ON OPERATOR #<@# (sno, tstzmultirange) IS 'time of the id is within one of the ranges, among ids between the first and the last';
CREATE OPERATOR ^@ (FUNCTION = sno_starts_with, LEFTARG = sno, RIGHTARG = text,
	RESTRICT = sno_sel, JOIN = contjoinsel);
COMMENT ON OPERATOR ^@ (sno, text) IS 'text of the id starts with the prefix';

-- What a family needs beyond that to be complete, for one order over both types,
-- in which an instant sorts as the first id whose time is not before it.  These are for the server alone.

CREATE OPERATOR #<=# (FUNCTION = sno_id_instant_le, LEFTARG = sno, RIGHTARG = timestamptz);
CREATE OPERATOR #=# (FUNCTION = sno_id_instant_eq, LEFTARG = sno, RIGHTARG = timestamptz);
CREATE OPERATOR #># (FUNCTION = sno_id_instant_gt, LEFTARG = sno, RIGHTARG = timestamptz);
CREATE OPERATOR #<# (FUNCTION = sno_instant_id_lt, LEFTARG = timestamptz, RIGHTARG = sno);
CREATE OPERATOR #=# (FUNCTION = sno_instant_id_eq, LEFTARG = timestamptz, RIGHTARG = sno);
CREATE OPERATOR #>=# (FUNCTION = sno_instant_id_ge, LEFTARG = timestamptz, RIGHTARG = sno);
CREATE OPERATOR #<# (FUNCTION = sno_instant_lt, LEFTARG = timestamptz, RIGHTARG = timestamptz);
CREATE OPERATOR #<=# (FUNCTION = sno_instant_le, LEFTARG = timestamptz, RIGHTARG = timestamptz);
CREATE OPERATOR #=# (FUNCTION = sno_instant_eq, LEFTARG = timestamptz, RIGHTARG = timestamptz);
CREATE OPERATOR #>=# (FUNCTION = sno_instant_ge, LEFTARG = timestamptz, RIGHTARG = timestamptz);
CREATE OPERATOR #># (FUNCTION = sno_instant_gt, LEFTARG = timestamptz, RIGHTARG = timestamptz);

ALTER OPERATOR FAMILY sno_ops USING btree ADD
	OPERATOR 1 < (sno, timestamptz), OPERATOR 2 #<=# (sno, timestamptz),
	OPERATOR 3 #=# (sno, timestamptz),
	OPERATOR 4 >= (sno, timestamptz), OPERATOR 5 #># (sno, timestamptz),
	FUNCTION 1 (sno, timestamptz) sno_id_instant_cmp(sno, timestamptz),
	OPERATOR 1 #<# (timestamptz, sno), OPERATOR 2 <= (timestamptz, sno),
	OPERATOR 3 #=# (timestamptz, sno),
	OPERATOR 4 #>=# (timestamptz, sno), OPERATOR 5 > (timestamptz, sno),
	FUNCTION 1 (timestamptz, sno) sno_instant_id_cmp(timestamptz, sno),
	OPERATOR 1 #<# (timestamptz, timestamptz), OPERATOR 2 #<=# (timestamptz, timestamptz),
	OPERATOR 3 #=# (timestamptz, timestamptz),
	OPERATOR 4 #>=# (timestamptz, timestamptz), OPERATOR 5 #># (timestamptz, timestamptz),
	FUNCTION 1 (timestamptz, timestamptz) sno_instant_cmp(timestamptz, timestamptz);

ALTER OPERATOR FAMILY sno_minmax_ops USING brin ADD
	OPERATOR 1 < (sno, timestamptz), OPERATOR 2 #<=# (sno, timestamptz),
	OPERATOR 3 #=# (sno, timestamptz),
	OPERATOR 4 >= (sno, timestamptz), OPERATOR 5 #># (sno, timestamptz);

ALTER OPERATOR FAMILY sno_minmax_multi_ops USING brin ADD
	OPERATOR 1 < (sno, timestamptz), OPERATOR 2 #<=# (sno, timestamptz),
	OPERATOR 3 #=# (sno, timestamptz),
	OPERATOR 4 >= (sno, timestamptz), OPERATOR 5 #># (sno, timestamptz);
