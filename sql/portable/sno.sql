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
	IF EXISTS (SELECT FROM aclexplode(home.nspacl) WHERE privilege_type = 'CREATE' AND grantee <> home.nspowner) THEN
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

-- Functions here call nothing in this schema, and the server's with exactly the types
-- that these have, so an overload that the owner adds is not called, nor makes a call
-- ambiguous.  So three functions each have their own code that spreads forty bits over
-- eight bytes: halves, quarters, eighths.  Then 0 to 7 become '2' to '9', which are 50 to
-- 57; from 8 on, 'a' to 'x', 97 to 120.
CREATE OR REPLACE FUNCTION sno_generate_uuid(meta integer DEFAULT 0) RETURNS uuid
	LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET client_min_messages = warning AS $$
DECLARE
	-- With the arguments' own types, or a function of another role could fit better
	tick bigint := floor(date_part('epoch'::text, clock_timestamp() - timestamptz '2010-01-01 00:00+00') * double precision '250');
	slot bigint;
	partition bigint;
	bits bigint;
	codes text := '';
BEGIN
	IF meta < 0 OR meta > 255 THEN
		RAISE 'metabyte out of range for type sno: %', meta
			USING ERRCODE = 'numeric_value_out_of_range', DETAIL = 'It must be between 0 and 255.';
	ELSIF tick < 0 OR tick > 549755813887 THEN
		RAISE 'the server''s clock is out of range for type sno'
			USING ERRCODE = 'object_not_in_prerequisite_state';
	END IF;

	BEGIN
		LOCK TABLE sno_lock IN SHARE UPDATE EXCLUSIVE MODE;
		slot := nextval(regclass 'sno_head');
		IF slot >> 16 < tick THEN
			slot := setval(regclass 'sno_head', tick << 16);
		END IF;
		partition := pg_sequence_last_value(regclass 'sno_own_partition');
		RAISE SQLSTATE 'SNO00';		-- releases the lock
	EXCEPTION WHEN SQLSTATE 'SNO00' THEN
	END;

	IF partition IS NULL THEN
		RAISE 'no partition is set'
			USING ERRCODE = 'object_not_in_prerequisite_state',
				HINT = 'Set one that no other server has: SELECT pg_catalog.setval(''sno_own_partition'', number).';
	END IF;
	FOREACH bits IN ARRAY ARRAY[(slot >> 16) << 1, (meta::bigint << 32) | (partition << 16) | (slot & bigint '65535')] LOOP
		bits := ((bits & x'FFFFF00000'::bigint) << 12) | (bits & x'FFFFF'::bigint);
		bits := ((bits & x'000FFC00000FFC00'::bigint) << 6) | (bits & x'000003FF000003FF'::bigint);
		bits := ((bits & x'03E003E003E003E0'::bigint) << 3) | (bits & x'001F001F001F001F'::bigint);
		codes := codes || to_hex(bits + x'3232323232323232'::bigint + 39 * (((bits >> 3) | (bits >> 4)) & x'0101010101010101'::bigint));
	END LOOP;
	RETURN codes::uuid;
END $$;
COMMENT ON FUNCTION sno_generate_uuid(integer) IS 'a new id with this metabyte, unique in the database';

--
-- What an id holds.  Plain expressions, so that the planner puts them in the place
-- of the call.  What they call is looked up here, for good: in a policy, a check or
-- an index, a role that puts its own functions before the server's would otherwise
-- have its own called.  PostgreSQL 13 can only look it up in the path of the session.
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
	bits bigint;
BEGIN
	IF instant > timestamptz '2079-09-07 15:47:35.548+00' THEN
		RAISE 'no sno is at or after this timestamp'
			USING ERRCODE = 'datetime_field_overflow',
				DETAIL = 'The latest time a sno can hold is 2079-09-07 15:47:35.548 UTC.';
	ELSIF instant > timestamptz '2010-01-01 00:00+00' THEN
		tick := (round(date_part('epoch'::text, instant) * double precision '1000000')::bigint - 1262304000000000 + 3999) / 4000;
	END IF;
	bits := tick << 1;
	bits := ((bits & x'FFFFF00000'::bigint) << 12) | (bits & x'FFFFF'::bigint);
	bits := ((bits & x'000FFC00000FFC00'::bigint) << 6) | (bits & x'000003FF000003FF'::bigint);
	bits := ((bits & x'03E003E003E003E0'::bigint) << 3) | (bits & x'001F001F001F001F'::bigint);
	RETURN (to_hex(bits + x'3232323232323232'::bigint + 39 * (((bits >> 3) | (bits >> 4)) & x'0101010101010101'::bigint)) || '3232323232323232'::text)::uuid;
END $$;

CREATE OR REPLACE FUNCTION sno_upper_bound(instant timestamptz) RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
	tick bigint := 549755813887;
	bits bigint;
BEGIN
	IF instant < timestamptz '2010-01-01 00:00+00' THEN
		RAISE 'no sno is at or before this timestamp'
			USING ERRCODE = 'datetime_field_overflow',
				DETAIL = 'The earliest time a sno can hold is 2010-01-01 00:00:00 UTC.';
	ELSIF instant < timestamptz '2079-09-07 15:47:35.548+00' THEN
		tick := (round(date_part('epoch'::text, instant) * double precision '1000000')::bigint - 1262304000000000) / 4000;
	END IF;
	bits := (tick << 1) | bigint '1';
	bits := ((bits & x'FFFFF00000'::bigint) << 12) | (bits & x'FFFFF'::bigint);
	bits := ((bits & x'000FFC00000FFC00'::bigint) << 6) | (bits & x'000003FF000003FF'::bigint);
	bits := ((bits & x'03E003E003E003E0'::bigint) << 3) | (bits & x'001F001F001F001F'::bigint);
	RETURN (to_hex(bits + x'3232323232323232'::bigint + 39 * (((bits >> 3) | (bits >> 4)) & x'0101010101010101'::bigint)) || '7878787878787878'::text)::uuid;
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
	FOREACH name IN ARRAY ARRAY['sno_generate_uuid(integer)',
		'sno_lower_bound(timestamptz)', 'sno_upper_bound(timestamptz)'] LOOP
		EXECUTE format('ALTER FUNCTION %I.%s SET search_path = pg_catalog, %1$I, pg_temp', home, name);
	END LOOP;

	-- The extension, if it is there, has functions of these names, which are found first
	EXECUTE format('COMMENT ON FUNCTION %I.sno_lower_bound(timestamptz) IS %L', home, 'the smallest id whose time is at or after the instant');
	EXECUTE format('COMMENT ON FUNCTION %I.sno_upper_bound(timestamptz) IS %L', home, 'the largest id whose time is at or before the instant');

	-- Default privileges give nobody else the sequences and the lock
	FOR object, grantee IN
		SELECT c.oid::regclass, acl.grantee FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace, aclexplode(c.relacl) AS acl
		WHERE n.nspname = home
			AND c.relname IN ('sno_head', 'sno_own_partition', 'sno_lock') AND acl.grantee <> c.relowner
	LOOP
		EXECUTE format('REVOKE ALL ON %s FROM %s', object,
			CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END);
	END LOOP;
END $$;

COMMIT;
