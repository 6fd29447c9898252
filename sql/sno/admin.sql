--
-- Operate
--

CREATE FUNCTION sno_stat(OUT partition integer, OUT partition_source text, OUT partition_count integer,
	OUT sequence_min integer, OUT sequence_max integer, OUT capacity integer, OUT max_lead double precision,
	OUT last_tick timestamptz, OUT plane integer, OUT reserved_until timestamptz, OUT other_plane_until timestamptz,
	OUT lead double precision, OUT unresolved_age double precision,
	OUT slots_claimed bigint, OUT reservations bigint, OUT step_backs bigint, OUT leads bigint,
	OUT overflow_waits bigint, OUT overflow_wait_time double precision,
	OUT reservation_waits bigint, OUT reservation_wait_time double precision,
	OUT stats_reset timestamptz)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat() IS
	'live values of the generator, as doc/administration.md describes each; durations are in milliseconds';

CREATE FUNCTION sno_stat_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat_reset() IS 'set the counters of sno_stat to 0';
REVOKE EXECUTE ON FUNCTION sno_stat_reset() FROM PUBLIC;

CREATE FUNCTION sno_reserved() RETURNS bigint[]
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_reserved() IS 'the last tick that each plane is reserved to, for sno_snapshot';

CREATE FUNCTION sno_snapshot() RETURNS jsonb
	LANGUAGE SQL VOLATILE PARALLEL SAFE
BEGIN ATOMIC
	SELECT jsonb_build_object('format', 1, 'planes', jsonb_agg(jsonb_build_object('reserved', ticks) ORDER BY plane))
	FROM unnest(sno_reserved()) WITH ORDINALITY AS reserved (ticks, plane);
END;
COMMENT ON FUNCTION sno_snapshot() IS 'what the generator has reserved, for sno_restore';

CREATE FUNCTION sno_restore_reserved(plane_0 bigint, plane_1 bigint) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_restore_reserved(bigint, bigint) IS
	'take over what servers have reserved, for sno_restore';
REVOKE EXECUTE ON FUNCTION sno_restore_reserved(bigint, bigint) FROM PUBLIC;

CREATE FUNCTION sno_restore(snapshot jsonb) RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	planes jsonb := jsonb_path_query_array(snapshot,
		'strict $.planes[*].reserved ? (@ >= 0 && @ <= 549755813887 && @ == @.floor())', silent => true);
BEGIN
	IF snapshot -> 'format' <> '1' THEN
		RAISE EXCEPTION 'unsupported sno snapshot format: %', snapshot -> 'format'
			USING ERRCODE = 'feature_not_supported', DETAIL = 'This version knows format 1.';
	END IF;
	IF snapshot -> 'format' IS NULL OR jsonb_array_length(planes) <> 2 OR jsonb_path_exists(snapshot, '$.planes[2]') THEN
		RAISE EXCEPTION 'invalid snapshot of sno'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'It must have "format" and two "planes", with "reserved" from 0 to 549755813887.';
	END IF;
	PERFORM sno_restore_reserved((planes -> 0)::bigint, (planes -> 1)::bigint);
END
$$;
COMMENT ON FUNCTION sno_restore(jsonb) IS
	'keep this cluster from generating ids that the cluster of the snapshot may have generated';
REVOKE EXECUTE ON FUNCTION sno_restore(jsonb) FROM PUBLIC;

CREATE FUNCTION sno_greatest(relation regclass, "column" smallint, below sno) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_greatest(regclass, smallint, sno) IS
	'greatest id of a column of a table that is below another, for sno_restore_from_tables; only superusers get through';
REVOKE EXECUTE ON FUNCTION sno_greatest(regclass, smallint, sno) FROM PUBLIC;

CREATE FUNCTION sno_restore_above(id sno) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_restore_above(sno) IS
	'generate only ids above another, for sno_restore_from_tables';
REVOKE EXECUTE ON FUNCTION sno_restore_above(sno) FROM PUBLIC;

CREATE FUNCTION sno_usual_lead() RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_usual_lead() IS
	'by how many seconds ids may be ahead of the clock after sno_reset, for sno_restore_from_tables';

-- No query reads the tables: it would run code of their owners.  sno_max() is no id, but
-- stands for none.  Who may write a table can write any id there.
CREATE FUNCTION sno_restore_from_tables(below sno DEFAULT NULL) RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	greatest record;
	place text;
	ahead_s bigint;
BEGIN
	WITH RECURSIVE snos(type) AS (
		SELECT 'sno'::regtype::oid
		UNION ALL
		SELECT pg_type.oid FROM pg_type JOIN snos ON typtype = 'd' AND typbasetype = type
	)
	SELECT sno_greatest(attrelid, attnum, coalesce(below, sno_max())) AS id,
		attrelid::regclass AS relation, attname INTO greatest
	FROM pg_attribute JOIN snos ON atttypid = type JOIN pg_class ON attrelid = pg_class.oid
	WHERE relkind IN ('r', 'm') AND relpersistence <> 't' AND NOT attisdropped AND attgenerated = ''
	ORDER BY id DESC NULLS LAST LIMIT 1;
	IF greatest.id IS NULL THEN
		RETURN;
	END IF;
	place := format('It is in column "%s" of table %s.', greatest.attname, greatest.relation);
	ahead_s := extract(epoch FROM sno_timestamp(greatest.id) - clock_timestamp());
	IF below IS NULL AND ahead_s > sno_usual_lead() THEN
		RAISE EXCEPTION 'the greatest sno, "%", is % s ahead of the clock', greatest.id, ahead_s
			USING ERRCODE = 'invalid_parameter_value', DETAIL = place,
				HINT = 'Give the argument "below": sno_lower_bound(now()) if the id was never generated or, if the old server''s '
					'clock was ahead, the bound of a later time.';
	END IF;
	RAISE NOTICE 'the greatest sno is "%"', greatest.id USING DETAIL = place;
	PERFORM sno_restore_above(greatest.id);
END
$$;
COMMENT ON FUNCTION sno_restore_from_tables(sno) IS
	'keep this cluster from generating ids that are not greater than those in the tables of this database, or than those '
	'of them that are below an id';
REVOKE EXECUTE ON FUNCTION sno_restore_from_tables(sno) FROM PUBLIC;

CREATE FUNCTION sno_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_reset() IS
	'forget which ids were generated ahead of the clock, and close the generator until the server restarts; use it only '
	'after changing the partition or the sequences';
REVOKE EXECUTE ON FUNCTION sno_reset() FROM PUBLIC;
CREATE FUNCTION sno_origin_create() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_origin_create() IS
	'create the replication origin in which this cluster keeps reservations, unless it has one';
REVOKE EXECUTE ON FUNCTION sno_origin_create() FROM PUBLIC;

-- pg_upgrade carries the reservations by the default of this domain: see
-- src/functions/upgrade.c
CREATE TYPE sno_reservation;

CREATE FUNCTION sno_reservation_in(cstring) RETURNS sno_reservation
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

CREATE FUNCTION sno_reservation_out(sno_reservation) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE TYPE sno_reservation (
	INPUT = sno_reservation_in,
	OUTPUT = sno_reservation_out,
	LIKE = bigint
);
REVOKE USAGE ON TYPE sno_reservation FROM PUBLIC;
COMMENT ON TYPE sno_reservation IS 'the reservations of the generator while pg_upgrade runs, otherwise 0';

CREATE DOMAIN sno_reservation_carried AS sno_reservation DEFAULT '0';
REVOKE USAGE ON TYPE sno_reservation_carried FROM PUBLIC;
COMMENT ON DOMAIN sno_reservation_carried IS 'carries the reservations of the generator through pg_upgrade';
