-- What makes ids of other kinds, in this server; returns the names of those that
-- there are.

CREATE FUNCTION floor_palloc(int) RETURNS sno AS :'floor' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION floor_palloc_clock(int) RETURNS sno AS :'floor' LANGUAGE C VOLATILE STRICT;

CREATE SEQUENCE one;

-- The well-known recipe of ids for shards: 41 bits of milliseconds since an
-- epoch that its user chose, 13 of the shard, 10 of a sequence
CREATE SEQUENCE shard_sequence;
CREATE FUNCTION shard_id() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	epoch_ms CONSTANT bigint := 1735689600000;
	shard CONSTANT bigint := 5;
	now_ms bigint;
BEGIN
	now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
	RETURN (now_ms - epoch_ms) << 23 | shard << 10 | nextval('shard_sequence') % 1024;
END
$$;

SELECT unnest('{"floor","floor, clock",sno,bigserial,uuidv4,"shard id"}'::text[])
UNION ALL SELECT 'uuidv7' FROM pg_proc WHERE oid = to_regprocedure('uuidv7()');
