--
-- The registry's own cluster, if sno is there
--

CREATE FUNCTION @extschema@.sno_registry_own_name() RETURNS text
	LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN (SELECT concat('cluster ', system_identifier) FROM pg_control_system());
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_own_name() IS 'the owner name of the registry''s own cluster';

-- What sno_stat shows, without a call of what may be in any schema and belong to
-- any role: the settings of a server that preloads sno, and otherwise the default.
-- Both rest on the hash of src/core/pool.h.  Placeholders, which a client can set, are
-- not in pg_settings.
CREATE FUNCTION @extschema@.sno_registry_own_range() RETURNS int4range
	LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	two_to_64 CONSTANT numeric := 18446744073709551616;
	hash bigint := (SELECT system_identifier FROM pg_control_system());
	first integer;
	count integer;
	factor numeric;
	product numeric;
BEGIN
	SELECT max(s.setting) FILTER (WHERE s.name = 'sno.partition'), max(s.setting) FILTER (WHERE s.name = 'sno.partition_count')
		INTO first, count
		FROM pg_settings AS s WHERE s.name IN ('sno.partition', 'sno.partition_count');
	IF first IS NULL THEN
		IF NOT EXISTS (SELECT FROM pg_extension AS e WHERE e.extname = 'sno') THEN
			RETURN 'empty';
		END IF;
		first := -1;
		count := 1;
	END IF;
	IF first = -1 THEN
		FOREACH factor IN ARRAY ARRAY[18397679294719823053, 14181476777654086739] LOOP
			product := mod(mod((hash # ((hash >> 33) & 2147483647)) * factor, two_to_64) + two_to_64, two_to_64);
			hash := CASE WHEN product < two_to_64 / 2 THEN product ELSE product - two_to_64 END;
		END LOOP;
		hash := hash # ((hash >> 33) & 2147483647);
		first := mod(CASE WHEN hash < 0 THEN hash + two_to_64 ELSE hash END, 65537 - count);
	END IF;
	RETURN int4range(first, first + count);
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_own_range() IS 'the partitions of the registry''s own cluster, empty if it has no sno, for the registry';
