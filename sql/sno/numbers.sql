--
-- Ids as numbers of 64 bits, for migrations
--
-- In SQL, <<, >>, & and | have the same precedence.

-- Without the partition, the fields are exactly 64 bits: time (39), tick-tock (1),
-- metabyte (8), sequence (16).  The sign bit is the first bit of the time, which is 0
-- until 2044-11-03.  As long as it is, the numbers of one partition are in the order of
-- their ids.

CREATE FUNCTION sno_to_bigint(sno) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	ticks bigint := (extract(epoch FROM sno_timestamp($1)) - 1262304000) * 250;
BEGIN
	IF ticks >= 1::bigint << 38 THEN
		RAISE EXCEPTION 'sno out of range for type bigint'
			USING ERRCODE = 'numeric_value_out_of_range', DETAIL = 'Its time must be before 2044-11-03 19:53:47.776 UTC.';
	END IF;
	RETURN (ticks << 25) | (sno_tick_tock($1)::integer << 24)
		| (sno_meta($1) << 16) | sno_sequence($1);
END
$$;
COMMENT ON FUNCTION sno_to_bigint(sno) IS 'an id without its partition, in 64 bits; until 2044-11-03';
CREATE FUNCTION sno_from_bigint(bigint, partition integer) RETURNS sno
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF $1 < 0 THEN
		RAISE EXCEPTION 'bigint out of range for type sno: %', $1
			USING ERRCODE = 'numeric_value_out_of_range', DETAIL = 'It must not be negative.';
	END IF;
	RETURN sno_make(timestamptz '2010-01-01+00' + ($1 >> 25) * interval '4 ms',
		($1 >> 16 & 255)::integer, partition, ($1 & 65535)::integer, ($1 >> 24 & 1)::integer::boolean);
END
$$;
COMMENT ON FUNCTION sno_from_bigint(bigint, integer) IS
	'the id, in this partition, of a number that sno_to_bigint made';

-- A Snowflake id is a number that is not negative: milliseconds since its epoch (41),
-- machine (10), sequence (12).  The last two bits of the milliseconds since 1970 join
-- the sequence in front, so that nothing is lost, and one machine's ids keep their
-- order: a tick is four of these milliseconds.

CREATE FUNCTION sno_from_snowflake(bigint, meta integer DEFAULT 0, epoch_ms bigint DEFAULT 1288834974657) RETURNS sno
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	-- Since 1970; the sum may be too large for a bigint
	ms numeric := ($1 >> 22)::numeric + epoch_ms;
	wrong text := CASE
		WHEN $1 < 0 THEN 'A Snowflake id must not be negative.'
		WHEN ms < 1262304000000 THEN 'Its time is before the epoch of the result.'
		WHEN ms >= 1262304000000 + (1::bigint << 41) THEN 'Its time is after the last one the result can hold.'
	END;
BEGIN
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION 'Snowflake id out of range for type sno'
			USING ERRCODE = 'numeric_value_out_of_range', DETAIL = wrong;
	END IF;
	RETURN sno_make(timestamptz 'epoch' + ms::float8 * interval '1 ms', meta,
		($1 >> 12 & 1023)::integer, ((ms::bigint & 3) << 12 | ($1 & 4095))::integer, false);
END
$$;
COMMENT ON FUNCTION sno_from_snowflake(bigint, integer, bigint) IS
	'a Snowflake id as a sno; epoch in milliseconds since 1970';
CREATE FUNCTION sno_to_snowflake(sno, epoch_ms bigint DEFAULT 1288834974657) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	partition integer := sno_partition($1);
	sequence integer := sno_sequence($1);
	ms numeric := extract(epoch FROM sno_timestamp($1)) * 1000 + (sequence >> 12) - epoch_ms;
	wrong text := CASE
		WHEN sno_tick_tock($1) THEN 'Its tick-tock bit is set, which a Snowflake id has no place for.'
		WHEN partition > 1023 THEN 'Its partition is over 1023, the largest machine number of a Snowflake id.'
		WHEN sequence > 16383 THEN 'Its sequence is over 16383, the largest that a Snowflake id has room for.'
		WHEN ms < 0 THEN 'Its time is before the epoch of the result.'
		WHEN ms >= 1::bigint << 41 THEN 'Its time is after the last one the result can hold.'
	END;
BEGIN
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION 'sno out of range for a Snowflake id'
			USING ERRCODE = 'numeric_value_out_of_range', DETAIL = wrong;
	END IF;
	RETURN (ms::bigint << 22) | (partition << 12) | (sequence & 4095);
END
$$;
COMMENT ON FUNCTION sno_to_snowflake(sno, bigint) IS
	'a sno as a Snowflake id, without its metabyte; epoch in milliseconds since 1970';
