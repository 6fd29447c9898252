--
-- What the functions for users have in common
--
-- Those run with the rights of their owner, so a role that is granted one needs
-- nothing else.  The ones below are called by these alone.  Calls match them exactly,
-- in number and types of arguments: one that leaves out a default, or has a literal
-- without a type, could find a function that another role has put into this schema.

CREATE FUNCTION @extschema@.sno_registry_ceil(at timestamptz) RETURNS timestamptz
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	epoch CONSTANT timestamptz := '2010-01-01 00:00+00';
BEGIN
	RETURN epoch + ceil(round((extract(epoch FROM at - epoch) * 1000000)::numeric) / 4000)::double precision * interval '4 ms';
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_ceil(timestamptz) IS 'the earliest time of an id at or after this time, for the registry';

-- What each call that changes something begins with: refuses what others have put
-- on the tables, which would run with the rights of their owner.  The locks keep more
-- from being put there.
CREATE FUNCTION @extschema@.sno_registry_begin() RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	tables CONSTANT regclass[] := ARRAY['@extschema@.sno_registry_range', '@extschema@.sno_registry_state'];
BEGIN
	IF pg_is_in_recovery() THEN
		RAISE EXCEPTION 'cannot change the registry of partitions during recovery'
			USING ERRCODE = 'read_only_sql_transaction',
				HINT = 'Connect to the primary.';
	END IF;
	-- Another level would not show what others have committed since
	IF current_setting('transaction_isolation') <> 'read committed' THEN
		RAISE EXCEPTION 'cannot change the registry of partitions at isolation level %', upper(current_setting('transaction_isolation'))
			USING ERRCODE = 'invalid_transaction_state',
				HINT = 'Use READ COMMITTED.';
	END IF;
	LOCK TABLE @extschema@.sno_registry_range, @extschema@.sno_registry_state IN ROW EXCLUSIVE MODE;
	IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = ANY (tables) AND tgfoid <> '@extschema@.sno_registry_commit()'::regprocedure)
		OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = ANY (tables))
		OR EXISTS (SELECT FROM pg_policy WHERE polrelid = ANY (tables))
		OR EXISTS (SELECT FROM pg_class AS c WHERE c.oid = ANY (tables) AND c.relowner <> quote_ident(current_user)::regrole) THEN
		RAISE EXCEPTION 'the tables of the registry have a trigger, rule, policy or owner that is not its own'
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'It would run with the rights of the owner of the registry''s functions.',
				HINT = 'Drop it; psql shows it with \d+ @extschema@.sno_registry_range and \d+ @extschema@.sno_registry_state.';
	END IF;
	SET CONSTRAINTS @extschema@.sno_registry_range_commit, @extschema@.sno_registry_state_commit DEFERRED;
	INSERT INTO @extschema@.sno_registry_state
		SELECT WHERE NOT EXISTS (SELECT FROM @extschema@.sno_registry_state) ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_begin() IS 'refuse what others have put on the tables, for the registry';

CREATE FUNCTION @extschema@.sno_registry_check(owner text, count integer, duration interval, at timestamptz) RETURNS void
	LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF num_nulls(owner, count, duration) > 0 THEN
		RAISE EXCEPTION 'owner, count and ttl must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF octet_length(owner) NOT BETWEEN 1 AND 255 THEN
		RAISE EXCEPTION 'invalid owner name'
			USING ERRCODE = 'invalid_parameter_value',
				DETAIL = 'It must have 1 to 255 bytes.';
	END IF;
	IF count NOT BETWEEN 1 AND 65536 THEN
		RAISE EXCEPTION 'count of partitions out of range: %', count
			USING ERRCODE = 'numeric_value_out_of_range',
				DETAIL = 'It must be between 1 and 65536.';
	END IF;
	-- With months and days of opposite signs it depends on the date which is more
	IF NOT isfinite(duration) OR duration <= '0' OR at + duration <= at THEN
		RAISE EXCEPTION 'ttl must be finite and greater than zero: %', duration
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	IF owner = @extschema@.sno_registry_own_name() THEN
		RAISE EXCEPTION '"%" is the cluster that holds the registry', owner
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Its partitions are recorded automatically and stay on record.';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_check(text, integer, interval, timestamptz) IS 'refuse bad arguments, for the registry';

CREATE FUNCTION @extschema@.sno_registry_check_margin(margin interval, at timestamptz) RETURNS void
	LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT isfinite(margin) OR margin < '0' OR at - margin > at THEN
		RAISE EXCEPTION 'margin must be finite and not negative: %', margin USING ERRCODE = 'invalid_parameter_value';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_check_margin(interval, timestamptz) IS 'refuse a bad margin, for the registry';

-- The lock on the row keeps only sno_registry_close() waiting
CREATE FUNCTION @extschema@.sno_registry_check_open(done text) RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known_successor CONSTANT text := (SELECT s.successor FROM @extschema@.sno_registry_state AS s FOR KEY SHARE);
BEGIN
	IF known_successor IS NOT NULL THEN
		RAISE EXCEPTION 'this registry is closed, and no partitions can be %', done
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = concat('Its successor: ', known_successor);
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_check_open(text) IS 'refuse what a closed registry no longer does, for the registry';

CREATE FUNCTION @extschema@.sno_registry_check_instance(owner text, known text, given text, expires timestamptz) RETURNS void
	LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF known <> coalesce(given, '') THEN
		RAISE EXCEPTION 'another instance of "%" has its partitions', owner
			USING ERRCODE = 'object_in_use',
				DETAIL = concat('Instance "', known, '" has them ', coalesce('until ' || expires::text, 'for good'), '.'),
				HINT = 'Use another name, or stop that instance and release its partitions.';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_check_instance(text, text, text, timestamptz) IS 'refuse another instance of an owner, for the registry';

-- Makes room for a row where others are free or expired before that time; what
-- these have beyond the new one stays free.  Returns until when their owners may
-- have made ids.
CREATE FUNCTION @extschema@.sno_registry_take(first integer, count integer, before timestamptz) RETURNS timestamptz
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	block_first CONSTANT integer := first / 256 * 256;
	block_end CONSTANT integer := (first + count + 255) / 256 * 256;
	used_until timestamptz;
BEGIN
	-- All rows are gone before the first is inserted.  What is left in the same 256
	-- is kept apart, so that not every call has to replace the large row.
	WITH gone AS (
		DELETE FROM @extschema@.sno_registry_range AS r
		WHERE r.partitions && int4range(first, first + count) AND (r.owner IS NULL OR r.expires <= before)
		RETURNING r.partitions, r.expires
	),
	kept AS (
		INSERT INTO @extschema@.sno_registry_range (partitions, expires)
		SELECT g.partitions * p.piece, g.expires
		FROM gone AS g,
			(VALUES (int4range(0, block_first)), (int4range(block_first, first)),
				(int4range(first + count, block_end)), (int4range(block_end, 65536))) AS p (piece)
		WHERE g.partitions && p.piece
	)
	SELECT max(g.expires) INTO used_until FROM gone AS g;
	RETURN used_until;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_take(integer, integer, timestamptz) IS 'make room for a range in what is free or expired before this time, for the registry';

-- Puts partitions on record for good that are in use already: no margin would
-- change that.  The lock must be held.
CREATE FUNCTION @extschema@.sno_registry_record(owner text, first integer, count integer, at timestamptz, hint text) RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	last CONSTANT integer := first + count - 1;
	other record;
BEGIN
	SELECT lower(r.partitions) AS first, upper(r.partitions) - 1 AS last INTO other
		FROM @extschema@.sno_registry_range AS r WHERE r.owner = sno_registry_record.owner;
	IF FOUND THEN
		RAISE EXCEPTION '"%" has partitions % to % on record', owner, other.first, other.last
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'If it uses others now, release these first; otherwise adopt the others under another name.';
	END IF;
	-- An owner may just be renewing what has expired
	PERFORM FROM @extschema@.sno_registry_range AS r
		WHERE r.partitions && int4range(first, last + 1) ORDER BY r.partitions FOR UPDATE;
	SELECT r.owner, lower(r.partitions) AS first, upper(r.partitions) - 1 AS last INTO other
		FROM @extschema@.sno_registry_range AS r
		WHERE r.partitions && int4range(first, last + 1) AND r.owner IS NOT NULL AND (r.expires > at OR r.expires IS NULL)
		ORDER BY r.partitions LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'partitions of "%" overlap those of "%"', owner, other.owner
			USING ERRCODE = 'object_in_use',
				DETAIL = concat('"', owner, '" uses partitions ', first, ' to ', last, '; ',
					other.first, ' to ', other.last, ' are on record for "', other.owner, '".'),
				HINT = hint;
	END IF;
	INSERT INTO @extschema@.sno_registry_range (partitions, owner, since, usable_from)
		SELECT int4range(first, last + 1), owner, at,
			greatest(@extschema@.sno_registry_take(first, count, at), @extschema@.sno_registry_ceil(at));
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_record(text, integer, integer, timestamptz, text) IS 'put partitions that are in use on record, for the registry';

-- One session at a time gives ranges away, until its transaction ends.  Returns the
-- least margin.
--
-- Puts the partitions of the registry's own cluster on record, those that it has had
-- before, too.  After a dump was restored into another cluster, the row of the old one
-- is that of another owner, who may live on.
CREATE FUNCTION @extschema@.sno_registry_lock(at timestamptz) RETURNS interval
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	own CONSTANT text := @extschema@.sno_registry_own_name();
	used CONSTANT int4range := @extschema@.sno_registry_own_range();
	least_margin interval;
	piece record;
BEGIN
	BEGIN
		-- No statement but LOCK TABLE has this lock, and that needs rights on the table
		LOCK TABLE @extschema@.sno_registry_state IN SHARE UPDATE EXCLUSIVE MODE;
	EXCEPTION WHEN lock_not_available THEN
		RAISE EXCEPTION 'another transaction that gives partitions away has not ended'
			USING ERRCODE = 'lock_not_available',
				DETAIL = concat('It is that of ', (
					SELECT string_agg(DISTINCT coalesce('process ' || l.pid, 'prepared transaction "' || x.gid || '"'), ', ')
					FROM pg_locks AS l
						LEFT JOIN pg_locks AS t ON l.pid IS NULL AND t.virtualtransaction = l.virtualtransaction
						LEFT JOIN pg_prepared_xacts AS x ON x.transaction = t.transactionid
					WHERE l.relation = '@extschema@.sno_registry_state'::regclass AND l.mode = 'ShareUpdateExclusiveLock' AND l.granted), '.');
	END;
	SELECT s.margin INTO STRICT least_margin FROM @extschema@.sno_registry_state AS s;
	INSERT INTO @extschema@.sno_registry_range (partitions, expires)
		SELECT int4range(0, 65536), '-infinity' WHERE NOT EXISTS (SELECT FROM @extschema@.sno_registry_range);

	-- Names that begin with the cluster's own and a slash are the cluster's as well; a
	-- zero sorts next to that
	FOR piece IN
		SELECT min(u.p) AS first, count(*)::integer AS count
		FROM (SELECT p, p - row_number() OVER (ORDER BY p) AS island FROM generate_series(lower(used), upper(used) - 1) AS p
			WHERE NOT EXISTS (SELECT FROM @extschema@.sno_registry_range AS r
				WHERE r.partitions @> p AND (r.owner = own OR r.owner >= own || '/' AND r.owner < own || '0'))) AS u
		GROUP BY u.island
	LOOP
		PERFORM @extschema@.sno_registry_record(
			CASE WHEN EXISTS (SELECT FROM @extschema@.sno_registry_range AS r WHERE r.owner = own)
				THEN concat(own, '/', piece.first) ELSE own END,
			piece.first, piece.count, at,
			text 'The first is the registry''s own cluster.  Release the second if it is the same cluster under a former name, or is gone; otherwise give one of the two another sno.partition.');
	END LOOP;
	RETURN least_margin;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_lock(timestamptz) IS 'wait for other sessions that give ranges away, keep them out, and put the registry''s own cluster on record';

-- Turns the ranges that expired before into free ones, and joins neighbours.  A row
-- that another session has locked is just being renewed.
CREATE FUNCTION @extschema@.sno_registry_collect(before timestamptz) RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	WITH ended AS MATERIALIZED (
		SELECT r.partitions, r.owner, r.expires FROM @extschema@.sno_registry_range AS r
		WHERE r.expires <= before FOR UPDATE SKIP LOCKED
	),
	begun AS (
		SELECT *, lower(partitions) IS DISTINCT FROM lag(upper(partitions)) OVER (ORDER BY partitions) AS begins FROM ended
	),
	numbered AS (
		SELECT *, count(*) FILTER (WHERE begins) OVER (ORDER BY partitions) AS island FROM begun
	),
	joined AS MATERIALIZED (
		SELECT island, int4range(min(lower(partitions)), max(upper(partitions))) AS partitions, max(expires) AS expires
		FROM numbered GROUP BY island HAVING count(*) > 1 OR count(owner) > 0
	),
	gone AS (
		DELETE FROM @extschema@.sno_registry_range AS r USING numbered AS n JOIN joined AS j USING (island)
		WHERE r.partitions = n.partitions RETURNING 1
	)
	-- All of them are gone before the first is inserted
	INSERT INTO @extschema@.sno_registry_range (partitions, expires)
	SELECT j.partitions, j.expires FROM joined AS j, (SELECT count(*) FROM gone) AS all_gone;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_collect(timestamptz) IS 'free the ranges that expired before this time, for the registry';
