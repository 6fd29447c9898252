--
-- Bounds that people write.  Where there is no such id, these two raise an error.
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
-- Time as a predicate.  Comparing an id with an instant, a range of instants or a
-- prefix of the text means comparing it with their first id, or their first and last.
--

-- The bounds that comparisons use.  These raise no error.  Where no id is at or after
-- an instant, they give sno_max(); where no id is in a range or has a prefix, the first
-- one is after the last one.
CREATE FUNCTION sno_first_at(timestamptz) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_first_at(timestamptz) IS 'the first id whose time is at or after the instant';
CREATE FUNCTION sno_first_after(timestamptz) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_first_after(timestamptz) IS 'the first id whose time is after the instant';
CREATE FUNCTION sno_range_first(tstzrange) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_range_first(tstzrange) IS 'the first id whose time is within the range';
CREATE FUNCTION sno_range_last(tstzrange) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_range_last(tstzrange) IS 'the last id whose time is within the range';
CREATE FUNCTION sno_prefix_first(text) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_prefix_first(text) IS 'the first id whose text starts with the prefix';
CREATE FUNCTION sno_prefix_last(text) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION sno_prefix_last(text) IS 'the last id whose text starts with the prefix';

-- The planner puts a comparison of ids in place of these: id >= t is
-- id >= sno_first_at(t), id < t is id < sno_first_at(t), id > t is
-- id >= sno_first_after(t), and id <= t is id < sno_first_after(t).  For all ids except
-- one, the result is that of comparing sno_timestamp(id) with t.  The exception is
-- sno_max(): sno_max() > t is true for its own time, and for every later one, as
-- sno_first_after(t) is sno_max() itself then.
CREATE FUNCTION sno_bounds_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_bounds_support(internal) IS 'planner support for comparisons of a sno with a time or a prefix';
CREATE FUNCTION sno_lt_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION sno_le_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION sno_ge_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION sno_gt_timestamptz(sno, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION timestamptz_lt_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_lt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION timestamptz_le_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_le' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION timestamptz_ge_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_ge' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;
CREATE FUNCTION timestamptz_gt_sno(timestamptz, sno) RETURNS boolean
	AS 'MODULE_PATHNAME', 'sno_timestamptz_gt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT sno_bounds_support;

-- The arguments have the type of a domain, which matches less well than tstzrange.
-- With tstzrange, these operators would be the best match for every tstzrange next to
-- an untyped literal, also without a sno: during @> '[2026-01-01,2026-02-01)'.
CREATE DOMAIN sno_period AS tstzrange;
COMMENT ON DOMAIN sno_period IS 'a tstzrange, as an argument of the operators of sno';

-- The support function puts these bodies in place of the operators; the server would do
-- it more slowly.  The functions are not STRICT, because the server inlines no strict
-- function as an AND.  They still return null where an argument is null.  An argument
-- that is a subselect, or expensive, is not repeated: then the support function gives
-- both comparisons to an index on the id, as its condition.
CREATE FUNCTION sno_contained_by_range(sno, sno_period) RETURNS boolean
	LANGUAGE SQL IMMUTABLE LEAKPROOF PARALLEL SAFE SUPPORT sno_bounds_support
	RETURN $1 >= sno_range_first($2)
		AND $1 <= sno_range_last($2);
CREATE FUNCTION sno_range_contains(sno_period, sno) RETURNS boolean
	LANGUAGE SQL IMMUTABLE LEAKPROOF PARALLEL SAFE SUPPORT sno_bounds_support
	RETURN sno_contained_by_range($2, $1);
CREATE FUNCTION sno_starts_with(sno, text) RETURNS boolean
	LANGUAGE SQL IMMUTABLE LEAKPROOF PARALLEL SAFE SUPPORT sno_bounds_support
	RETURN $1 >= sno_prefix_first($2)
		AND $1 <= sno_prefix_last($2);

-- The same with tstzmultirange: the bounds of all ranges together, and a check of
-- each.  Next to an untyped literal, as in id <@ '[2026-01-01,2026-02-01)', a range
-- is meant: so here sno is a domain as well, and matches less well than above.
CREATE DOMAIN sno_periods AS tstzmultirange;
COMMENT ON DOMAIN sno_periods IS 'a tstzmultirange, as an argument of the operators of sno';
CREATE DOMAIN sno_operand AS sno;
COMMENT ON DOMAIN sno_operand IS 'a sno, as an argument of the operators with a tstzmultirange';

CREATE FUNCTION sno_contained_by_multirange(sno_operand, sno_periods) RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE SUPPORT sno_bounds_support
	RETURN $1 >= sno_range_first(range_merge($2))
		AND $1 <= sno_range_last(range_merge($2))
		AND elem_contained_by_multirange(sno_timestamp($1), $2);
CREATE FUNCTION sno_multirange_contains(sno_periods, sno_operand) RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE SUPPORT sno_bounds_support
	RETURN sno_contained_by_multirange($2, $1);

-- The planner replaces these operators, so the estimators see comparisons of ids.  For one
-- that is not replaced, as in id >= ANY (instants), they return that of an unknown bound.
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
-- Where the planner does not replace these, it expects 0.005 of the rows, as for a
-- range of which nothing is known.
CREATE OPERATOR <@ (FUNCTION = sno_contained_by_range, LEFTARG = sno, RIGHTARG = sno_period,
	COMMUTATOR = @>, RESTRICT = areasel, JOIN = areajoinsel);
COMMENT ON OPERATOR <@ (sno, sno_period) IS 'time of the id is within the range';
CREATE OPERATOR @> (FUNCTION = sno_range_contains, LEFTARG = sno_period, RIGHTARG = sno,
	COMMUTATOR = <@, RESTRICT = areasel, JOIN = areajoinsel);
COMMENT ON OPERATOR @> (sno_period, sno) IS 'range contains the time of the id';
CREATE OPERATOR <@ (FUNCTION = sno_contained_by_multirange, LEFTARG = sno_operand, RIGHTARG = sno_periods,
	COMMUTATOR = @>, RESTRICT = areasel, JOIN = areajoinsel);
COMMENT ON OPERATOR <@ (sno_operand, sno_periods) IS 'time of the id is within one of the ranges';
CREATE OPERATOR @> (FUNCTION = sno_multirange_contains, LEFTARG = sno_periods, RIGHTARG = sno_operand,
	COMMUTATOR = <@, RESTRICT = areasel, JOIN = areajoinsel);
COMMENT ON OPERATOR @> (sno_periods, sno_operand) IS 'one of the ranges contains the time of the id';
CREATE OPERATOR ^@ (FUNCTION = sno_starts_with, LEFTARG = sno, RIGHTARG = text,
	RESTRICT = areasel, JOIN = areajoinsel);
COMMENT ON OPERATOR ^@ (sno, text) IS 'text of the id starts with the prefix';
