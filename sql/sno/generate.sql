--
-- Generate
--
-- All functions that generate are parallel restricted.  Below a Gather, the server
-- would evaluate equal calls once, and give their columns the same id.

CREATE FUNCTION sno_generate_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_generate_support(internal) IS 'planner support for sno_generate and sno_generate_many';

-- The function is volatile, but declared stable, because COPY inserts row by row where a
-- default is volatile: see src/functions/copy.c.  The high cost keeps the server from
-- inlining an SQL function that uses its argument twice: one call would become two.
CREATE FUNCTION sno_generate_for_copy(meta integer, internal) RETURNS sno
	AS 'MODULE_PATHNAME', 'sno_generate' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;
COMMENT ON FUNCTION sno_generate_for_copy(integer, internal) IS 'what COPY evaluates in place of sno_generate';
CREATE FUNCTION sno_generate(meta integer DEFAULT 0) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT sno_generate_support;
COMMENT ON FUNCTION sno_generate(integer) IS 'a new id with this metabyte, unique in the cluster';
CREATE FUNCTION sno_generate(meta integer, at timestamptz) RETURNS sno
	AS 'MODULE_PATHNAME', 'sno_generate_at' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_generate(integer, timestamptz) IS
	'an id with this metabyte for a row of the given time; not guaranteed to be unique';
CREATE FUNCTION sno_generate_many(count integer, meta integer DEFAULT 0) RETURNS SETOF sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	SUPPORT sno_generate_support;
COMMENT ON FUNCTION sno_generate_many(integer, integer) IS
	'the given number of new ids with this metabyte, one per row';
CREATE FUNCTION sno_generate_array(count integer, meta integer DEFAULT 0) RETURNS sno[]
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_generate_array(integer, integer) IS
	'the given number of new ids with this metabyte, as an array';
