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

-- Support functions that only newer servers know.  pg_upgrade copies families as
-- the old server had them.
CREATE FUNCTION sno_operator_families_update() RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF current_setting('server_version_num')::integer < 180000 THEN
		RETURN;
	END IF;
	IF NOT EXISTS (SELECT FROM pg_amproc WHERE amproc = '@extschema@.sno_skipsupport(internal)'::regprocedure) THEN
		ALTER OPERATOR FAMILY @extschema@.sno_ops USING btree
			ADD FUNCTION 6 (@extschema@.sno, @extschema@.sno) @extschema@.sno_skipsupport(internal);
	END IF;
	IF NOT EXISTS (SELECT FROM pg_amproc WHERE amproc = '@extschema@.sno_gist_strategy(integer)'::regprocedure) THEN
		ALTER OPERATOR FAMILY @extschema@.sno_ops USING gist
			ADD FUNCTION 12 ("any", "any") @extschema@.sno_gist_strategy(integer);
	END IF;
END
$$;
COMMENT ON FUNCTION sno_operator_families_update() IS 'after pg_upgrade, add to the operator families the support functions that the old server did not know';
REVOKE EXECUTE ON FUNCTION sno_operator_families_update() FROM PUBLIC;

SELECT sno_operator_families_update();

