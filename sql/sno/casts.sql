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

CREATE FUNCTION sno_to_date(sno) RETURNS date
	LANGUAGE SQL STABLE STRICT PARALLEL SAFE
	RETURN sno_timestamp($1)::date;
COMMENT ON FUNCTION sno_to_date(sno) IS 'day of an id, in the time zone of the session';

CREATE CAST (sno AS date) WITH FUNCTION sno_to_date(sno);
COMMENT ON CAST (sno AS date) IS 'day of an id, in the time zone of the session';

-- For ids in the place of a time.  They make no call ambiguous.
CREATE FUNCTION to_char(sno, text) RETURNS text
	LANGUAGE SQL STABLE STRICT PARALLEL SAFE
	RETURN to_char(sno_timestamp($1), $2);
COMMENT ON FUNCTION to_char(sno, text) IS 'time of an id, formatted, in the time zone of the session';

CREATE FUNCTION sno_mi(sno, sno) RETURNS interval
	LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_timestamp($1) - sno_timestamp($2);

CREATE OPERATOR - (FUNCTION = sno_mi, LEFTARG = sno, RIGHTARG = sno);
COMMENT ON OPERATOR -(sno, sno) IS 'time between two ids';

-- Here, because it needs the casts to text and bytea
CREATE FUNCTION sno_inspect(id sno, OUT "timestamp" timestamptz, OUT tick_tock boolean, OUT meta integer,
	OUT partition integer, OUT sequence integer, OUT text text, OUT bytes bytea)
	LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT sno_timestamp(id), sno_tick_tock(id), sno_meta(id), sno_partition(id), sno_sequence(id),
		id::text, id::bytea;
END;
COMMENT ON FUNCTION sno_inspect(sno) IS 'all fields of an id, its text and its bytes';
