--
-- Registry
--
-- Which clusters and programs of a fleet have which partitions.  Rows cover all
-- partitions there are; those without an owner are free.  As all times are
-- multiples of 4 ms, and the next owner's usable_from is never before the former
-- one's expires, the ids of both differ in their time.  That relies on no clock:
-- expires of a row never goes back but when its owner releases it, and is kept when
-- the row is divided.
--
-- The functions for users run with the rights of their owner, so a role that is
-- granted one needs nothing else.  The others are called by these alone.  Calls
-- match them exactly, in number and types of arguments: one that leaves out a
-- default, or has a literal of no type, could find a function that somebody else
-- has put into this schema.

CREATE TABLE sno_registry_range (
	partitions int4range NOT NULL,
	owner text COLLATE "C",
	since timestamptz,
	usable_from timestamptz,
	expires timestamptz,
	CONSTRAINT sno_registry_range_partitions_excl
		EXCLUDE USING gist (partitions WITH OPERATOR(pg_catalog.&&)),
	CONSTRAINT sno_registry_range_owner_key UNIQUE (owner),
	CONSTRAINT sno_registry_range_partitions_check
		CHECK (partitions OPERATOR(pg_catalog.<@) pg_catalog.int4range(0, 65536) AND NOT pg_catalog.isempty(partitions)),
	CONSTRAINT sno_registry_range_owner_check
		CHECK ((owner IS NULL) = (since IS NULL) AND (owner IS NULL) = (usable_from IS NULL)
			AND (owner IS NOT NULL OR expires IS NOT NULL)),
	CONSTRAINT sno_registry_range_expires_check CHECK (usable_from <= expires)
);
CREATE INDEX sno_registry_range_free ON sno_registry_range
	((pg_catalog.upper(partitions) - pg_catalog.lower(partitions)), (pg_catalog.lower(partitions)))
	WHERE owner IS NULL;
CREATE INDEX sno_registry_range_expires ON sno_registry_range (expires);
-- Else nothing could be changed beside a publication FOR ALL TABLES
ALTER TABLE sno_registry_range REPLICA IDENTITY FULL;
SELECT pg_catalog.pg_extension_config_dump('sno_registry_range', '');
COMMENT ON TABLE sno_registry_range IS 'ranges of partitions and their owners, for the view sno_registry; change it by the functions sno_registry_... only';

CREATE VIEW sno_registry AS
	SELECT pg_catalog.lower(partitions) AS partition,
		pg_catalog.upper(partitions) - pg_catalog.lower(partitions) AS partition_count,
		owner,
		CASE WHEN owner IS NULL THEN 'free' WHEN expires <= pg_catalog.clock_timestamp() THEN 'expired' ELSE 'in use' END AS state,
		since, usable_from, expires
	FROM sno_registry_range;
REVOKE ALL ON sno_registry_range, sno_registry FROM PUBLIC;
COMMENT ON VIEW sno_registry IS 'who has which partitions, what is free, and what has expired';
COMMENT ON COLUMN sno_registry.partition IS 'first partition of the range';
COMMENT ON COLUMN sno_registry.partition_count IS 'consecutive partitions in it';
COMMENT ON COLUMN sno_registry.owner IS 'who has it, or had it if it has expired; null if it is free';
COMMENT ON COLUMN sno_registry.state IS 'in use, expired or free';
COMMENT ON COLUMN sno_registry.since IS 'when the owner got it';
COMMENT ON COLUMN sno_registry.usable_from IS 'the owner makes no id with a time before this';
COMMENT ON COLUMN sno_registry.expires IS 'the owner makes no id with this time or a later one; null if it keeps the range for good. For a free range, when its last owner''s time ended';

CREATE FUNCTION sno_registry_own_name() RETURNS text
	LANGUAGE SQL STABLE PARALLEL SAFE
	RETURN (SELECT pg_catalog.concat('cluster ', system_identifier) FROM pg_catalog.pg_control_system());
COMMENT ON FUNCTION sno_registry_own_name() IS 'the owner name of the registry''s own cluster';
REVOKE EXECUTE ON FUNCTION sno_registry_own_name() FROM PUBLIC;

CREATE FUNCTION sno_registry_ceil(timestamptz) RETURNS timestamptz
	LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
	RETURN pg_catalog.date_bin(interval '4 ms', $1 + interval '3999 us', timestamptz '2010-01-01 00:00+00');
COMMENT ON FUNCTION sno_registry_ceil(timestamptz) IS 'the earliest time of an id at or after this time, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_ceil(timestamptz) FROM PUBLIC;

CREATE FUNCTION sno_registry_check(owner text, count integer, duration interval) RETURNS void
	LANGUAGE plpgsql STABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	own text;
BEGIN
	IF num_nulls(owner, count, duration) > 0 THEN
		RAISE EXCEPTION 'owner, count, ttl and margin must not be null'
			USING ERRCODE = 'null_value_not_allowed';
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
	IF NOT isfinite(duration) OR duration <= '0' OR clock_timestamp() + duration <= clock_timestamp() THEN
		RAISE EXCEPTION 'ttl must be finite and greater than zero: %', duration
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	EXECUTE format('SELECT %s.sno_registry_own_name()', sno_schema) INTO own;
	IF owner = own THEN
		RAISE EXCEPTION '"%" is the cluster that holds the registry', owner
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Its partitions are recorded automatically and stay on record.';
	END IF;
END
$$;
COMMENT ON FUNCTION sno_registry_check(text, integer, interval) IS 'refuse bad arguments, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_check(text, integer, interval) FROM PUBLIC;

-- Makes room for a row where others are free or expired before that time; what
-- these have beyond the new one stays free.  Returns until when their owners may
-- have made ids.
CREATE FUNCTION sno_registry_take(first integer, count integer, before timestamptz) RETURNS timestamptz
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	used_until timestamptz;
BEGIN
	-- All rows are gone before the first is inserted.  What is left in the same 256
	-- is kept apart, so that not every call has to replace the large row.
	EXECUTE format('WITH gone AS (
			DELETE FROM %1$s.sno_registry_range
			WHERE partitions && $1 AND (owner IS NULL OR expires <= $2)
			RETURNING partitions, expires
		),
		kept AS (
			INSERT INTO %1$s.sno_registry_range (partitions, expires)
			SELECT rest, expires FROM gone, LATERAL (SELECT int4multirange(partitions) - int4multirange($1) AS left_over) AS l,
				LATERAL (SELECT unnest(left_over * int4multirange($3)) UNION ALL SELECT unnest(left_over - int4multirange($3))) AS r (rest)
		)
		SELECT max(expires) FROM gone', sno_schema)
		INTO used_until
		USING int4range(first, first + count), before, int4range(first / 256 * 256, (first + count + 255) / 256 * 256);
	RETURN used_until;
END
$$;
COMMENT ON FUNCTION sno_registry_take(integer, integer, timestamptz) IS 'make room for a range in what is free or expired before this time, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_take(integer, integer, timestamptz) FROM PUBLIC;

-- Puts partitions on record for good that are in use already: no margin would
-- change that.  The lock must be held.
CREATE FUNCTION sno_registry_record(owner text, first integer, count integer, hint text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	at timestamptz := clock_timestamp();
	known record;
	other record;
BEGIN
	EXECUTE format('SELECT lower(partitions) AS first, upper(partitions) - 1 AS last FROM %s.sno_registry_range WHERE owner = $1', sno_schema)
		INTO known USING owner;
	IF known.first IS NOT NULL THEN
		RAISE EXCEPTION '"%" has partitions % to % on record', owner, known.first, known.last
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'If it uses others now, release these first; otherwise adopt the others under another name.';
	END IF;
	EXECUTE format('SELECT owner, lower(partitions) AS first, upper(partitions) - 1 AS last
		FROM %s.sno_registry_range
		WHERE partitions && $1 AND owner IS NOT NULL AND (expires > $2 OR expires IS NULL)
		ORDER BY partitions LIMIT 1', sno_schema)
		INTO other USING int4range(first, first + count), at;
	IF other.owner IS NOT NULL THEN
		RAISE EXCEPTION 'partitions of "%" overlap those of "%"', owner, other.owner
			USING ERRCODE = 'object_in_use',
				DETAIL = format('"%s" uses partitions %s to %s; %s to %s are on record for "%s".',
					owner, first, first + count - 1, other.first, other.last, other.owner),
				HINT = hint;
	END IF;
	EXECUTE format('INSERT INTO %1$s.sno_registry_range (partitions, owner, since, usable_from)
		SELECT $1, $2, $3, greatest(%1$s.sno_registry_take($4, $5, $3), %1$s.sno_registry_ceil($3))', sno_schema)
		USING int4range(first, first + count), owner, at, first, count;
END
$$;
COMMENT ON FUNCTION sno_registry_record(text, integer, integer, text) IS 'put partitions that are in use on record, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_record(text, integer, integer, text) FROM PUBLIC;

-- One session at a time gives ranges away, until its transaction ends.  The lock is
-- the row of the registry's own cluster, which only the first call does not find.
--
-- After a dump was restored into another cluster, the row of the old one is that
-- of another owner, who may live on.
CREATE FUNCTION sno_registry_lock() RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	own text;
	used int4range;
	is_on_record boolean;
	find text;
	unrecorded int4multirange;
	piece int4range;
BEGIN
	IF pg_is_in_recovery() THEN
		RAISE EXCEPTION 'cannot change the registry of partitions during recovery'
			USING ERRCODE = 'read_only_sql_transaction',
				HINT = 'Connect to the primary.';
	END IF;
	-- What was given away must be known after a crash
	IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
		PERFORM set_config('synchronous_commit', 'on', true);
	END IF;

	EXECUTE format('SELECT %1$s.sno_registry_own_name(), int4range(partition, partition + partition_count) FROM %1$s.sno_stat', sno_schema)
		INTO own, used;
	EXECUTE format('SELECT true FROM %s.sno_registry_range WHERE owner = $1 FOR UPDATE', sno_schema)
		INTO is_on_record USING own;
	-- Names that begin with its own and a slash are the cluster's as well; a zero
	-- sorts next to that
	find := format('SELECT int4multirange($2) - coalesce(range_agg(partitions), ''{}'')
		FROM %s.sno_registry_range WHERE owner = $1 OR owner >= $1 || ''/'' AND owner < $1 || ''0''', sno_schema);
	EXECUTE find INTO unrecorded USING own, used;
	IF is_on_record AND unrecorded = '{}' THEN
		RETURN;
	END IF;

	-- The first call, or other partitions than before
	EXECUTE format('LOCK TABLE %s.sno_registry_range IN SHARE UPDATE EXCLUSIVE MODE', sno_schema);
	EXECUTE format('INSERT INTO %1$s.sno_registry_range (partitions, expires)
		SELECT int4range(0, 65536), ''-infinity'' WHERE NOT EXISTS (SELECT FROM %1$s.sno_registry_range)', sno_schema);
	EXECUTE format('SELECT true FROM %s.sno_registry_range WHERE owner = $1 FOR UPDATE', sno_schema)
		INTO is_on_record USING own;
	EXECUTE find INTO unrecorded USING own, used;
	FOR piece IN SELECT unnest(unrecorded) LOOP
		EXECUTE format('SELECT %s.sno_registry_record($1, $2, $3, $4)', sno_schema)
			USING CASE WHEN is_on_record THEN own || '/' || lower(piece) ELSE own END,
				lower(piece), upper(piece) - lower(piece),
				'The first is the registry''s own cluster.  Release the second if it is the same cluster under a former name, or is gone; otherwise give one of the two another sno.partition.';
		is_on_record := true;
	END LOOP;
END
$$;
COMMENT ON FUNCTION sno_registry_lock() IS 'wait for other sessions that acquire, keep them out, and put the registry''s own cluster on record';
REVOKE EXECUTE ON FUNCTION sno_registry_lock() FROM PUBLIC;

-- Makes free ranges of those that expired before, joined where they meet.  Whoever
-- has a row locked is just renewing it.
CREATE FUNCTION sno_registry_collect(before timestamptz) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('WITH ended AS MATERIALIZED (
			SELECT partitions, owner, expires FROM %1$s.sno_registry_range WHERE expires <= $1 FOR UPDATE SKIP LOCKED
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
			DELETE FROM %1$s.sno_registry_range AS r USING numbered AS n JOIN joined AS j USING (island)
			WHERE r.partitions = n.partitions RETURNING 1
		)
		-- All of them are gone before the first is inserted
		INSERT INTO %1$s.sno_registry_range (partitions, expires)
		SELECT partitions, expires FROM joined, (SELECT count(*) FROM gone) AS all_gone', sno_schema)
		USING before;
END
$$;
COMMENT ON FUNCTION sno_registry_collect(timestamptz) IS 'free the ranges that expired before this time, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_collect(timestamptz) FROM PUBLIC;

CREATE FUNCTION sno_registry_acquire(owner text, count integer DEFAULT 16, ttl interval DEFAULT NULL, margin interval DEFAULT '1 minute',
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	at timestamptz;
	is_locked boolean := false;
	is_collected boolean := false;
	alignment integer := 1;
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, $2, $3)', sno_schema)
		USING owner, count, coalesce(ttl, '1 day');
	IF margin IS NULL THEN
		RAISE EXCEPTION 'owner, count, ttl and margin must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF NOT isfinite(margin) OR margin < '0' OR clock_timestamp() - margin > clock_timestamp() THEN
		RAISE EXCEPTION 'margin must be finite and not negative: %', margin
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	EXECUTE format('SELECT %s.sno_registry_lock()', sno_schema);
	at := clock_timestamp();

	-- The owner's own range, expired or not.  Nothing goes back, whatever the clock
	-- did; a null is later than all.
	EXECUTE format('UPDATE %1$s.sno_registry_range SET
			since = CASE WHEN expires <= $2 THEN $2 ELSE since END,
			usable_from = greatest(usable_from, %1$s.sno_registry_ceil($2)),
			expires = CASE WHEN expires IS NOT NULL AND $3 IS NOT NULL
				THEN greatest(usable_from, expires, %1$s.sno_registry_ceil($3)) END
		WHERE owner = $1
		RETURNING lower(partitions), upper(partitions) - lower(partitions), usable_from, expires', sno_schema)
		INTO partition, partition_count, usable_from, expires
		USING owner, at, at + ttl;
	IF partition_count >= count THEN
		RETURN;
	ELSIF partition_count < count THEN
		RAISE EXCEPTION '"%" has % partitions, fewer than %', owner, partition_count, count
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Release them and acquire others, or acquire more under another name.';
	END IF;

	-- The smallest free range that has a place for this many, at a multiple of the
	-- next power of two
	WHILE alignment < count LOOP
		alignment := alignment * 2;
	END LOOP;
	LOOP
		EXECUTE format('SELECT first
			FROM %s.sno_registry_range, LATERAL (SELECT (lower(partitions) + $2 - 1) / $2 * $2 AS first) AS place
			WHERE owner IS NULL AND upper(partitions) - lower(partitions) >= $1
				AND first + $1 <= upper(partitions) AND expires <= $3
			ORDER BY upper(partitions) - lower(partitions), lower(partitions) LIMIT 1', sno_schema)
			INTO partition USING count, alignment, at - margin;
		EXIT WHEN partition IS NOT NULL;
		IF is_collected THEN
			RAISE EXCEPTION 'no range of % partitions is free', count
				USING ERRCODE = 'program_limit_exceeded',
					HINT = 'Wait until some have expired, release what is no longer used, or ask for fewer.';
		END IF;
		EXECUTE format('SELECT %s.sno_registry_collect($1)', sno_schema) USING at - margin;
		is_collected := true;
	END LOOP;

	EXECUTE format('INSERT INTO %1$s.sno_registry_range AS r (partitions, owner, since, usable_from, expires)
		SELECT int4range($1, $1 + $2), $3, $4, greatest(%1$s.sno_registry_take($1, $2, $5), %1$s.sno_registry_ceil($4)), %1$s.sno_registry_ceil($6)
		RETURNING $2, r.usable_from, r.expires', sno_schema)
		INTO partition_count, usable_from, expires
		USING partition, count, owner, at, at - margin, at + ttl;
END
$$;
COMMENT ON FUNCTION sno_registry_acquire(text, integer, interval, interval) IS 'get partitions for an owner: those it has, or else a free range; for good, or for the time to live';
REVOKE EXECUTE ON FUNCTION sno_registry_acquire(text, integer, interval, interval) FROM PUBLIC;

CREATE FUNCTION sno_registry_adopt(owner text, first integer, count integer DEFAULT 1,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, $2, interval ''1 day'')', sno_schema) USING owner, count;
	IF first IS NULL THEN
		RAISE EXCEPTION 'first must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;
	IF first NOT BETWEEN 0 AND 65536 - count THEN
		RAISE EXCEPTION 'partitions out of range: % starting at %', count, first
			USING ERRCODE = 'numeric_value_out_of_range',
				DETAIL = 'The first partition is 0, the last one 65535.';
	END IF;
	EXECUTE format('SELECT %s.sno_registry_lock()', sno_schema);

	EXECUTE format('UPDATE %s.sno_registry_range SET expires = NULL WHERE owner = $1
		RETURNING lower(partitions), upper(partitions) - lower(partitions), usable_from', sno_schema)
		INTO partition, partition_count, usable_from USING owner;
	IF first >= partition AND first + count <= partition + partition_count THEN
		RETURN;
	END IF;

	EXECUTE format('SELECT %s.sno_registry_record($1, $2, $3, $4)', sno_schema)
		USING owner, first, count, 'Give one of the two another sno.partition, such as one from sno_registry_acquire.';
	EXECUTE format('SELECT $2, $3, usable_from FROM %s.sno_registry_range WHERE owner = $1', sno_schema)
		INTO partition, partition_count, usable_from USING owner, first, count;
END
$$;
COMMENT ON FUNCTION sno_registry_adopt(text, integer, integer) IS 'record partitions that an owner already uses, such as the automatic one of a cluster';
REVOKE EXECUTE ON FUNCTION sno_registry_adopt(text, integer, integer) FROM PUBLIC;

CREATE FUNCTION sno_registry_renew(owner text, ttl interval,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	at timestamptz := clock_timestamp();
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, 1, $2)', sno_schema) USING owner, ttl;
	-- As in sno_registry_lock: the owner goes by the new time
	IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
		PERFORM set_config('synchronous_commit', 'on', true);
	END IF;
	-- Its row may just be collected
	EXECUTE format('UPDATE %1$s.sno_registry_range
		SET expires = CASE WHEN expires IS NOT NULL THEN greatest(expires, %1$s.sno_registry_ceil($3)) END
		WHERE owner = $1 AND (expires > $2 OR expires IS NULL)
		RETURNING lower(partitions), upper(partitions) - lower(partitions), usable_from, expires', sno_schema)
		INTO partition, partition_count, usable_from, expires USING owner, at, at + ttl;
	IF partition IS NULL THEN
		EXECUTE format('SELECT expires FROM %s.sno_registry_range WHERE owner = $1', sno_schema)
			INTO expires USING owner;
		RAISE EXCEPTION 'the partitions of "%" have expired', owner
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = CASE WHEN expires IS NULL THEN 'No partitions are on record for it any more.' ELSE format('They expired at %s.', expires) END,
				HINT = 'Generate no more ids in them, and acquire partitions again.';
	END IF;
END
$$;
COMMENT ON FUNCTION sno_registry_renew(text, interval) IS 'let an owner keep its partitions for this long from now on';
REVOKE EXECUTE ON FUNCTION sno_registry_renew(text, interval) FROM PUBLIC;

CREATE FUNCTION sno_registry_release(owner text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
	is_released boolean;
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, 1, interval ''1 day'')', sno_schema) USING owner;
	EXECUTE format('UPDATE %1$s.sno_registry_range
		SET owner = NULL, since = NULL, usable_from = NULL,
			expires = greatest(usable_from, least(expires, %1$s.sno_registry_ceil($2)))
		WHERE owner = $1 RETURNING true', sno_schema)
		INTO is_released USING owner, clock_timestamp();
	IF is_released IS NULL THEN
		RAISE EXCEPTION 'no partitions are on record for "%"', owner
			USING ERRCODE = 'undefined_object';
	END IF;
END
$$;
COMMENT ON FUNCTION sno_registry_release(text) IS 'give back the partitions of an owner that makes no more ids in them';
REVOKE EXECUTE ON FUNCTION sno_registry_release(text) FROM PUBLIC;

-- For roles that must not touch what others have.  The prefix is the role that has
-- logged in, as the one that calls cannot be seen from here.  Each role has a
-- prefix of its own, and none is that of the registry's own cluster.
CREATE FUNCTION sno_registry_owner_of(name text) RETURNS text
	LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN replace(replace(replace(session_user, '%', '%25'), '/', '%2F'), ' ', '%20') || '/' || name;
END
$$;
COMMENT ON FUNCTION sno_registry_owner_of(text) IS 'the full name of an owner that belongs to the role of the session, for the registry';
REVOKE EXECUTE ON FUNCTION sno_registry_owner_of(text) FROM PUBLIC;

CREATE FUNCTION sno_registry_acquire_own(name text, ttl interval, count integer DEFAULT 1,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT %s.sno_registry_check($1, $2, $3)', sno_schema) USING name, count, ttl;
	EXECUTE format('SELECT * FROM %1$s.sno_registry_acquire(%1$s.sno_registry_owner_of($1), $2, $3, interval ''1 minute'')', sno_schema)
		INTO partition, partition_count, usable_from, expires USING name, count, ttl;
END
$$;
COMMENT ON FUNCTION sno_registry_acquire_own(text, interval, integer) IS 'as sno_registry_acquire, for an owner whose name begins with that of the session''s role';
REVOKE EXECUTE ON FUNCTION sno_registry_acquire_own(text, interval, integer) FROM PUBLIC;

CREATE FUNCTION sno_registry_renew_own(name text, ttl interval,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT * FROM %1$s.sno_registry_renew(%1$s.sno_registry_owner_of($1), $2)', sno_schema)
		INTO partition, partition_count, usable_from, expires USING name, ttl;
END
$$;
COMMENT ON FUNCTION sno_registry_renew_own(text, interval) IS 'as sno_registry_renew, for an owner of sno_registry_acquire_own';
REVOKE EXECUTE ON FUNCTION sno_registry_renew_own(text, interval) FROM PUBLIC;

CREATE FUNCTION sno_registry_release_own(name text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sno_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'sno');
BEGIN
	EXECUTE format('SELECT %1$s.sno_registry_release(%1$s.sno_registry_owner_of($1))', sno_schema) USING name;
END
$$;
COMMENT ON FUNCTION sno_registry_release_own(text) IS 'as sno_registry_release, for an owner of sno_registry_acquire_own';
REVOKE EXECUTE ON FUNCTION sno_registry_release_own(text) FROM PUBLIC;
