--
-- Partitions
--

CREATE FUNCTION sno_range_partitions(parent regclass)
	RETURNS TABLE (partition regclass, lower_bound sno, upper_bound sno, lower_time timestamptz, upper_time timestamptz)
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- A domain over sno is refused, as its checks would be run by whoever creates
	-- partitions
	IF NOT EXISTS (SELECT FROM pg_partitioned_table AS p
			JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
			WHERE p.partrelid = parent AND p.partstrat = 'r' AND p.partnatts = 1
				AND a.atttypid = '@extschema@.sno'::regtype) THEN
		RAISE EXCEPTION 'relation % is not partitioned by range of snos', parent
			USING ERRCODE = 'wrong_object_type',
				DETAIL = 'It must be a table PARTITION BY RANGE (id), where id is a column of type sno.';
	END IF;

	RETURN QUERY
		SELECT c.oid::regclass, first_id::@extschema@.sno, end_id::@extschema@.sno,
			coalesce(@extschema@.sno_timestamp(first_id::@extschema@.sno), '-infinity'),
			coalesce(@extschema@.sno_timestamp(end_id::@extschema@.sno), 'infinity')
		FROM pg_inherits AS i
		JOIN pg_class AS c ON c.oid = i.inhrelid,
			pg_get_expr(c.relpartbound, c.oid) AS bound,
			substring(bound, 'FROM [(]''(.{16})''[)]') AS first_id,
			substring(bound, 'TO [(]''(.{16})''[)]') AS end_id
		WHERE i.inhparent = parent AND NOT i.inhdetachpending AND bound <> 'DEFAULT'
		ORDER BY first_id COLLATE "C" NULLS FIRST;
END
$$;
COMMENT ON FUNCTION sno_range_partitions(regclass) IS 'the partitions of a table by range of ids, in order, without the default one, with the times of their bounds; a bound that is null is MINVALUE or MAXVALUE';

CREATE FUNCTION sno_partition_suffixes() RETURNS text[]
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN '{_YYYYMM,_YYYYMMDD,_YYYYMMDD_HH24MI,_YYYYMMDD_HH24MISS,_YYYYMMDD_HH24MISSMS}'::text[];
COMMENT ON FUNCTION sno_partition_suffixes() IS 'formats of the time at the end of partition names, for sno_create_partitions';

-- A former partition is known by what detaching it concurrently leaves up to
-- PostgreSQL 18, and users add from 19 on: a constraint of its bounds.  As another
-- table can have such a constraint, it must also have the name that
-- sno_create_partitions gives to what begins there, and the schema, owner and
-- columns of the parent.
--
-- The planner may well look at the name first, so what is taken for an id must be
-- one, in whatever constraint.
CREATE FUNCTION sno_detached_partitions(parent regclass)
	RETURNS TABLE (partition regclass, lower_bound sno, upper_bound sno, lower_time timestamptz, upper_time timestamptz)
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	-- Refuse what has no such partitions
	PERFORM FROM @extschema@.sno_range_partitions(parent);

	RETURN QUERY
		WITH parent AS (
			SELECT c.*, quote_ident(a.attname) AS key
			FROM pg_class AS c
			JOIN pg_partitioned_table AS p ON p.partrelid = c.oid
			JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
			WHERE c.oid = sno_detached_partitions.parent
		),
		former (oid, first_id, end_id) AS (
			-- Detaching was broken off: the server still knows whose they are
			SELECT c.oid, substring(bound, 'FROM [(]''(.{16})''[)]'), substring(bound, 'TO [(]''(.{16})''[)]')
			FROM pg_inherits AS i
			JOIN pg_class AS c ON c.oid = i.inhrelid,
				pg_get_expr(c.relpartbound, c.oid) AS bound
			WHERE i.inhparent = sno_detached_partitions.parent AND i.inhdetachpending AND bound <> 'DEFAULT'
			UNION
			SELECT c.oid, first_id, end_id
			FROM parent AS p
			JOIN pg_class AS c ON c.relnamespace = p.relnamespace AND c.relowner = p.relowner
				AND c.relpersistence = p.relpersistence AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'c',
				pg_get_constraintdef(k.oid) AS definition,
				substring(definition, '>=[)]? ''([2-9a-x]{16})''') AS first_id,
				substring(definition, '<[)]? ''([2-9a-x]{16})''') AS end_id
			WHERE regexp_replace(definition, ' NOT VALID$', '') = format('CHECK (((%1$s IS NOT NULL) AND (%1$s OPERATOR(%4$s.>=) %2$L::%4$s.sno) AND (%1$s OPERATOR(%4$s.<) %3$L::%4$s.sno)))',
					p.key, first_id, end_id, '@extschema@')
				AND c.relname IN (SELECT p.relname || to_char(@extschema@.sno_timestamp(first_id::@extschema@.sno) AT TIME ZONE 'UTC', suffix)
					FROM unnest(@extschema@.sno_partition_suffixes()) AS suffix)
				AND NOT EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhrelid = c.oid OR i.inhparent = c.oid AND c.relkind = 'r')
				AND NOT EXISTS (
					SELECT FROM (SELECT * FROM pg_attribute WHERE attrelid = p.oid AND attnum > 0 AND NOT attisdropped) AS a
					FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS b
						USING (attname, atttypid, atttypmod, attcollation)
					WHERE a.attnum IS NULL OR b.attnum IS NULL)
		)
		SELECT f.oid::regclass, f.first_id::@extschema@.sno, end_id::@extschema@.sno,
			coalesce(@extschema@.sno_timestamp(first_id::@extschema@.sno), '-infinity'),
			coalesce(@extschema@.sno_timestamp(end_id::@extschema@.sno), 'infinity')
		FROM former AS f
		ORDER BY f.first_id COLLATE "C" NULLS FIRST;
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
-- one that somebody put into its schema before, and that fits better than the
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

CREATE FUNCTION sno_lock_partitions(parent regclass) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_lock_partitions(regclass) IS 'wait for other sessions that create or drop partitions of a table, and keep them out, for sno_create_partitions and sno_drop_partitions';

CREATE FUNCTION sno_create_partition(parent regclass, name text, lower_bound sno, upper_bound sno,
	template regclass DEFAULT NULL, time_column text DEFAULT NULL) RETURNS regclass
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION sno_create_partition(regclass, text, sno, sno, regclass, text) IS 'create a partition with the rights of the owner of its table, for sno_create_partitions';

CREATE FUNCTION sno_create_partitions(parent regclass, "from" timestamptz, upto timestamptz, step interval,
	template regclass DEFAULT NULL, time_column text DEFAULT NULL)
	RETURNS TABLE (partition regclass, lower_bound timestamptz, upper_bound timestamptz, created boolean)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	parent_name name;
	missing record;
	name text;
	all_created oid[] := '{}';
BEGIN
	IF num_nulls(parent, "from", upto, step) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_create_partitions must not be null'
			USING ERRCODE = 'null_value_not_allowed';
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
		RAISE EXCEPTION '"from" must be earlier than "upto"'
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	IF (upto - "from") / 10000 > step THEN
		RAISE EXCEPTION 'too many partitions'
			USING ERRCODE = 'program_limit_exceeded',
				DETAIL = 'A call creates partitions for at most 10000 steps.',
				HINT = 'Use a larger step, or several calls.';
	END IF;

	-- Refuse what has no such partitions.  Then one session at a time: the next
	-- queries see what others created before.
	PERFORM FROM @extschema@.sno_range_partitions(parent);
	PERFORM @extschema@.sno_lock_partitions(parent);

	SELECT relname INTO parent_name FROM pg_class WHERE oid = parent;

	FOR missing IN
		SELECT * FROM @extschema@.sno_missing_partitions(parent, "from", upto, step)
	LOOP
		name := parent_name;
		WHILE octet_length(name || missing.suffix) > current_setting('max_identifier_length')::integer LOOP
			name := left(name, -1);
		END LOOP;

		partition := @extschema@.sno_create_partition(parent, name || missing.suffix,
			missing.lower_bound, missing.upper_bound, template, time_column);
		all_created := all_created || partition::oid;
	END LOOP;

	-- No lock keeps a schema from being renamed in between.  Then some of this
	-- was done to another table, perhaps another one's, and must not last.
	IF cardinality(all_created) <> (SELECT count(*)
			FROM pg_inherits AS i WHERE i.inhparent = parent AND i.inhrelid = ANY (all_created)) THEN
		RAISE EXCEPTION 'schema of % was concurrently renamed', parent
			USING ERRCODE = 'serialization_failure';
	END IF;

	RETURN QUERY
		SELECT p.partition, p.lower_time, p.upper_time, p.partition = ANY (all_created)
		FROM @extschema@.sno_range_partitions(parent) AS p
		WHERE p.partition = ANY (all_created) OR p.lower_time < upto AND p.upper_time > "from";
END
$$;
COMMENT ON FUNCTION sno_create_partitions(regclass, timestamptz, timestamptz, interval, regclass, text) IS 'create the partitions missing between two times in a table by range of ids; each covers one step, is partitioned like the template, and has a CHECK of its times';

CREATE FUNCTION sno_drop_partition(parent regclass, partition regclass, detached boolean DEFAULT false) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_drop_partition(regclass, regclass, boolean) IS 'detach and drop a partition with the rights of the owner of its table, for sno_drop_partitions';

CREATE FUNCTION sno_drop_partitions(parent regclass, before timestamptz, detached boolean DEFAULT false)
	RETURNS TABLE (partition text, lower_bound timestamptz, upper_bound timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	dropped record;
BEGIN
	IF num_nulls(parent, before, detached) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_drop_partitions must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;

	-- As in sno_create_partitions
	PERFORM FROM @extschema@.sno_range_partitions(parent);
	PERFORM @extschema@.sno_lock_partitions(parent);

	FOR dropped IN
		SELECT false AS was_detached, p.* FROM @extschema@.sno_range_partitions(parent) AS p
		WHERE p.upper_bound OPERATOR(@extschema@.<=) @extschema@.sno_lower_bound(before)
		UNION ALL
		SELECT true, p.* FROM @extschema@.sno_detached_partitions(parent) AS p
		WHERE detached AND p.upper_bound OPERATOR(@extschema@.<=) @extschema@.sno_lower_bound(before)
		ORDER BY lower_time
	LOOP
		partition := dropped.partition;
		lower_bound := dropped.lower_time;
		upper_bound := dropped.upper_time;
		PERFORM @extschema@.sno_drop_partition(parent, dropped.partition, dropped.was_detached);
		-- As in sno_create_partitions: was it another table?
		IF EXISTS (SELECT FROM pg_class WHERE oid = dropped.partition) THEN
			RAISE EXCEPTION 'table % was concurrently renamed', partition
				USING ERRCODE = 'serialization_failure';
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_drop_partitions(regclass, timestamptz, boolean) IS 'drop the partitions of a table by range of ids that lie wholly before a time and, if asked for, detached former ones';

