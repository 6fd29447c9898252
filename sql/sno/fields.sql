--
-- Build
--

CREATE FUNCTION sno_make(at timestamptz, meta integer DEFAULT 0, partition integer DEFAULT 0,
	sequence integer DEFAULT 0, tick_tock boolean DEFAULT false) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_make(timestamptz, integer, integer, integer, boolean) IS
	'the id with these fields; the time is floored to 4 ms';
CREATE FUNCTION sno_with_meta(sno, meta integer) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_with_meta(sno, integer) IS 'the id with another metabyte';
CREATE FUNCTION sno_with_partition(sno, partition integer) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_with_partition(sno, integer) IS 'the id with another partition';
CREATE FUNCTION sno_with_sequence(sno, sequence integer) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_with_sequence(sno, integer) IS 'the id with another sequence';

-- Inspect

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
