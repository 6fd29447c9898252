-- sno.sql
--	The format of sno in plain SQL, for servers on which no extension can be
--	installed: PostgreSQL 13 and later.  README.md beside this file has its use.
--
-- Any owner of a schema installs it, into the first schema of the search path:
--
--	PGOPTIONS='-c search_path=ids' psql -f sno.sql
--
-- Run again, it replaces the functions, and keeps the partition and the head.
--
-- An id is a uuid, whose 16 bytes are the 16 characters of a sno in ASCII.
--
-- Why no id comes out twice
-- -------------------------
-- The sequence sno_head is the head: tick and sequence of the last id in one
-- number, tick * 65536 + sequence.  Each value of it is a slot.  A call takes one
-- under a SHARE UPDATE EXCLUSIVE lock on the table sno_lock, which one session at a
-- time can hold: it calls nextval, and then setval to the clock's tick, if that is
-- above the slot which nextval returned.
--
-- nextval returns no value twice and only goes up.  setval could turn it back, but
-- runs alone, and only above a slot that it took itself under the lock, after
-- every other one.  So the head only goes up, and each slot is taken once.  It
-- does not matter which clock a session has read, when it did, or whether it then
-- stood still: the clock only decides how far the head goes.  A clock that is set
-- back leaves the head where it is.
--
-- The lock belongs to a subtransaction that always rolls back, by the exception at
-- its end.  So PostgreSQL releases it at once, also if the call is cancelled or
-- fails, and no pool of connections carries it on.  What sequences do is never
-- rolled back.  Only the owner can touch the sequences; callers reach them through
-- sno_generate_uuid, which has the owner's rights.
--
-- A call holds the lock while it works, and never while it waits for its client: it
-- sends that no message, which a client that does not read would block.  Parsing a
-- statement locks the tables it names before rights are checked, but PREPARE of an
-- INSERT into sno_lock, for one, takes a weaker lock, which stops no call.  What takes
-- as strong a lock first, such as COMMENT ON TABLE, then fails.  So whoever may use the
-- schema can hold up all calls only while a client does not read that error, and can
-- never cause a duplicate.
--
-- nextval and setval are in the WAL before the row that gets the id.  Whatever a
-- crash, a promotion or a restored backup keeps is a beginning of the WAL; if it
-- has the row, it has a head at or above the row's slot.  pg_dump reads the
-- sequences after its snapshot of the rows.  An id that no surviving row holds can
-- be made again, as with every sequence.
--
-- The partition is the last value of a second sequence, so it is neither part of a
-- snapshot of a transaction, nor replicated with tables, nor in a dump of the
-- schema alone.  A call reads it under the lock, together with its slot.
--
-- Why a reader misses no row
-- --------------------------
-- The first call of a transaction takes a mark before its slot: a shared advisory
-- lock, whose key holds a tick that is not above that of the slot.  PostgreSQL keeps
-- it until others see the transaction's end, with a prepared transaction over a crash
-- and a promotion, too.  sno_resolved ends the tick of the head, reads the head, and
-- then the marks.  A slot up to that head was taken before, and its mark before it: so
-- the mark is seen, or the transaction has ended.  All later slots are above the head.
--
-- A setting of the transaction says that it has a mark.  Its value is the transaction's
-- id and the partition: a value that is left over means nothing, and after the head was
-- set back, in another partition, a mark may be too high.  Mark and setting are made in
-- one subtransaction.  So both go if a savepoint is rolled back, and neither belongs to
-- a cursor, whose locks are released when a later FETCH fails.
--
-- Everybody can take advisory locks.  An exclusive one of a stranger makes calls take a
-- lower mark, and never wait; a shared one below the head holds readers back.  The keys
-- of two installations can be equal, which holds readers back, too.  Nothing that others
-- do hides a mark; a role can only hide its own, by the setting.

BEGIN;

-- Functions here run with the rights of their owner, and the owner of a schema can
-- replace what is in it.  So everything belongs to the owner of the schema, whoever
-- runs this.  Superusers have all rights anyway.
--
-- A function or operator in that schema may fit better than the server's own, and
-- would run with the rights of the session.  So expressions are evaluated here only
-- while the path is pg_catalog.
DO $$
DECLARE
	home pg_namespace := n FROM pg_namespace AS n WHERE nspname = current_schema;
BEGIN
	SET LOCAL search_path = pg_catalog, pg_temp;
	IF home.oid IS NULL THEN
		RAISE 'no schema has been selected to create in'
			USING ERRCODE = 'invalid_schema_name',
				HINT = 'Create the schema that search_path names, or let its owner install it.';
	ELSIF EXISTS (SELECT FROM aclexplode(home.nspacl) WHERE privilege_type = 'CREATE' AND grantee <> home.nspowner) THEN
		RAISE 'others may create objects in schema "%"', home.nspname
			USING ERRCODE = 'insufficient_privilege',
				HINT = 'Install it in a schema in which only its owner may.';
	ELSIF EXISTS (
		SELECT FROM (
			SELECT relowner FROM pg_class WHERE relnamespace = home.oid AND starts_with(relname::text, 'sno_')
			UNION ALL
			SELECT proowner FROM pg_proc WHERE pronamespace = home.oid AND starts_with(proname::text, 'sno_')) AS object (owner)
		JOIN pg_roles AS r ON r.oid = owner
		WHERE owner <> home.nspowner AND NOT rolsuper) THEN
		RAISE 'objects of others are in the way in schema "%"', home.nspname
			USING ERRCODE = 'insufficient_privilege',
				HINT = 'Drop what begins with "sno_" there and does not belong to the owner of the schema.';
	END IF;
	IF NOT (SELECT rolsuper FROM pg_roles WHERE oid = home.nspowner) THEN
		BEGIN
			EXECUTE format('SET LOCAL ROLE %s', home.nspowner::regrole);
		EXCEPTION WHEN insufficient_privilege THEN
			RAISE 'schema "%" does not belong to role "%"', home.nspname, current_user
				USING ERRCODE = 'insufficient_privilege', DETAIL = SQLERRM,
					HINT = 'Let the owner of the schema install it.';
		END;
	END IF;
	-- The other role may have another path
	PERFORM set_config('search_path', quote_ident(home.nspname), true);
END $$;

CREATE SEQUENCE IF NOT EXISTS sno_head MINVALUE 0 MAXVALUE 36028797018963967;
COMMENT ON SEQUENCE sno_head IS 'tick and sequence of the last id; only sno_generate_uuid may change it';
CREATE SEQUENCE IF NOT EXISTS sno_own_partition MINVALUE 0 MAXVALUE 65535;
COMMENT ON SEQUENCE sno_own_partition IS 'the partition of new ids';
-- Unlogged tables are not replicated
CREATE UNLOGGED TABLE IF NOT EXISTS sno_lock ();
COMMENT ON TABLE sno_lock IS 'is locked while an id is made';

-- Arguments have exactly the types of the functions that are meant, so that no
-- overload in this schema is called instead, or makes a call ambiguous.
CREATE OR REPLACE FUNCTION sno_generate_uuid(meta integer DEFAULT 0) RETURNS uuid
	LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET client_min_messages = warning AS $$
DECLARE
	setting CONSTANT text := 'sno_'::text || (regclass 'sno_head')::oid::text || '.mark'::text;
	tick bigint := floor(date_part('epoch'::text, clock_timestamp() - timestamptz '2010-01-01 00:00+00')
		* double precision '250');
	marked text;
	mark bigint;
	partition bigint;
	partition_of_slot bigint;
	slot bigint;
	groups bigint;
	codes text;
BEGIN
	IF meta < 0 OR meta > 255 THEN
		RAISE 'metabyte out of range for type sno: %', meta
			USING ERRCODE = 'numeric_value_out_of_range', DETAIL = 'It must be between 0 and 255.';
	ELSIF tick < 0 OR tick > 549755813887 THEN
		RAISE 'the server''s clock is out of range for type sno'
			USING ERRCODE = 'object_not_in_prerequisite_state';
	END IF;

	LOOP
		partition := pg_sequence_last_value(regclass 'sno_own_partition');
		IF partition IS NULL THEN
			RAISE 'no partition is set'
				USING ERRCODE = 'object_not_in_prerequisite_state',
					HINT = 'Set one that no other server has: SELECT pg_catalog.setval(''sno_own_partition'', number).';
		END IF;

		marked := pg_current_xact_id()::text || ' '::text || partition::text;
		IF current_setting(setting, true) IS DISTINCT FROM marked THEN
			BEGIN
				mark := greatest((pg_sequence_last_value(regclass 'sno_head') + 1) >> 16, tick);
				WHILE NOT pg_try_advisory_xact_lock_shared(((regclass 'sno_head')::oid::bigint << 39) | mark) LOOP
					mark := mark - 1;
				END LOOP;
				PERFORM set_config(setting, marked, true);
			EXCEPTION WHEN SQLSTATE 'SNO00' THEN	-- only makes it a subtransaction
			END;
		END IF;

		BEGIN
			LOCK TABLE sno_lock IN SHARE UPDATE EXCLUSIVE MODE;
			slot := nextval(regclass 'sno_head');
			IF slot >> 16 < tick THEN
				slot := setval(regclass 'sno_head', tick << 16);
			END IF;
			partition_of_slot := pg_sequence_last_value(regclass 'sno_own_partition');
			RAISE SQLSTATE 'SNO00';		-- releases the lock
		EXCEPTION WHEN SQLSTATE 'SNO00' THEN
		END;
		EXIT WHEN partition_of_slot = partition;
	END LOOP;

	groups := sno_groups((slot >> 16) << 1);
	codes := sno_codes(groups);
	groups := sno_groups((meta::bigint << 32) | (partition << 16) | (slot & bigint '65535'));
	RETURN (codes || sno_codes(groups))::uuid;
END $$;
COMMENT ON FUNCTION sno_generate_uuid(integer) IS 'a new id with this metabyte, unique in the database';

-- A bound is the end of a tick: its tick-tock bit is set, as in no id that is made here.
-- It has the metabyte 255, the partition and the sequence 0.  Given to the next call, it
-- tells whether the partition has changed since, and so perhaps the head was set back.
--
-- Polls end ticks of the clock, and up to 100 ms beyond it.  A head that is further
-- ahead, because the clock was set back, advances by at most one tick in two of the
-- clock, so that the clock catches up however many polls there are: an even tick can be
-- ended in every other 8 ms of the clock, an odd one in those between.
CREATE OR REPLACE FUNCTION sno_resolved(since uuid DEFAULT '32323232-3232-3232-3232-323232323232') RETURNS uuid
	LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET client_min_messages = warning AS $$
DECLARE
	first_key CONSTANT bigint := (regclass 'sno_head')::oid::bigint << 39;
	clock bigint := floor(date_part('epoch'::text, clock_timestamp() - timestamptz '2010-01-01 00:00+00')
		* double precision '250');
	partition bigint;
	head bigint;
	unresolved bigint;
	groups bigint;
	codes text;
BEGIN
	IF since IS NULL THEN
		RAISE 'the cursor must not be null'
			USING ERRCODE = 'null_value_not_allowed', HINT = 'The default of sno_resolved is below all ids.';
	ELSIF pg_is_in_recovery() THEN
		RAISE 'cannot resolve snos during recovery'
			USING ERRCODE = 'read_only_sql_transaction', HINT = 'Only the primary knows which transactions are open.';
	ELSIF current_setting('transaction_isolation'::text) NOT IN ('read committed'::text, 'read uncommitted'::text) THEN
		RAISE 'cannot resolve snos in a transaction with one snapshot'
			USING ERRCODE = 'invalid_transaction_state',
				HINT = 'Call it at isolation level READ COMMITTED, and read the rows in the next statement.';
	END IF;

	BEGIN
		LOCK TABLE sno_lock IN SHARE UPDATE EXCLUSIVE MODE;
		partition := pg_sequence_last_value(regclass 'sno_own_partition');
		head := coalesce(pg_sequence_last_value(regclass 'sno_head'), bigint '0');
		IF (head & bigint '65535') < 65535
				AND (head >> 16 <= clock + 25 OR (((head >> 16) + (clock >> 1)) & bigint '1') = 0) THEN
			head := setval(regclass 'sno_head', head | bigint '65535');
		END IF;
		RAISE SQLSTATE 'SNO00';		-- releases the lock
	EXCEPTION WHEN SQLSTATE 'SNO00' THEN
	END;

	groups := sno_groups(((head >> 16) << 1) | bigint '1');
	IF partition IS NULL OR sno_meta(since) = 255 AND sno_sequence(since) = 0 AND sno_partition(since) <> partition
			AND (get_byte(uuid_send(since), 7) + 28) % 39 % 2 = 1 THEN
		RAISE 'the cursor is of another partition'
			USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'New ids may sort before it.', HINT = 'See what README.md says of changing the partition.';
	ELSIF since > (sno_codes(groups) || '7878787878787878'::text)::uuid THEN
		RAISE 'the cursor is ahead of all ids'
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Either it is not a cursor of this database, or the head was set back or restored.  Compare what '
					'was read with the table before you set the cursor back.';
	END IF;

	-- The first tick that may have unresolved ids
	SELECT min(key - first_key) INTO unresolved
	FROM (
		SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
		WHERE locktype = 'advisory'::text AND objsubid = 1 AND mode = 'ShareLock'::text AND granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS l
	WHERE key >= first_key AND key <= first_key + 549755813887;
	unresolved := least(unresolved, (head + 1) >> 16);
	IF unresolved <= 0 THEN
		RETURN since;
	END IF;

	groups := sno_groups(((unresolved - 1) << 1) | bigint '1');
	codes := sno_codes(groups);
	groups := sno_groups((bigint '255' << 32) | (partition << 16));
	RETURN greatest(since, (codes || sno_codes(groups))::uuid);
END $$;
COMMENT ON FUNCTION sno_resolved(uuid) IS
	'all ids up to and including this one are resolved: none of them will be made any more, and a snapshot taken after '
	'the call sees all their rows that will ever be committed; never below since';

--
-- What an id holds.  Plain expressions, so that the planner puts them in the place
-- of the call.  What they call is looked up here, for good: in a policy, a check or
-- an index, a role that puts its own functions before the server's would otherwise
-- have its own called.  PostgreSQL 13 can only look it up in the path of the session.
--
-- sno_groups spreads forty bits over eight bytes, and sno_codes makes characters of
-- them: 0 to 7 become '2' to '9', which are 50 to 57; from 8 on, 'a' to 'x', 97 to 120.
-- Give sno_codes a variable: of an expression, which it would repeat, the planner would
-- leave the call.
--
-- A character has the value (code + 28) % 39.  If the uuid is no sno, the cast
-- of the last branch fails: a plain expression has no other way to raise 22P02.
--

DO $do$
DECLARE
	home name := current_schema;
	wanted record;
BEGIN
	SET LOCAL search_path = pg_catalog, pg_temp;
	FOR wanted IN SELECT * FROM (VALUES
		('sno_groups(bits bigint)', 'bigint', $body$
		((bits & x'F800000000'::bigint) << 21) | ((bits & x'07C0000000'::bigint) << 18)
			| ((bits & x'003E000000'::bigint) << 15) | ((bits & x'0001F00000'::bigint) << 12)
			| ((bits & x'00000F8000'::bigint) << 9) | ((bits & x'0000007C00'::bigint) << 6)
			| ((bits & x'00000003E0'::bigint) << 3) | (bits & x'000000001F'::bigint)
		$body$),
		('sno_codes(groups bigint)', 'text', $body$
		to_hex(groups + x'3232323232323232'::bigint
			+ 39 * (((groups >> 3) | (groups >> 4)) & x'0101010101010101'::bigint))
		$body$),
		('sno_text(id uuid)', 'text', $body$
		CASE WHEN encode(uuid_send(id), 'escape') COLLATE "C" ~ '^[2-9a-x]{16}$'
			THEN encode(uuid_send(id), 'escape')
			ELSE (id::text || ' is no sno')::uuid::text END
		$body$),
		('sno_from_text(text text)', 'uuid', $body$
		CASE WHEN $1 COLLATE "C" ~ '^[2-9a-x]{16}$'
			THEN encode(decode($1, 'escape'), 'hex')::uuid
			ELSE ($1 || ' is no sno')::uuid END
		$body$),
		('sno_timestamp(id uuid)', 'timestamptz', $body$
		CASE WHEN encode(uuid_send(id), 'escape') COLLATE "C" ~ '^[2-9a-x]{16}$'
			THEN (timestamp '2010-01-01' + interval '4 ms' * (
					(get_byte(uuid_send(id), 0) + 28) % 39 * 17179869184::bigint
					+ (get_byte(uuid_send(id), 1) + 28) % 39 * 536870912::bigint
					+ (get_byte(uuid_send(id), 2) + 28) % 39 * 16777216
					+ (get_byte(uuid_send(id), 3) + 28) % 39 * 524288
					+ (get_byte(uuid_send(id), 4) + 28) % 39 * 16384
					+ (get_byte(uuid_send(id), 5) + 28) % 39 * 512
					+ (get_byte(uuid_send(id), 6) + 28) % 39 * 16
					+ (get_byte(uuid_send(id), 7) + 28) % 39 / 2)::double precision) AT TIME ZONE 'UTC'
			ELSE to_timestamp((id::text || ' is no sno')::uuid::text::double precision) END
		$body$),
		('sno_meta(id uuid)', 'integer', $body$
		CASE WHEN encode(uuid_send(id), 'escape') COLLATE "C" ~ '^[2-9a-x]{16}$'
			THEN (get_byte(uuid_send(id), 8) + 28) % 39 * 8
				+ (get_byte(uuid_send(id), 9) + 28) % 39 / 4
			ELSE (id::text || ' is no sno')::uuid::text::integer END
		$body$),
		('sno_partition(id uuid)', 'integer', $body$
		CASE WHEN encode(uuid_send(id), 'escape') COLLATE "C" ~ '^[2-9a-x]{16}$'
			THEN (get_byte(uuid_send(id), 9) + 28) % 39 % 4 * 16384
				+ (get_byte(uuid_send(id), 10) + 28) % 39 * 512
				+ (get_byte(uuid_send(id), 11) + 28) % 39 * 16
				+ (get_byte(uuid_send(id), 12) + 28) % 39 / 2
			ELSE (id::text || ' is no sno')::uuid::text::integer END
		$body$),
		('sno_sequence(id uuid)', 'integer', $body$
		CASE WHEN encode(uuid_send(id), 'escape') COLLATE "C" ~ '^[2-9a-x]{16}$'
			THEN (get_byte(uuid_send(id), 12) + 28) % 39 % 2 * 32768
				+ (get_byte(uuid_send(id), 13) + 28) % 39 * 1024
				+ (get_byte(uuid_send(id), 14) + 28) % 39 * 32
				+ (get_byte(uuid_send(id), 15) + 28) % 39
			ELSE (id::text || ' is no sno')::uuid::text::integer END
		$body$)) AS f (signature, result, expression)
	LOOP
		EXECUTE format('CREATE OR REPLACE FUNCTION %I.%s RETURNS %s LANGUAGE sql IMMUTABLE PARALLEL SAFE ' ||
			CASE WHEN current_setting('server_version_num')::integer >= 140000 THEN 'RETURN %s' ELSE 'AS $f$ SELECT %s $f$' END,
			home, wanted.signature, wanted.result, wanted.expression);
	END LOOP;
	PERFORM set_config('search_path', quote_ident(home), true);
END $do$;
COMMENT ON FUNCTION sno_groups(bigint) IS 'the eight groups of forty bits, each in a byte of its own';
COMMENT ON FUNCTION sno_codes(bigint) IS 'the characters of these groups, in hexadecimal digits';
COMMENT ON FUNCTION sno_text(uuid) IS 'the 16 characters of an id';
COMMENT ON FUNCTION sno_from_text(text) IS 'the id of these 16 characters';
COMMENT ON FUNCTION sno_timestamp(uuid) IS 'the time of an id: the start of its 4 ms';
COMMENT ON FUNCTION sno_meta(uuid) IS 'the metabyte of an id';
COMMENT ON FUNCTION sno_partition(uuid) IS 'the partition of an id';
COMMENT ON FUNCTION sno_sequence(uuid) IS 'the sequence of an id';

CREATE OR REPLACE FUNCTION sno_lower_bound(instant timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
	tick bigint := 0;
	groups bigint;
BEGIN
	IF instant > timestamptz '2079-09-07 15:47:35.548+00' THEN
		RAISE 'no sno is at or after this timestamp'
			USING ERRCODE = 'datetime_field_overflow',
				DETAIL = 'The latest time a sno can hold is 2079-09-07 15:47:35.548 UTC.';
	ELSIF instant > timestamptz '2010-01-01 00:00+00' THEN
		tick := (round(date_part('epoch'::text, instant) * double precision '1000000')::bigint
			- 1262304000000000 + 3999) / 4000;
	END IF;
	groups := sno_groups(tick << 1);
	RETURN (sno_codes(groups) || '3232323232323232'::text)::uuid;
END $$;

CREATE OR REPLACE FUNCTION sno_upper_bound(instant timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
	tick bigint := 549755813887;
	groups bigint;
BEGIN
	IF instant < timestamptz '2010-01-01 00:00+00' THEN
		RAISE 'no sno is at or before this timestamp'
			USING ERRCODE = 'datetime_field_overflow',
				DETAIL = 'The earliest time a sno can hold is 2010-01-01 00:00:00 UTC.';
	ELSIF instant < timestamptz '2079-09-07 15:47:35.548+00' THEN
		tick := (round(date_part('epoch'::text, instant) * double precision '1000000')::bigint - 1262304000000000) / 4000;
	END IF;
	groups := sno_groups((tick << 1) | bigint '1');
	RETURN (sno_codes(groups) || '7878787878787878'::text)::uuid;
END $$;

DO $$
DECLARE
	home name := current_schema;
	own_partition regclass := regclass 'sno_own_partition';
	name text;
	object text;
	grantee oid;
BEGIN
	SET LOCAL search_path = pg_catalog, pg_temp;

	-- The partition is drawn at random, once
	IF pg_sequence_last_value(own_partition) IS NULL THEN
		PERFORM setval(own_partition, floor(random() * 65536)::bigint);
	END IF;

	-- The functions that name other objects find them in this schema alone
	FOREACH name IN ARRAY ARRAY['sno_generate_uuid(integer)', 'sno_resolved(uuid)',
		'sno_lower_bound(timestamptz)', 'sno_upper_bound(timestamptz)'] LOOP
		EXECUTE format('ALTER FUNCTION %I.%s SET search_path = pg_catalog, %1$I, pg_temp', home, name);
	END LOOP;

	-- The extension, if it is there, has functions of these names, which are found first
	EXECUTE format('COMMENT ON FUNCTION %I.sno_lower_bound(timestamptz) IS %L', home,
		'the smallest id whose time is at or after the instant');
	EXECUTE format('COMMENT ON FUNCTION %I.sno_upper_bound(timestamptz) IS %L', home,
		'the largest id whose time is at or before the instant');

	-- Default privileges give no other role the sequences and the lock
	FOR object, grantee IN
		SELECT c.oid::regclass, acl.grantee
		FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace, aclexplode(c.relacl) AS acl
		WHERE n.nspname = home
			AND c.relname IN ('sno_head', 'sno_own_partition', 'sno_lock') AND acl.grantee <> c.relowner
	LOOP
		EXECUTE format('REVOKE ALL ON %s FROM %s', object,
			CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END);
	END LOOP;
END $$;

COMMIT;
