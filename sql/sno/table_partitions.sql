--
-- Partitions of tables, by range of ids
--
-- Only the owner of a table creates and drops its partitions.  On the way,
-- PostgreSQL runs code that the owner can define, in constraints, indexes and
-- casts, and by SET ROLE this code gets all that the session can become.  So
-- nothing here changes roles, and a session that can become a superuser is
-- refused where the owner cannot.
--
-- Commands name everything with its schema, by %I.  Whoever owns the schema can rename
-- it at any time, no lock prevents that, and put another one in its place, with tables
-- that run other code.  So the owner of the schema must be able to become the owner of
-- the table.  A backslash would mean something else where standard_conforming_strings
-- is off.  The text of a bound is cast to sno, and never executed.
--

CREATE FUNCTION sno_range_partitions(parent regclass)
	RETURNS TABLE (partition regclass, lower_bound text, upper_bound text, lower_time timestamptz, upper_time timestamptz)
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE ROWS 100 SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	-- The key is one column, of type sno or of a domain over it
	IF NOT EXISTS (
		WITH RECURSIVE key (type) AS (
			SELECT a.atttypid FROM pg_partitioned_table AS t
				JOIN pg_attribute AS a ON a.attrelid = t.partrelid AND a.attnum = t.partattrs[0]
			WHERE t.partrelid = parent AND t.partstrat = 'r' AND t.partnatts = 1
			UNION ALL
			SELECT t.typbasetype FROM key AS k JOIN pg_type AS t ON t.oid = k.type
		)
		SELECT FROM key AS k WHERE k.type = 'sno'::regtype)
	THEN
		RAISE EXCEPTION 'relation % is not partitioned by range of snos', parent USING ERRCODE = 'wrong_object_type',
			DETAIL = 'It must be a table PARTITION BY RANGE (id), where id is a column of type sno.';
	END IF;

	-- Given no table, pg_get_expr takes no lock on one
	RETURN QUERY
		SELECT i.inhrelid::regclass, coalesce(b.bound[1], 'DEFAULT'), coalesce(b.bound[2], 'DEFAULT'),
			sno_timestamp(nullif(b.bound[1], 'MINVALUE')::sno),
			sno_timestamp(nullif(b.bound[2], 'MAXVALUE')::sno)
		FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid,
			regexp_match(pg_get_expr(c.relpartbound, 0),
				'^(?:DEFAULT|FOR VALUES FROM [(]''?([[:alnum:]]+)''?[)] TO [(]''?([[:alnum:]]+)''?[)])$') AS b (bound)
		WHERE i.inhparent = parent AND NOT i.inhdetachpending AND b.bound IS NOT NULL
		ORDER BY b.bound[1] = 'MINVALUE' DESC NULLS LAST, b.bound[1] COLLATE "C";
END
$$;
COMMENT ON FUNCTION sno_range_partitions(regclass) IS
	'the partitions of a table by range of ids, in order; bounds can be MINVALUE, MAXVALUE and DEFAULT, without a time';

-- Refuses callers without the right, then locks the table.  Name and owner are
-- compared under the lock, as both could change before it was granted.
CREATE FUNCTION sno_lock_partitions(parent regclass, OUT schema_name name, OUT table_name name)
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	owner name;
	superior text;
	renamer oid;
	login name := (SELECT a.usename FROM pg_stat_activity AS a WHERE a.pid = pg_backend_pid());
	hint text;
BEGIN
	PERFORM FROM sno_range_partitions(parent);
	IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
		RAISE EXCEPTION 'partitions are created and dropped in READ COMMITTED transactions only'
			USING ERRCODE = 'feature_not_supported',
			DETAIL = 'Others do not see what other sessions have created or dropped while the call waited for them.';
	END IF;

	SELECT n.nspname, c.relname, pg_get_userbyid(c.relowner),
		CASE n.nspowner WHEN 'pg_database_owner'::regrole THEN d.datdba ELSE n.nspowner END
	INTO schema_name, table_name, owner, renamer
	FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace, pg_database AS d
	WHERE c.oid = parent AND d.datname = current_database();
	hint := format('Log in as role %s, or as a member of it that cannot become a superuser, and run SET ROLE.',
		quote_ident(owner));
	IF owner IS DISTINCT FROM current_user THEN
		RAISE EXCEPTION 'must be owner of table %', parent USING ERRCODE = 'insufficient_privilege', HINT = hint;
	END IF;
	-- SET SESSION AUTHORIZATION changes session_user, but not who logged in
	SELECT CASE WHEN r.rolsuper THEN 'a superuser' ELSE concat('role ', r.rolname) END INTO superior FROM pg_roles AS r
	WHERE (r.rolsuper OR r.rolname ~ '^pg_(execute_server_program|(read|write)_server_files)$')
		AND NOT pg_has_role(r.oid, 'MEMBER')
		AND (pg_has_role(session_user, r.oid, 'MEMBER') OR pg_has_role(login, r.oid, 'MEMBER')) IS NOT FALSE
	ORDER BY r.rolsuper DESC, r.rolname LIMIT 1;
	IF superior IS NOT NULL THEN
		RAISE EXCEPTION 'session can become %, and the owner of table % cannot', superior, parent
			USING ERRCODE = 'insufficient_privilege',
			DETAIL = 'Code of the owner would run in this session, and could become whatever the session can.', HINT = hint;
	ELSIF NOT pg_has_role(renamer, current_user, 'MEMBER') THEN
		RAISE EXCEPTION 'owner of schema "%" cannot become owner of table %', schema_name, parent
			USING ERRCODE = 'insufficient_privilege',
			DETAIL = format('Role %s can rename the schema during the call, and put its own code in the place of the table.',
				renamer::regrole),
			HINT = format('ALTER TABLE %s SET SCHEMA moves the table to another schema; '
				'or change the owner of the schema or of the table.', parent);
	END IF;

	EXECUTE format('LOCK TABLE ONLY %I.%I IN SHARE UPDATE EXCLUSIVE MODE', schema_name, table_name);
	IF NOT EXISTS (
		SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE c.oid = parent AND n.nspname = schema_name
			AND c.relname = table_name AND pg_get_userbyid(c.relowner) = current_user)
	THEN
		RAISE EXCEPTION 'table % was concurrently renamed', parent USING ERRCODE = 'serialization_failure';
	END IF;
END
$$;
COMMENT ON FUNCTION sno_lock_partitions(regclass) IS
	'refuse who may not create and drop partitions of a table, and wait for other sessions that do';

-- The partitions that overlap a range of time, and the periods of a step, or the rest of
-- one, that are in none.  The periods lie on a grid in UTC, of months since 2000-01-01 or
-- of anything else since Monday, 2001-01-01.  Their bounds, and those of the partitions
-- that are there, cut time into pieces; a running count tells which of them are in a
-- partition.
-- Not in SQL: pg_upgrade restores functions before operator classes, which GROUP BY needs.
CREATE FUNCTION sno_plan_partitions(parent regclass, since timestamptz, upto timestamptz, step interval)
	RETURNS TABLE (partition regclass, lower sno, upper sno, lower_time timestamptz, upper_time timestamptz, suffix text)
	LANGUAGE plpgsql STABLE ROWS 100 SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY
		WITH there AS (
			SELECT p.partition, p.lower_time, p.upper_time, nullif(p.upper_bound, 'MAXVALUE')::sno AS upper,
				CASE p.lower_bound WHEN 'MINVALUE' THEN sno_min() ELSE p.lower_bound::sno END AS lower
			FROM sno_range_partitions(parent) AS p WHERE p.lower_bound <> 'DEFAULT'
		), change (bound, partitions) AS (
			SELECT CASE WHEN g.start < '2079-09-07 15:47:35.552' THEN sno_lower_bound(g.start AT TIME ZONE 'UTC') END, 0
			FROM generate_series(
				CASE WHEN step = date_trunc('month', step) THEN timestamp '2000-01-01'
					ELSE date_bin(step, since AT TIME ZONE 'UTC', timestamp '2001-01-01') END,
				upto AT TIME ZONE 'UTC' + step, step) AS g (start)
			UNION ALL SELECT t.lower, 1 FROM there AS t
			UNION ALL SELECT t.upper, -1 FROM there AS t
		), piece AS (
			SELECT c.bound AS lower, lead(c.bound) OVER by_bound AS upper, sum(sum(c.partitions)) OVER by_bound AS partitions
			FROM change AS c GROUP BY c.bound WINDOW by_bound AS (ORDER BY c.bound)
		), part AS (
			SELECT t.partition, t.lower, t.upper, t.lower_time, t.upper_time FROM there AS t
			UNION ALL
			SELECT NULL, p.lower, p.upper, sno_timestamp(p.lower), sno_timestamp(p.upper)
			FROM piece AS p WHERE p.partitions = 0
		)
		-- Periods have names of one length, a piece that begins within one may need a longer one
		SELECT p.partition, p.lower, p.upper, p.lower_time, p.upper_time, to_char(s.start, CASE
			WHEN step = date_trunc('month', step) AND s.start = date_trunc('month', s.start) THEN '_YYYYMM'
			WHEN step = date_trunc('day', step) AND s.start = date_trunc('day', s.start) THEN '_YYYYMMDD'
			WHEN step = date_trunc('minute', step) AND s.start = date_trunc('minute', s.start) THEN '_YYYYMMDD_HH24MI'
			WHEN s.start = date_trunc('second', s.start) THEN '_YYYYMMDD_HH24MISS' ELSE '_YYYYMMDD_HH24MISSMS' END)
		FROM part AS p CROSS JOIN LATERAL (SELECT p.lower_time AT TIME ZONE 'UTC') AS s (start)
		WHERE p.lower <= sno_upper_bound(upto - interval '1 microsecond')
			AND (p.upper > sno_make(since, 0, 0, 0, false) OR p.upper IS NULL)
		ORDER BY p.lower;
END
$$;
COMMENT ON FUNCTION sno_plan_partitions(regclass, timestamptz, timestamptz, interval) IS
	'the partitions of a table between two times, and those missing, with their names'' ends, for sno_create_partitions';

-- A table is created like the parent, then attached, under a lock that readers
-- and writers do not notice; CREATE TABLE ... PARTITION OF would keep them out.
CREATE FUNCTION sno_create_partitions(parent regclass, since timestamptz, upto timestamptz, step interval)
	RETURNS TABLE (partition regclass, lower_time timestamptz, upper_time timestamptz, created boolean)
	LANGUAGE plpgsql ROWS 100 SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	target record;
	part record;
	name text;
	detail text;
BEGIN
	IF num_nulls(parent, since, upto, step) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_create_partitions must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	step := justify_hours(step); -- 24 hours are a day
	IF NOT isfinite(step) OR step <= '0' OR step > '1000 years' OR step <> date_trunc('second', step)
		OR date_trunc('month', step) NOT IN ('0', step) THEN
		RAISE EXCEPTION 'invalid step between partitions: %', step USING ERRCODE = 'invalid_parameter_value',
			DETAIL = 'A step is a number of months, or of days, hours, minutes and whole seconds, up to 1000 years.',
			HINT = 'For example, use interval ''1 month'' or interval ''7 days''.';
	ELSIF since < '2010-01-01 00:00:00+00' OR upto > '2079-09-07 15:47:35.552+00' THEN
		RAISE EXCEPTION 'timestamp out of range for type sno' USING ERRCODE = 'datetime_field_overflow',
			DETAIL = 'A sno holds times from 2010-01-01 00:00:00 UTC to 2079-09-07 15:47:35.551999 UTC.';
	ELSIF since >= upto THEN
		RAISE EXCEPTION '"since" must be earlier than "upto"' USING ERRCODE = 'invalid_parameter_value';
	ELSIF (upto - since) / 10000 > step THEN
		RAISE EXCEPTION 'too many partitions' USING ERRCODE = 'program_limit_exceeded',
			DETAIL = 'A call creates partitions for at most 10000 steps.', HINT = 'Use a larger step, or several calls.';
	END IF;

	SELECT l.*, concat(' USING ' || quote_ident(a.amname), ' TABLESPACE ' || quote_ident(t.spcname)) AS storage INTO target
	FROM sno_lock_partitions(parent) AS l, pg_class AS c
		LEFT JOIN pg_am AS a ON a.oid = c.relam LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
	WHERE c.oid = parent;

	FOR part IN SELECT * FROM sno_plan_partitions(parent, since, upto, step)
	LOOP
		partition := part.partition;
		lower_time := part.lower_time;
		upper_time := part.upper_time;
		created := false;
		IF partition IS NULL THEN
			name := target.table_name;
			WHILE octet_length(name || part.suffix) > current_setting('max_identifier_length')::integer LOOP
				name := left(name, -1);
			END LOOP;
			name := name || part.suffix;
			BEGIN
				EXECUTE format('CREATE TABLE %1$I.%2$I (LIKE %1$I.%3$I INCLUDING ALL EXCLUDING COMMENTS '
					'EXCLUDING IDENTITY EXCLUDING INDEXES EXCLUDING STATISTICS) %4$s',
					target.schema_name, name, target.table_name, target.storage);
				EXECUTE format('ALTER TABLE %1$I.%3$I ATTACH PARTITION %1$I.%2$I FOR VALUES FROM (%4$L) TO (%5$s)',
					target.schema_name, name, target.table_name, part.lower, coalesce(quote_literal(part.upper), 'MAXVALUE'));
				created := true;
			-- The name is taken, or the default partition has rows of that time
			EXCEPTION WHEN duplicate_table OR duplicate_object OR check_violation THEN
				GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL;
				RAISE WARNING 'could not create partition "%": %', name, SQLERRM USING ERRCODE = SQLSTATE,
					DETAIL = concat_ws(E'\n', nullif(detail, ''), 'Other partitions are not affected.');
			END;
			partition := (SELECT i.inhrelid FROM pg_inherits AS i
				WHERE created AND i.inhparent = parent AND i.inhrelid = to_regclass(format('%I.%I', target.schema_name, name)));
			IF created AND partition IS NULL THEN -- no lock prevents it
				RAISE EXCEPTION 'schema of % was concurrently renamed', parent USING ERRCODE = 'serialization_failure';
			END IF;
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_create_partitions(regclass, timestamptz, timestamptz, interval) IS
	'create the partitions missing between two times in a table by range of ids; each covers one step';

CREATE FUNCTION sno_drop_partitions(parent regclass, before timestamptz)
	RETURNS TABLE (partition text, lower_time timestamptz, upper_time timestamptz, dropped boolean)
	LANGUAGE plpgsql ROWS 100 SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	parent_name text;
	due record;
	detail text;
BEGIN
	IF num_nulls(parent, before) > 0 THEN
		RAISE EXCEPTION 'arguments of sno_drop_partitions must not be null' USING ERRCODE = 'null_value_not_allowed';
	ELSIF before > clock_timestamp() THEN
		RAISE EXCEPTION '"before" is in the future: %', before USING ERRCODE = 'invalid_parameter_value';
	END IF;
	parent_name := (SELECT format('%I.%I', l.schema_name, l.table_name) FROM sno_lock_partitions(parent) AS l);

	FOR due IN
		SELECT p.*, c.relkind FROM sno_range_partitions(parent) AS p JOIN pg_class AS c ON c.oid = p.partition
		WHERE CASE WHEN p.upper_time IS NOT NULL THEN p.upper_bound::sno <=
			sno_lower_bound(before) END
		ORDER BY p.upper_bound COLLATE "C"
	LOOP
		-- Waits once for the sessions that use the table, not for each partition
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent_name);
		partition := due.partition;
		lower_time := due.lower_time;
		upper_time := due.upper_time;
		-- A foreign key to the parent keeps partitions from being dropped, but not from being detached
		BEGIN
			EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent_name, partition);
			EXECUTE format('DROP %s TABLE %s', CASE due.relkind WHEN 'f' THEN 'FOREIGN' END, partition);
			dropped := true;
		-- Something depends on it or refers to it, also of other roles
		EXCEPTION WHEN dependent_objects_still_exist OR foreign_key_violation OR insufficient_privilege
			OR lock_not_available THEN
			GET STACKED DIAGNOSTICS detail := PG_EXCEPTION_DETAIL;
			RAISE WARNING 'could not drop partition %: %', partition, SQLERRM USING ERRCODE = SQLSTATE,
				DETAIL = concat_ws(E'\n', nullif(detail, ''), 'Other partitions are not affected.');
			dropped := false;
		END;
		-- Was it another table, whose name was changed in between?
		IF dropped AND EXISTS (SELECT FROM pg_class AS c WHERE c.oid = due.partition) THEN
			RAISE EXCEPTION 'table % was concurrently renamed', partition USING ERRCODE = 'serialization_failure';
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_drop_partitions(regclass, timestamptz) IS
	'drop the partitions of a table by range of ids that lie wholly before a time';
