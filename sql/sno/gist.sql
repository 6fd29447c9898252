--
-- GiST
--

CREATE FUNCTION sno_gist_consistent(internal, sno, smallint, oid, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_union(internal, internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_compress(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_penalty(internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_picksplit(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_same(bytea, bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION sno_gist_strategy(integer) RETURNS smallint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_gist_strategy(integer) IS 'GiST support';

-- The key of a leaf is one id; above the leaves, a key is the first and the last id
CREATE OPERATOR CLASS sno_ops DEFAULT FOR TYPE sno USING gist AS
	STORAGE bytea,
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, OPERATOR 6 <>,
	FUNCTION 1 sno_gist_consistent(internal, sno, smallint, oid, internal),
	FUNCTION 2 sno_gist_union(internal, internal),
	FUNCTION 3 sno_gist_compress(internal),
	FUNCTION 5 sno_gist_penalty(internal, internal, internal),
	FUNCTION 6 sno_gist_picksplit(internal, internal),
	FUNCTION 7 sno_gist_same(bytea, bytea, internal),
	FUNCTION 11 sno_gist_sortsupport(internal);
COMMENT ON OPERATOR FAMILY sno_ops USING gist IS 'snos in exclusion constraints and temporal keys';
COMMENT ON OPERATOR CLASS sno_ops USING gist IS 'snos in exclusion constraints and temporal keys';

-- Servers from 18 on need this for temporal keys.  pg_upgrade copies the family as it
-- was on the old server: see "A new version of PostgreSQL" in doc/administration.md.
DO $$
BEGIN
	IF current_setting(text 'server_version_num')::integer >= 180000 THEN
		ALTER OPERATOR FAMILY sno_ops USING gist ADD FUNCTION 12 ("any", "any") sno_gist_strategy(integer);
	END IF;
END
$$;
