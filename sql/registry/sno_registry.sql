-- The registry: which server or program has which partitions.  One row for each partition
-- that was ever given away, in plain SQL and PL/pgSQL for PostgreSQL 13 and later.  It promises:
-- 1. No partition has two owners at one time: it is the primary key.
-- 2. Two owners, one after the other, share no time: usable_from of the second is not before
--    expires of the first plus the margin.  The trigger "guard" refuses all other writes, whoever
--    makes them, and rows are never deleted.  No clock needs to be right.
-- 3. A grant is on disk before its owner relies on it: the trigger "sno_registry_commit".
-- 4. A second instance of one name is refused: "guard", too.
-- 5. The partitions of the registry's own cluster go to no other owner: sno_registry_enter().
SET LOCAL search_path = pg_catalog, pg_temp;
-- The owner of a schema can replace what is in it, and the functions have the rights of their
-- owner.  So everything belongs to the owner of the schema, where no stranger may create objects.
DO $$
DECLARE
	home CONSTANT regrole := (SELECT n.nspowner FROM pg_namespace AS n WHERE n.oid = '@extschema@'::regnamespace);
	stranger CONSTANT text := (SELECT min(coalesce(r.rolname, 'PUBLIC'))
		FROM pg_namespace AS n CROSS JOIN aclexplode(n.nspacl) AS a LEFT JOIN pg_roles AS r ON r.oid = a.grantee
		WHERE n.oid = '@extschema@'::regnamespace AND a.privilege_type = 'CREATE' AND r.rolsuper IS NOT TRUE
			AND a.grantee NOT IN (home, (SELECT d.datdba FROM pg_database AS d WHERE d.datname = current_database()))
			AND coalesce(r.rolname, '') NOT IN ('pg_database_owner', current_user));
BEGIN
	IF stranger IS NOT NULL OR NOT pg_has_role(session_user, home, 'MEMBER') THEN
		RAISE EXCEPTION 'cannot create the registry in schema %', '@extschema@' USING ERRCODE = 'insufficient_privilege',
			DETAIL = concat('The schema belongs to ', home,
				', and ', coalesce(stranger, 'only that role'), ' may create objects there.'),
			HINT = 'Make a schema for it: CREATE SCHEMA registry; CREATE EXTENSION sno_registry SCHEMA registry;';
	END IF;
	-- The end of this file restores the role
	PERFORM set_config('sno_registry.role', current_setting('role'), true);
	IF NOT (SELECT r.rolsuper OR r.rolname = current_user FROM pg_roles AS r WHERE r.oid = home) THEN
		EXECUTE concat('SET LOCAL ROLE ', home);
	END IF;
END
$$;
-- since: when the owner got it; null once it is released.  expires: null if it is for good.
CREATE TABLE @extschema@.sno_registry_partition (
	partition integer PRIMARY KEY CHECK (partition BETWEEN 0 AND 65535),
	owner text COLLATE "C" NOT NULL CHECK (octet_length(owner) BETWEEN 1 AND 255),
	instance text CHECK (octet_length(instance) < 256),
	since timestamptz,
	usable_from timestamptz NOT NULL CHECK (isfinite(usable_from)),
	expires timestamptz CHECK (expires >= usable_from),
	CHECK (num_nulls(since, expires) < 2)
);
CREATE INDEX sno_registry_partition_owner ON @extschema@.sno_registry_partition (owner) WHERE since IS NOT NULL;
CREATE INDEX sno_registry_partition_expires ON @extschema@.sno_registry_partition (expires) WHERE since IS NOT NULL;
COMMENT ON TABLE @extschema@.sno_registry_partition IS 'partitions that were given away, for the view sno_registry';
CREATE TABLE @extschema@.sno_registry_state (
	is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
	margin interval NOT NULL DEFAULT '1 minute' CHECK (margin >= '0'),
	is_open boolean NOT NULL DEFAULT true,
	successor text NOT NULL DEFAULT ''
);
COMMENT ON TABLE @extschema@.sno_registry_state IS 'the margin; what replaces a closed registry; no row before a call';
-- One row, which a call updates when it chooses a place.  It is no column of the state, whose
-- row each call locks: such an update would overtake sno_registry_close() while that waits.
CREATE TABLE @extschema@.sno_registry_choice (
	is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
	chosen timestamptz NOT NULL
);
INSERT INTO @extschema@.sno_registry_choice (chosen) VALUES (now());
COMMENT ON TABLE @extschema@.sno_registry_choice IS 'when a place was last chosen';
-- Only the owner of the schema may use this type.  So others cannot make a function beside
-- sno_registry_enter() that is called in its place, or makes the call ambiguous.
CREATE DOMAIN @extschema@.sno_registry_owner AS text COLLATE "C";
CREATE VIEW @extschema@.sno_registry AS
	SELECT min(r.partition) AS partition, count(*)::integer AS partition_count, r.owner,
		CASE WHEN r.since IS NULL THEN 'released'
			WHEN max(r.expires) <= clock_timestamp() THEN 'expired' ELSE 'in use' END AS state,
		r.since, max(r.usable_from) AS usable_from, max(r.expires) AS expires, r.instance
	FROM (SELECT *,
			p.partition - row_number() OVER (PARTITION BY p.owner, p.instance, p.since ORDER BY p.partition) AS island
		FROM ONLY @extschema@.sno_registry_partition AS p) AS r
	GROUP BY r.owner, r.instance, r.since, r.island;
COMMENT ON VIEW @extschema@.sno_registry IS 'who has which partitions, or had them last';
-- The automatic partition is computed as in src/core/pool.h.  Without preloading, sno has no other.
CREATE VIEW @extschema@.sno_registry_own AS
	WITH RECURSIVE hash (round, bits) AS (
		SELECT 1, (c.system_identifier + 2::numeric ^ 64) % 2::numeric ^ 64 FROM pg_control_system() AS c
		UNION ALL SELECT h.round + 1, (h.bits - l.low + (l.low::bigint # div(h.bits, 2::numeric ^ 33)::bigint))
			* ('{18397679294719823053,14181476777654086739,1}'::numeric[])[h.round] % 2::numeric ^ 64
		FROM hash AS h CROSS JOIN LATERAL (SELECT h.bits % 2::numeric ^ 31) AS l (low) WHERE h.round <= 3
	)
	SELECT 'cluster ' || c.system_identifier AS owner,
		n + coalesce(s.first, h.bits % (65537 - s.count))::integer AS partition FROM pg_control_system() AS c, hash AS h, (
		SELECT max(s.setting::integer) FILTER (WHERE s.name = 'sno.partition' AND s.setting <> '-1') AS first,
			coalesce(max(s.setting::integer) FILTER (WHERE s.name = 'sno.partition_count'), 1) AS count
		FROM pg_settings AS s) AS s, generate_series(0, s.count - 1) AS n WHERE h.round = 4;
COMMENT ON VIEW @extschema@.sno_registry_own IS 'the partitions of the cluster that has the registry';
-- Promises 2 and 4
CREATE FUNCTION @extschema@.sno_registry_guard() RETURNS trigger
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	margin CONSTANT interval := coalesce((SELECT s.margin FROM ONLY @extschema@.sno_registry_state AS s), '1 minute');
BEGIN
	IF TG_OP NOT IN ('INSERT', 'UPDATE') OR TG_OP = 'UPDATE' AND NEW.partition <> OLD.partition THEN
		RAISE EXCEPTION 'a partition that was given away stays in the registry'
			USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'sno_registry_release() ends the time of its owner.';
	END IF;
	IF TG_OP = 'UPDATE' THEN
		IF NEW.owner <> OLD.owner OR NEW.since IS DISTINCT FROM OLD.since AND NEW.since IS NOT NULL THEN
			IF (OLD.since IS NULL AND NEW.usable_from >= OLD.expires + margin) IS NOT TRUE THEN
				RAISE EXCEPTION 'partition % of "%" is not free for "%"', OLD.partition, OLD.owner, NEW.owner
					USING ERRCODE = 'object_in_use', DETAIL = concat(
						'Until ', coalesce(OLD.expires::text, 'it is released'), ', and for a margin of ', margin, '.'),
					HINT = format('If "%s" makes no more ids, release its partitions; '
						'otherwise give one of the two another sno.partition.', OLD.owner);
			END IF;
		ELSIF NEW.instance IS DISTINCT FROM OLD.instance AND OLD.instance IS NOT NULL THEN
			RAISE EXCEPTION 'another instance of "%" has its partitions', OLD.owner USING ERRCODE = 'object_in_use',
				DETAIL = concat('Instance "', OLD.instance, '" has them ',
					coalesce('until ' || OLD.expires::text, 'for good'), '.'),
				HINT = 'Use another name, or stop that instance and release its partitions.';
		ELSE
			-- The times of one owner only go up, except that a release ends them now
			NEW.usable_from := greatest(NEW.usable_from, OLD.usable_from);
			IF NEW.expires < coalesce(OLD.expires, 'infinity') THEN
				NEW.expires := greatest(NEW.expires, NEW.usable_from,
					least(OLD.expires, CASE WHEN OLD.since IS NOT NULL THEN clock_timestamp() END));
			END IF;
		END IF;
	END IF;
	-- To the next time of an id, a multiple of 4 ms
	NEW.usable_from := to_timestamp(ceil(round((extract(epoch FROM NEW.usable_from) * 250)::numeric, 4))::float8 / 250);
	NEW.expires := to_timestamp(ceil(round((extract(epoch FROM NEW.expires) * 250)::numeric, 4))::float8 / 250);
	RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE OR DELETE ON @extschema@.sno_registry_partition
	FOR EACH ROW EXECUTE FUNCTION @extschema@.sno_registry_guard();
CREATE TRIGGER guard_all BEFORE TRUNCATE ON @extschema@.sno_registry_partition
	EXECUTE FUNCTION @extschema@.sno_registry_guard();
-- Promise 3.  Runs at the commit, because a function that calls ours may have its own setting.
-- A deferred trigger has another wanted effect: the server does not let code of others that a
-- superuser's maintenance runs queue it.  So that code changes nothing here.
CREATE FUNCTION @extschema@.sno_registry_commit() RETURNS trigger
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
		PERFORM set_config('synchronous_commit', 'on', true);
	END IF;
	RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER sno_registry_commit AFTER INSERT OR UPDATE ON @extschema@.sno_registry_partition
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION @extschema@.sno_registry_commit();
CREATE CONSTRAINT TRIGGER sno_registry_commit AFTER INSERT OR UPDATE ON @extschema@.sno_registry_state
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION @extschema@.sno_registry_commit();
-- Checks a call, and takes its locks in one order: the state, so that sno_registry_close() waits
-- for the call; the choice, if the call chooses a place; and the owner's rows, by partition.
CREATE FUNCTION @extschema@.sno_registry_enter(who @extschema@.sno_registry_owner, at timestamptz, chooses boolean,
	OUT margin interval) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	-- The role that calls cannot be seen from here, only the one that has logged in
	own_names CONSTANT text := concat(replace(replace(session_user, '%', '%25'), '/', '%2F'), '/');
BEGIN
	IF current_setting('transaction_isolation') <> 'read committed' THEN
		RAISE EXCEPTION 'cannot change the registry at isolation level %', upper(current_setting('transaction_isolation'))
			USING ERRCODE = 'invalid_transaction_state', HINT = 'Use READ COMMITTED.';
	ELSIF (octet_length(who) BETWEEN 1 AND 255) IS NOT TRUE THEN
		RAISE EXCEPTION 'owner must have 1 to 255 bytes' USING ERRCODE = 'invalid_parameter_value';
	ELSIF (NOT starts_with(who, own_names) OR who ~ '^cluster ')
		AND NOT has_function_privilege(session_user, '@extschema@.sno_registry_adopt(text,integer,integer)', 'EXECUTE') THEN
		RAISE EXCEPTION 'permission denied for owner "%"', who USING ERRCODE = 'insufficient_privilege', HINT = format(
			'Use a name that begins with "%s"; roles that may call sno_registry_adopt() can use all names.', own_names);
	END IF;
	SET CONSTRAINTS @extschema@.sno_registry_commit DEFERRED;
	PERFORM FROM ONLY @extschema@.sno_registry_state AS s WHERE s.is_open FOR KEY SHARE;
	-- A lock that waited for sno_registry_close() is granted on the old row, so look again
	SELECT s.margin INTO margin FROM ONLY @extschema@.sno_registry_state AS s WHERE s.is_open;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'this registry is closed' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = coalesce(
			(SELECT 'Its successor: ' || s.successor FROM ONLY @extschema@.sno_registry_state AS s),
			'Open it by sno_registry_open().');
	END IF;
	IF chooses THEN
		-- Waits for the transactions of others that choose.  If the row were missing, none would wait
		UPDATE ONLY @extschema@.sno_registry_choice AS c SET chosen = at RETURNING c.chosen INTO STRICT at;
		-- All partitions of an owner whose time ended more than the margin ago are released:
		-- otherwise the owner could lose some of them, and renew the others after a clock step
		UPDATE ONLY @extschema@.sno_registry_partition AS r SET since = NULL
			WHERE r.since IS NOT NULL AND r.expires <= at - margin;
		INSERT INTO @extschema@.sno_registry_partition AS r (partition, owner, since, usable_from)
			SELECT o.partition, o.owner, at, at FROM @extschema@.sno_registry_own AS o
			WHERE NOT EXISTS (SELECT FROM ONLY @extschema@.sno_registry_partition AS r WHERE r.partition = o.partition
				AND r.since IS NOT NULL AND (r.owner = o.owner OR starts_with(r.owner, o.owner || '/')))
			ON CONFLICT ON CONSTRAINT sno_registry_partition_pkey DO UPDATE SET owner = excluded.owner, instance = NULL,
				since = excluded.since, usable_from = greatest(excluded.usable_from, r.expires + margin), expires = NULL;
	END IF;
	PERFORM FROM ONLY @extschema@.sno_registry_partition AS r
		WHERE r.owner = who AND r.since IS NOT NULL ORDER BY r.partition FOR UPDATE;
END
$$;
CREATE FUNCTION @extschema@.sno_registry_acquire(
	owner text, count integer DEFAULT NULL, ttl interval DEFAULT NULL, instance text DEFAULT NULL,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	who CONSTANT @extschema@.sno_registry_owner := owner;
	at CONSTANT timestamptz := clock_timestamp();
	until CONSTANT timestamptz := at + ttl;
	wanted CONSTANT integer := coalesce(count, 16);
	alignment CONSTANT integer := 1 << length(ltrim((wanted - 1)::bit(32)::text, '0')); -- the next power of two
	chooses boolean := NOT EXISTS (SELECT FROM ONLY @extschema@.sno_registry_partition AS r
		WHERE r.owner = who AND r.since IS NOT NULL AND (r.expires > at) IS NOT FALSE);
	margin interval;
BEGIN
	IF wanted NOT BETWEEN 1 AND 65536 THEN
		RAISE EXCEPTION 'count of partitions out of range: %', count USING ERRCODE = 'numeric_value_out_of_range';
	ELSIF until <= at OR NOT isfinite(until) THEN
		RAISE EXCEPTION 'ttl must be finite and greater than zero: %', ttl USING ERRCODE = 'invalid_parameter_value';
	END IF;
	-- The partitions that the owner has
	LOOP
		margin := @extschema@.sno_registry_enter(who, at, chooses);
		WITH kept AS (UPDATE ONLY @extschema@.sno_registry_partition AS r
			SET instance = sno_registry_acquire.instance,
				expires = CASE WHEN r.expires IS NOT NULL AND until IS NOT NULL THEN greatest(r.expires, until) END
			WHERE r.owner = who AND r.since IS NOT NULL AND (r.expires > at) IS NOT FALSE RETURNING r.*)
		SELECT min(k.partition), count(*), max(k.usable_from), max(k.expires)
			INTO partition, partition_count, usable_from, expires FROM kept AS k;
		EXIT WHEN partition IS NOT NULL OR chooses;
		chooses := true; -- they were released just now
	END LOOP;
	IF who ~ '^cluster ' THEN
		RAISE EXCEPTION '"%" is the name of a cluster that holds a registry', owner USING ERRCODE = 'reserved_name';
	ELSIF partition IS NOT NULL AND partition_count < count THEN
		RAISE EXCEPTION '"%" has % partitions, fewer than %', owner, partition_count, count USING
			ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Release them first, or acquire more under another name.';
	ELSIF partition IS NOT NULL THEN
		RETURN;
	END IF;
	-- Others: from the first number that is not among the blocks in use
	UPDATE ONLY @extschema@.sno_registry_partition AS r SET since = NULL WHERE r.owner = who AND r.since IS NOT NULL;
	SELECT coalesce(min(b.n) FILTER (WHERE b.block <> b.n), count(*)) * alignment INTO partition
		FROM (SELECT u.block, row_number() OVER (ORDER BY u.block) - 1 AS n FROM (
			SELECT DISTINCT r.partition / alignment AS block FROM ONLY @extschema@.sno_registry_partition AS r
			WHERE mod(r.partition, alignment) < wanted AND (r.since IS NOT NULL OR r.expires > at - margin)) AS u) AS b;
	IF partition + wanted > 65536 THEN
		RAISE EXCEPTION 'no place for % partitions is free', wanted
			USING ERRCODE = 'program_limit_exceeded', HINT = 'Release what is no longer used, or ask for fewer.';
	END IF;
	WITH new AS (INSERT INTO @extschema@.sno_registry_partition (partition, owner, instance, since, usable_from, expires)
		SELECT p, who, instance, at, at, until FROM generate_series(partition, partition + wanted - 1) AS p
		ON CONFLICT ON CONSTRAINT sno_registry_partition_pkey DO UPDATE
			SET owner = excluded.owner, instance = excluded.instance, since = excluded.since,
				usable_from = excluded.usable_from, expires = excluded.expires RETURNING *)
	SELECT count(*), max(n.usable_from), max(n.expires) INTO partition_count, usable_from, expires FROM new AS n;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_acquire(text, integer, interval, text) IS
	'get partitions for an owner: those it has, or else free ones; for good, or for the time to live';
CREATE FUNCTION @extschema@.sno_registry_adopt(owner text, first integer, count integer DEFAULT 1,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	who CONSTANT @extschema@.sno_registry_owner := owner;
	at CONSTANT timestamptz := clock_timestamp();
	last integer;
	margin interval;
BEGIN
	IF (first BETWEEN 0 AND 65535 AND count BETWEEN 1 AND 65536 - first) IS NOT TRUE THEN
		RAISE EXCEPTION 'partitions out of range: % starting at %', count, first USING ERRCODE = 'numeric_value_out_of_range';
	END IF;
	margin := @extschema@.sno_registry_enter(who, at, true);
	UPDATE ONLY @extschema@.sno_registry_partition AS r SET expires = NULL WHERE r.owner = who AND r.since IS NOT NULL;
	IF NOT FOUND THEN
		INSERT INTO @extschema@.sno_registry_partition AS r (partition, owner, since, usable_from)
			SELECT p, who, at, at FROM generate_series(first, first + count - 1) AS p
			ON CONFLICT ON CONSTRAINT sno_registry_partition_pkey DO UPDATE SET owner = excluded.owner, instance = NULL,
				since = excluded.since, usable_from = greatest(excluded.usable_from, r.expires + margin), expires = NULL;
	END IF;
	SELECT min(r.partition), max(r.partition), count(*), max(r.usable_from)
		INTO partition, last, partition_count, usable_from FROM ONLY @extschema@.sno_registry_partition AS r
		WHERE r.owner = who AND r.since IS NOT NULL;
	IF first < partition OR first + count - 1 > last THEN
		RAISE EXCEPTION '"%" has partitions % to % on record', owner, partition, last
			USING ERRCODE = 'object_not_in_prerequisite_state',
			HINT = 'If it uses others now, release these first; otherwise adopt the others under another name.';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_adopt(text, integer, integer) IS
	'record partitions that an owner already uses, such as the automatic one of a cluster';
CREATE FUNCTION @extschema@.sno_registry_renew(
	owner text, ttl interval, instance text DEFAULT NULL, lead float8 DEFAULT 0,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	who CONSTANT @extschema@.sno_registry_owner := owner;
	at CONSTANT timestamptz := clock_timestamp();
	until CONSTANT timestamptz := at + ttl + make_interval(secs => lead / 1000);
BEGIN
	PERFORM @extschema@.sno_registry_enter(who, at, false);
	IF (until > at AND isfinite(until) AND lead BETWEEN 0 AND 86400000) IS NOT TRUE THEN
		RAISE EXCEPTION 'ttl must be finite and greater than zero, and lead between 0 and a day: %, % ms', ttl, lead
			USING ERRCODE = 'invalid_parameter_value';
	END IF;
	WITH kept AS (UPDATE ONLY @extschema@.sno_registry_partition AS r SET instance = sno_registry_renew.instance,
			expires = CASE WHEN r.expires IS NOT NULL THEN greatest(r.expires, until) END
		WHERE r.owner = who AND r.since IS NOT NULL AND (r.expires > at) IS NOT FALSE RETURNING r.*)
	SELECT min(k.partition), count(*), max(k.usable_from), max(k.expires)
		INTO partition, partition_count, usable_from, expires FROM kept AS k;
	IF partition IS NULL THEN
		RAISE EXCEPTION 'the partitions of "%" have expired', owner USING ERRCODE = 'object_not_in_prerequisite_state',
			HINT = 'Generate no more ids in them, and acquire partitions again.';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_renew(text, interval, text, double precision) IS
	'let an owner keep its partitions for this long from now on';
CREATE FUNCTION @extschema@.sno_registry_release(owner text, instance text DEFAULT NULL, lead float8 DEFAULT 0)
	RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	who CONSTANT @extschema@.sno_registry_owner := owner;
	at CONSTANT timestamptz := clock_timestamp();
BEGIN
	PERFORM @extschema@.sno_registry_enter(who, at, false);
	IF (lead BETWEEN 0 AND 86400000) IS NOT TRUE THEN
		RAISE EXCEPTION 'lead must be between 0 and a day: % ms', lead USING ERRCODE = 'invalid_parameter_value';
	END IF;
	UPDATE ONLY @extschema@.sno_registry_partition AS r
		SET since = NULL, instance = coalesce(sno_registry_release.instance, r.instance),
			expires = least(r.expires, at) + make_interval(secs => lead / 1000)
		WHERE r.owner = who AND r.since IS NOT NULL;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'no partitions are on record for "%"', owner USING ERRCODE = 'undefined_object';
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_release(text, text, double precision) IS
	'give back the partitions of an owner that makes no more ids in them';
-- The margin is in seconds, because a day has 23 hours in some time zones
CREATE FUNCTION @extschema@.sno_registry_margin(margin interval) RETURNS void
	LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SET CONSTRAINTS @extschema@.sno_registry_commit DEFERRED;
	INSERT INTO @extschema@.sno_registry_state (is_open, margin)
		VALUES (false, make_interval(secs => extract(epoch FROM sno_registry_margin.margin)::double precision))
		ON CONFLICT ON CONSTRAINT sno_registry_state_pkey DO UPDATE SET margin = excluded.margin;
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_margin(interval) IS 'set the time between two owners of a partition';
-- Calls share their lock of the state: while others go on calling, a lock that excludes them may never be granted.
-- So the first close refuses new calls from its commit on, without waiting; the second waits for those under way.
CREATE FUNCTION @extschema@.sno_registry_close(successor text) RETURNS boolean
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	was_open boolean;
BEGIN
	SET CONSTRAINTS @extschema@.sno_registry_commit DEFERRED;
	SELECT s.is_open INTO was_open FROM ONLY @extschema@.sno_registry_state AS s FOR NO KEY UPDATE;
	UPDATE ONLY @extschema@.sno_registry_state AS s SET is_open = false, successor = sno_registry_close.successor;
	IF was_open THEN
		PERFORM FROM ONLY @extschema@.sno_registry_state FOR UPDATE SKIP LOCKED;
		RETURN FOUND;
	END IF;
	PERFORM FROM ONLY @extschema@.sno_registry_state FOR UPDATE;
	RETURN true;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_close(text) IS
	'give nothing away any more, and name the successor; false while calls that found it open are under way';
CREATE FUNCTION @extschema@.sno_registry_open(margin interval DEFAULT '0') RETURNS void
	LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SET CONSTRAINTS @extschema@.sno_registry_commit DEFERRED;
	INSERT INTO @extschema@.sno_registry_state DEFAULT VALUES ON CONFLICT DO NOTHING;
	WITH opened AS (UPDATE ONLY @extschema@.sno_registry_state AS s SET is_open = true WHERE NOT s.is_open
		RETURNING clock_timestamp() + coalesce(sno_registry_open.margin, '0') AS earliest)
	UPDATE ONLY @extschema@.sno_registry_partition AS r SET usable_from = greatest(r.usable_from, o.earliest),
		expires = CASE WHEN r.expires IS NOT NULL THEN greatest(r.expires, o.earliest) END FROM opened AS o;
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_open(interval) IS
	'let a registry give partitions away; what it knows from before is usable from now plus the margin on';
-- Default privileges may have granted others what is the owner's: revoke it
DO $$
DECLARE
	home CONSTANT oid := '@extschema@'::regnamespace;
	command text;
BEGIN
	FOR command IN
		WITH made (object, owner, acl) AS (
			SELECT concat('TABLE ', c.oid::regclass), c.relowner, c.relacl FROM pg_class AS c
			WHERE c.relnamespace = home AND c.relkind IN ('r', 'v') AND c.relname ~ '^sno_registry'
			UNION ALL SELECT concat('DOMAIN ', t.oid::regtype), t.typowner, coalesce(t.typacl, acldefault('T', t.typowner))
			FROM pg_type AS t WHERE t.typnamespace = home AND t.typname = 'sno_registry_owner'
			UNION ALL SELECT concat('FUNCTION ', p.oid::regprocedure), p.proowner, coalesce(p.proacl,
			acldefault('f', p.proowner)) FROM pg_proc AS p WHERE p.pronamespace = home AND p.proname ~ '^sno_registry_')
		SELECT DISTINCT format('REVOKE ALL ON %s FROM %s', m.object,
			CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END)
		FROM made AS m, aclexplode(m.acl) AS a WHERE m.owner = quote_ident(current_user)::regrole AND a.grantee <> m.owner
	LOOP
		EXECUTE command;
	END LOOP;
	GRANT SELECT ON @extschema@.sno_registry TO pg_monitor;
	IF EXISTS (SELECT FROM pg_extension AS e WHERE e.extname = 'sno_registry') THEN
		PERFORM pg_extension_config_dump('@extschema@.sno_registry_partition', '');
		PERFORM pg_extension_config_dump('@extschema@.sno_registry_state', '');
	END IF;
	PERFORM set_config('role', current_setting('sno_registry.role'), true);
END
$$;
