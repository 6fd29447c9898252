--
-- What users call
--

CREATE FUNCTION @extschema@.sno_registry_acquire(owner text, count integer DEFAULT NULL, ttl interval DEFAULT NULL,
	margin interval DEFAULT NULL, instance text DEFAULT NULL,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	at CONSTANT timestamptz := clock_timestamp();
	until CONSTANT timestamptz := @extschema@.sno_registry_ceil(at + ttl);
	wanted CONSTANT integer := coalesce(count, 16);
	least_margin interval;
	before timestamptz;
	alignment integer := 1;
	known record;
BEGIN
	PERFORM @extschema@.sno_registry_begin();
	PERFORM @extschema@.sno_registry_check(owner, wanted, coalesce(ttl, interval '1 day'), at);
	PERFORM @extschema@.sno_registry_check_margin(margin, at);
	PERFORM @extschema@.sno_registry_check_open(text 'acquired');

	LOOP
		SELECT r.partitions, r.instance, r.usable_from, r.expires, r.expires <= at AS has_expired INTO known
			FROM @extschema@.sno_registry_range AS r WHERE r.owner = sno_registry_acquire.owner FOR UPDATE;
		IF FOUND AND known.has_expired AND known.instance <> coalesce(instance, '') THEN
			-- As for any other owner
			UPDATE @extschema@.sno_registry_range AS r
				SET owner = NULL, instance = NULL, since = NULL, usable_from = NULL
				WHERE r.owner = sno_registry_acquire.owner;
		ELSIF FOUND THEN
			PERFORM @extschema@.sno_registry_check_instance(owner, known.instance, instance, known.expires);
			partition := lower(known.partitions);
			partition_count := upper(known.partitions) - partition;
			IF partition_count < count THEN
				RAISE EXCEPTION '"%" has % partitions, fewer than %', owner, partition_count, count
					USING ERRCODE = 'object_not_in_prerequisite_state',
						HINT = 'Release them and acquire others, or acquire more under another name.';
			END IF;
			-- Nothing goes back, whatever the clock did
			UPDATE @extschema@.sno_registry_range AS r SET
					instance = sno_registry_acquire.instance,
					since = CASE WHEN known.has_expired THEN at ELSE r.since END,
					usable_from = CASE WHEN known.has_expired THEN greatest(r.usable_from, @extschema@.sno_registry_ceil(at)) ELSE r.usable_from END,
					expires = CASE WHEN r.expires IS NOT NULL AND until IS NOT NULL THEN greatest(r.expires, until) END
				WHERE r.owner = sno_registry_acquire.owner
				RETURNING r.usable_from, r.expires INTO usable_from, expires;
			EXIT;
		END IF;

		IF least_margin IS NULL THEN
			-- Others may have acquired under this name meanwhile
			least_margin := @extschema@.sno_registry_lock(at);
			before := at - greatest(margin, least_margin);
			CONTINUE;
		END IF;
		-- The smallest free range that has a place for this many, at a multiple of the
		-- next power of two
		WHILE alignment < wanted LOOP
			alignment := alignment * 2;
		END LOOP;
		FOR attempt IN 1 .. 2 LOOP
			SELECT place.first INTO partition
				FROM @extschema@.sno_registry_range AS r,
					LATERAL (SELECT (lower(r.partitions) + alignment - 1) / alignment * alignment AS first) AS place
				WHERE r.owner IS NULL AND upper(r.partitions) - lower(r.partitions) >= wanted
					AND place.first + wanted <= upper(r.partitions) AND r.expires <= before
				ORDER BY upper(r.partitions) - lower(r.partitions), lower(r.partitions) LIMIT 1;
			EXIT WHEN FOUND;
			PERFORM @extschema@.sno_registry_collect(before);
		END LOOP;
		IF partition IS NULL THEN
			SELECT min(r.expires) + (at - before) AS free_at INTO known
				FROM @extschema@.sno_registry_range AS r
				WHERE upper(r.partitions) - (lower(r.partitions) + alignment - 1) / alignment * alignment >= wanted;
			RAISE EXCEPTION 'no range of % partitions is free', wanted
				USING ERRCODE = 'program_limit_exceeded',
					HINT = concat('Release what is no longer used, or ask for fewer',
						CASE WHEN known.free_at IS NULL THEN '.' ELSE concat('; one expires, and is free from ', known.free_at, ' on.') END);
		END IF;
		INSERT INTO @extschema@.sno_registry_range AS r (partitions, owner, instance, since, usable_from, expires)
			SELECT int4range(partition, partition + wanted), owner, instance, at,
				greatest(@extschema@.sno_registry_take(partition, wanted, before), @extschema@.sno_registry_ceil(at)), until
			RETURNING wanted, r.usable_from, r.expires INTO partition_count, usable_from, expires;
		EXIT;
	END LOOP;
	IF usable_from > at + interval '1 second' THEN
		RAISE WARNING 'the partitions of "%" are usable only from % on', owner, usable_from
			USING DETAIL = 'The registry''s clock was ahead of now when they were acquired or released before.',
				HINT = 'If you cannot wait, acquire others under another name.';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_acquire(text, integer, interval, interval, text) IS 'get partitions for an owner: those it has, or else a free range; for good, or for the time to live';

CREATE FUNCTION @extschema@.sno_registry_adopt(owner text, first integer, count integer DEFAULT 1,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	at CONSTANT timestamptz := clock_timestamp();
BEGIN
	PERFORM @extschema@.sno_registry_begin();
	PERFORM @extschema@.sno_registry_check(owner, count, interval '1 day', at);
	IF first IS NULL THEN
		RAISE EXCEPTION 'first must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF first NOT BETWEEN 0 AND 65536 - count THEN
		RAISE EXCEPTION 'partitions out of range: % starting at %', count, first
			USING ERRCODE = 'numeric_value_out_of_range',
				DETAIL = 'The first partition is 0, the last one 65535.';
	END IF;
	PERFORM @extschema@.sno_registry_check_open(text 'adopted');
	PERFORM @extschema@.sno_registry_lock(at);

	UPDATE @extschema@.sno_registry_range AS r SET expires = NULL
		WHERE r.owner = sno_registry_adopt.owner AND r.partitions @> int4range(first, first + count);
	IF NOT FOUND THEN
		PERFORM @extschema@.sno_registry_record(owner, first, count, at,
			text 'Give one of the two another sno.partition, such as one from sno_registry_acquire.');
	END IF;
	SELECT lower(r.partitions), upper(r.partitions) - lower(r.partitions), r.usable_from
		INTO partition, partition_count, usable_from
		FROM @extschema@.sno_registry_range AS r WHERE r.owner = sno_registry_adopt.owner;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_adopt(text, integer, integer) IS 'record partitions that an owner already uses, such as the automatic one of a cluster';

CREATE FUNCTION @extschema@.sno_registry_renew(owner text, ttl interval, instance text DEFAULT NULL,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	at CONSTANT timestamptz := clock_timestamp();
	known record;
BEGIN
	PERFORM @extschema@.sno_registry_begin();
	PERFORM @extschema@.sno_registry_check(owner, 1, ttl, at);
	PERFORM @extschema@.sno_registry_check_open(text 'renewed');
	UPDATE @extschema@.sno_registry_range AS r
		SET expires = CASE WHEN r.expires IS NOT NULL THEN greatest(r.expires, @extschema@.sno_registry_ceil(at + ttl)) END
		WHERE r.owner = sno_registry_renew.owner AND (r.expires > at) IS NOT FALSE
			AND (r.instance = coalesce(sno_registry_renew.instance, '')) IS NOT FALSE
		RETURNING lower(r.partitions), upper(r.partitions) - lower(r.partitions), r.usable_from, r.expires
		INTO partition, partition_count, usable_from, expires;
	IF NOT FOUND THEN
		SELECT r.instance, r.expires, r.expires <= at AS has_expired INTO known
			FROM @extschema@.sno_registry_range AS r WHERE r.owner = sno_registry_renew.owner;
		IF FOUND AND known.has_expired IS NOT TRUE THEN
			PERFORM @extschema@.sno_registry_check_instance(owner, known.instance, instance, known.expires);
		END IF;
		RAISE EXCEPTION 'the partitions of "%" have expired', owner
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = coalesce('They expired at ' || known.expires::text || '.', 'No partitions are on record for it any more.'),
				HINT = 'Generate no more ids in them, and acquire partitions again.';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_renew(text, interval, text) IS 'let an owner keep its partitions for this long from now on';

CREATE FUNCTION @extschema@.sno_registry_release(owner text, instance text DEFAULT NULL) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	at CONSTANT timestamptz := clock_timestamp();
	known record;
BEGIN
	PERFORM @extschema@.sno_registry_begin();
	PERFORM @extschema@.sno_registry_check(owner, 1, interval '1 day', at);
	SELECT r.instance, r.expires INTO known
		FROM @extschema@.sno_registry_range AS r WHERE r.owner = sno_registry_release.owner FOR UPDATE;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'no partitions are on record for "%"', owner USING ERRCODE = 'undefined_object';
	END IF;
	IF instance IS NOT NULL THEN
		PERFORM @extschema@.sno_registry_check_instance(owner, known.instance, instance, known.expires);
	END IF;
	UPDATE @extschema@.sno_registry_range AS r
		SET owner = NULL, instance = NULL, since = NULL, usable_from = NULL,
			expires = greatest(r.usable_from, least(r.expires, @extschema@.sno_registry_ceil(at)))
		WHERE r.owner = sno_registry_release.owner;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_release(text, text) IS 'give back the partitions of an owner that makes no more ids in them';
