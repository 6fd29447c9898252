--
-- Partitions of tables, by range of ids
--

CREATE FUNCTION sno_list_partitions(parent regclass, detaching boolean)
	RETURNS TABLE (partition regclass, lower_bound sno, upper_bound sno)
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_list_partitions(regclass, boolean) IS 'the partitions of a table by range of ids that are attached, or those being detached concurrently, for sno_range_partitions and sno_detached_partitions';

CREATE FUNCTION sno_range_partitions(parent regclass)
	RETURNS TABLE (partition regclass, lower_bound sno, upper_bound sno, lower_time timestamptz, upper_time timestamptz)
	LANGUAGE SQL STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT p.partition, p.lower_bound, p.upper_bound,
		coalesce(sno_timestamp(p.lower_bound), '-infinity'),
		coalesce(sno_timestamp(p.upper_bound), 'infinity')
	FROM sno_list_partitions(parent, false) AS p
	ORDER BY p.lower_bound::bytea NULLS FIRST;
END;
COMMENT ON FUNCTION sno_range_partitions(regclass) IS 'the partitions of a table by range of ids, in order, without the default one, with the times of their bounds; a bound that is null is MINVALUE or MAXVALUE';

CREATE FUNCTION sno_partition_suffixes() RETURNS text[]
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN '{_YYYYMM,_YYYYMMDD,_YYYYMMDD_HH24MI,_YYYYMMDD_HH24MISS,_YYYYMMDD_HH24MISSMS}'::text[];
COMMENT ON FUNCTION sno_partition_suffixes() IS 'formats of the time at the end of partition names, for sno_create_partitions';

CREATE FUNCTION sno_constraint_bounds(constraint_oid oid, key name, OUT lower_bound sno, OUT upper_bound sno)
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_constraint_bounds(oid, name) IS 'the bounds of the former partition that a constraint on this column tells of, for sno_detached_partitions; null if it is another constraint';

-- A former partition has a constraint of its bounds: detaching it concurrently
-- leaves one up to PostgreSQL 18, and users add it from 19 on.  As another table
-- can have such a constraint, it must also have the name that
-- sno_create_partitions gives to what begins there, and the schema, owner and
-- columns of the parent.
CREATE FUNCTION sno_detached_partitions(parent regclass)
	RETURNS TABLE (partition regclass, lower_bound sno, upper_bound sno, lower_time timestamptz, upper_time timestamptz)
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY
		SELECT former.partition, former.lower_bound, former.upper_bound,
			coalesce(@extschema@.sno_timestamp(former.lower_bound), '-infinity'),
			coalesce(@extschema@.sno_timestamp(former.upper_bound), 'infinity')
		FROM (
			-- Detaching was interrupted: the server still knows the parent
			SELECT d.* FROM @extschema@.sno_list_partitions(sno_detached_partitions.parent, true) AS d
			UNION ALL
			SELECT c.oid::regclass, bounds.*
			FROM pg_class AS p
			JOIN pg_partitioned_table AS t ON t.partrelid = p.oid
			JOIN pg_attribute AS key ON key.attrelid = p.oid AND key.attnum = t.partattrs[0]
			JOIN pg_class AS c ON c.relnamespace = p.relnamespace AND c.relowner = p.relowner
				AND c.relpersistence = p.relpersistence AND c.relkind IN ('r', 'p') AND NOT c.relispartition,
			LATERAL (
				SELECT b.*
				FROM pg_constraint AS k, @extschema@.sno_constraint_bounds(k.oid, key.attname) AS b
				WHERE k.conrelid = c.oid AND k.contype = 'c'
					AND c.relname IN (
						SELECT p.relname || to_char(@extschema@.sno_timestamp(b.lower_bound) AT TIME ZONE 'UTC', suffix)
						FROM unnest(@extschema@.sno_partition_suffixes()) AS suffix)
				ORDER BY b.upper_bound DESC
				LIMIT 1
			) AS bounds
			WHERE p.oid = sno_detached_partitions.parent
				AND NOT EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhrelid = c.oid OR i.inhparent = c.oid AND c.relkind = 'r')
				AND NOT EXISTS (
					SELECT FROM (SELECT * FROM pg_attribute WHERE attrelid = p.oid AND attnum > 0 AND NOT attisdropped) AS a
					FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS b
						USING (attname, atttypid, atttypmod, attcollation)
					WHERE a.attnum IS NULL OR b.attnum IS NULL)
		) AS former
		ORDER BY former.lower_bound NULLS FIRST;
END
$$;
COMMENT ON FUNCTION sno_detached_partitions(regclass) IS 'the detached former partitions of a table by range of ids, in order; only those that have a constraint of their bounds';

-- The periods of a step lie on a grid in UTC, of months since 2000-01-01 or of
-- anything else since Monday, 2001-01-01.  Their bounds, and those of the
-- partitions that are there, cut time into pieces; a running count tells which
-- of them are in a partition.
--
-- Bounds are sorted as bytes, which have the same order, because pg_upgrade
-- creates functions before the operator class that sorting snos would need.
--
-- The functions it calls are looked up when the extension is created.  None may be
-- one that another role put into its schema before, and that matches better than the
-- server's.
CREATE FUNCTION sno_missing_partitions(parent regclass, "from" timestamptz, upto timestamptz, step interval)
	RETURNS TABLE (suffix text, lower_bound sno, upper_bound sno)
	LANGUAGE SQL STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	WITH change (bound, partitions) AS (
		SELECT CASE WHEN start < timestamp '2079-09-07 15:47:35.552'
			THEN sno_lower_bound(start AT TIME ZONE 'UTC')::bytea END, 0
		FROM generate_series(
			CASE WHEN step = date_trunc('month', step) THEN timestamp '2000-01-01'
				ELSE date_bin(step, "from" AT TIME ZONE 'UTC', timestamp '2001-01-01') END,
			upto AT TIME ZONE 'UTC' + step, step) AS start
		UNION ALL
		SELECT coalesce(lower_bound, sno_min())::bytea, 1 FROM sno_range_partitions(parent)
		UNION ALL
		SELECT upper_bound::bytea, -1 FROM sno_range_partitions(parent)
	),
	piece AS (
		SELECT bound AS lower_bound, pg_catalog.lead(bound) OVER by_bound AS upper_bound,
			sum(sum(partitions)) OVER by_bound AS partitions,
			sno_timestamp(bound::sno) AT TIME ZONE 'UTC' AS start
		FROM change GROUP BY bound
		WINDOW by_bound AS (ORDER BY bound)
	)
	-- Periods have names of one length, a piece that begins within one may need a
	-- longer one
	SELECT to_char(start, (sno_partition_suffixes())[CASE
			WHEN step = date_trunc('month', step) AND start = date_trunc('month', start) THEN 1
			WHEN step = date_trunc('day', step) AND start = date_trunc('day', start) THEN 2
			WHEN step = date_trunc('minute', step) AND start = date_trunc('minute', start) THEN 3
			WHEN start = date_trunc('second', start) THEN 4
			ELSE 5 END]),
		lower_bound::sno, upper_bound::sno
	FROM piece
	WHERE partitions = 0::numeric AND lower_bound <= sno_upper_bound(upto - interval '1 microsecond')::bytea
		AND (upper_bound > sno_make("from")::bytea OR upper_bound IS NULL)
	ORDER BY piece.lower_bound;
END;
COMMENT ON FUNCTION sno_missing_partitions(regclass, timestamptz, timestamptz, interval) IS 'what sno_create_partitions has to create, for a step that it accepts';

CREATE FUNCTION sno_lock_partitions(parent regclass, exclusive boolean) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_lock_partitions(regclass, boolean) IS 'wait for other sessions that create or drop partitions of a table, and keep them out, for sno_create_partitions and sno_drop_partitions';
CREATE FUNCTION sno_create_partition(parent regclass, name text, lower_bound sno, upper_bound sno,
	template regclass DEFAULT NULL, time_column text DEFAULT NULL) RETURNS regclass
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION sno_create_partition(regclass, text, sno, sno, regclass, text) IS 'create a partition with the rights of the owner of its table, for sno_create_partitions';

CREATE FUNCTION sno_create_partitions(parent regclass, "from" timestamptz, upto timestamptz, step interval,
	template regclass DEFAULT NULL, time_column text DEFAULT NULL)
	RETURNS TABLE (partition regclass, lower_bound timestamptz, upper_bound timestamptz, created boolean)
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	parent_name name;
	missing record;
	name text;
	detail text;
	all_created oid[] := '{}';
BEGIN
	IF num_nulls(parent, "from", upto, step) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_create_partitions must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;

	-- 24 hours are a day
	step := justify_hours(step);
	IF NOT isfinite(step) OR step <= '0' OR step > '1000 years' OR step <> date_trunc('second', step)
		OR date_trunc('month', step) NOT IN ('0', step) THEN
		RAISE EXCEPTION 'invalid step between partitions: %', step
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'A step is a number of months, or of days, hours, minutes and whole seconds, up to 1000 years.',
				HINT = 'For example, use interval ''1 month'' or interval ''7 days''.';
	END IF;
	IF "from" < '2010-01-01 00:00:00+00' OR upto > '2079-09-07 15:47:35.552+00' THEN
		RAISE EXCEPTION 'timestamp out of range for type sno'
			USING ERRCODE = 'datetime_field_overflow',
				DETAIL = 'A sno holds times from 2010-01-01 00:00:00 UTC to 2079-09-07 15:47:35.551999 UTC.';
	END IF;
	IF "from" >= upto THEN
		RAISE EXCEPTION '"from" must be earlier than "upto"' USING ERRCODE = 'invalid_parameter_value';
	END IF;
	IF (upto - "from") / 10000 > step THEN
		RAISE EXCEPTION 'too many partitions'
			USING ERRCODE = 'program_limit_exceeded',
				DETAIL = 'A call creates partitions for at most 10000 steps.',
				HINT = 'Use a larger step, or several calls.';
	END IF;

	-- Refuse what has no such partitions.  Then one session at a time.
	PERFORM FROM @extschema@.sno_range_partitions(parent);
	PERFORM @extschema@.sno_lock_partitions(parent, false);

	SELECT relname INTO parent_name FROM pg_class WHERE oid = parent;

	FOR missing IN
		SELECT * FROM @extschema@.sno_missing_partitions(parent, "from", upto, step)
	LOOP
		name := parent_name;
		WHILE octet_length(name || missing.suffix) > current_setting('max_identifier_length')::integer LOOP
			name := left(name, -1);
		END LOOP;
		name := name || missing.suffix;

		-- The name is taken, or the default partition has rows of that time
		BEGIN
			partition := @extschema@.sno_create_partition(parent, name,
				missing.lower_bound, missing.upper_bound, template, time_column);
			all_created := all_created || partition::oid;
		EXCEPTION WHEN duplicate_table OR duplicate_object OR check_violation THEN
			GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL;
			RAISE WARNING 'could not create partition "%": %', name, SQLERRM
				USING ERRCODE = SQLSTATE,
					DETAIL = concat_ws(E'\n', nullif(detail, ''), 'Other partitions are not affected.');
		END;
	END LOOP;

	-- No lock keeps a schema from being renamed in between.  Then some of this
	-- was done to another table, perhaps of another role, and must not last.
	IF cardinality(all_created) <> (SELECT count(*)
			FROM pg_inherits AS i WHERE i.inhparent = parent AND i.inhrelid = ANY (all_created)) THEN
		RAISE EXCEPTION 'schema of % was concurrently renamed', parent USING ERRCODE = 'serialization_failure';
	END IF;

	RETURN QUERY
		SELECT p.partition, p.lower_time, p.upper_time, p.partition = ANY (all_created)
		FROM @extschema@.sno_range_partitions(parent) AS p
		WHERE p.partition = ANY (all_created) OR p.lower_time < upto AND p.upper_time > "from"
		UNION ALL
		SELECT NULL, @extschema@.sno_timestamp(m.lower_bound),
			coalesce(@extschema@.sno_timestamp(m.upper_bound), 'infinity'), false
		FROM @extschema@.sno_missing_partitions(parent, "from", upto, step) AS m
		ORDER BY lower_time, upper_time;
END
$$;
COMMENT ON FUNCTION sno_create_partitions(regclass, timestamptz, timestamptz, interval, regclass, text) IS 'create the partitions missing between two times in a table by range of ids; each covers one step, is partitioned like the template, and has a CHECK of its times';

CREATE FUNCTION sno_drop_partition(parent regclass, partition regclass, detached boolean DEFAULT false) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_drop_partition(regclass, regclass, boolean) IS 'detach and drop a partition with the rights of the owner of its table, for sno_drop_partitions';

CREATE FUNCTION sno_drop_partitions(parent regclass, before timestamptz, detached boolean DEFAULT false,
	future boolean DEFAULT false)
	RETURNS TABLE (partition text, lower_bound timestamptz, upper_bound timestamptz, dropped boolean)
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	end_id @extschema@.sno;
	due record;
	detail text;
	hint text;
BEGIN
	IF num_nulls(parent, before, detached, future) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_drop_partitions must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF before > clock_timestamp() AND NOT future THEN
		RAISE EXCEPTION '"before" is in the future: %', before
			USING ERRCODE = 'invalid_parameter_value',
				HINT = 'To drop partitions of the present or the future, too, add future => true.';
	END IF;
	end_id := @extschema@.sno_lower_bound(before);

	-- As in sno_create_partitions
	PERFORM FROM @extschema@.sno_range_partitions(parent);
	PERFORM @extschema@.sno_lock_partitions(parent, false);

	FOR due IN
		SELECT p.* FROM @extschema@.sno_range_partitions(parent) AS p
		WHERE NOT detached AND p.upper_bound OPERATOR(@extschema@.<=) end_id
		UNION ALL
		SELECT p.* FROM @extschema@.sno_detached_partitions(parent) AS p
		WHERE detached AND p.upper_bound OPERATOR(@extschema@.<=) end_id
		ORDER BY lower_time
	LOOP
		partition := due.partition;
		lower_bound := due.lower_time;
		upper_bound := due.upper_time;
		-- Wait once for the sessions that use the table, not for each partition
		PERFORM @extschema@.sno_lock_partitions(parent, NOT detached);

		-- Something may depend on it or refer to it, also of other roles
		BEGIN
			PERFORM @extschema@.sno_drop_partition(parent, due.partition, detached);
			dropped := true;
		EXCEPTION WHEN dependent_objects_still_exist OR foreign_key_violation
				OR insufficient_privilege OR lock_not_available THEN
			GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL, hint := PG_EXCEPTION_HINT;
			RAISE WARNING 'could not drop partition %: %', partition, SQLERRM
				USING ERRCODE = SQLSTATE,
					DETAIL = concat_ws(E'\n', nullif(detail, ''), nullif(hint, ''), 'Other partitions are not affected.');
			dropped := false;
		END;

		-- As in sno_create_partitions: was it another table?
		IF dropped AND EXISTS (SELECT FROM pg_class WHERE oid = due.partition) THEN
			RAISE EXCEPTION 'table % was concurrently renamed', partition USING ERRCODE = 'serialization_failure';
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_drop_partitions(regclass, timestamptz, boolean, boolean) IS 'drop the partitions of a table by range of ids that lie wholly before a time, or else those that were detached before';
