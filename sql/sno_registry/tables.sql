--
-- What is recorded
--
-- This script is plain SQL and PL/pgSQL, which needs neither the extension sno nor
-- a superuser.  What is in its schema has the name of that; all else is the server's.
--
-- Rows of sno_registry_range cover all partitions there are; those without an owner
-- are free.  As all times are multiples of 4 ms, and the next owner's usable_from is
-- never before the former one's expires, the ids of both differ in their time.  That
-- relies on no clock: expires of a row moves back only when its owner releases it,
-- and is kept when the row is divided.

SET LOCAL search_path = pg_catalog, pg_temp;

-- The owner of a schema can put other functions in the place of these, which call each
-- other with the rights of their owner.  So everything belongs to the owner of the
-- schema, whoever runs this.  Superusers have all rights anyway.
DO $$
DECLARE
	home CONSTANT regrole := (SELECT nspowner FROM pg_namespace WHERE oid = '@extschema@'::regnamespace);
BEGIN
	PERFORM set_config('sno_registry.role', '', true);
	IF NOT (SELECT rolsuper OR rolname = current_user FROM pg_roles WHERE oid = home) THEN
		PERFORM set_config('sno_registry.role', current_setting('role'), true);
		EXECUTE format('SET LOCAL ROLE %s', home);
	END IF;
EXCEPTION WHEN insufficient_privilege THEN
	RAISE EXCEPTION 'cannot create the registry as the owner of schema %', '@extschema@'
		USING ERRCODE = 'insufficient_privilege',
			DETAIL = format('%s.  If it were created by role %I, role %s could act as that role.', SQLERRM, current_user, home),
			HINT = 'Create it in a schema that you own, or log in as a superuser: SET ROLE is not enough.';
END
$$;

CREATE TABLE @extschema@.sno_registry_range (
	partitions int4range NOT NULL,
	owner text COLLATE "C",
	instance text,
	since timestamptz,
	usable_from timestamptz,
	expires timestamptz,
	CONSTRAINT sno_registry_range_partitions_excl
		EXCLUDE USING gist (partitions WITH &&),
	CONSTRAINT sno_registry_range_owner_key UNIQUE (owner),
	CONSTRAINT sno_registry_range_partitions_check
		CHECK (partitions <@ int4range(0, 65536) AND NOT isempty(partitions)),
	CONSTRAINT sno_registry_range_owner_check
		CHECK ((owner IS NULL) = (since IS NULL) AND (owner IS NULL) = (usable_from IS NULL)
			AND (owner IS NOT NULL OR instance IS NULL AND expires IS NOT NULL)),
	CONSTRAINT sno_registry_range_expires_check CHECK (usable_from <= expires)
);
CREATE INDEX sno_registry_range_free ON @extschema@.sno_registry_range
	((upper(partitions) - lower(partitions)), (lower(partitions)))
	WHERE owner IS NULL;
CREATE INDEX sno_registry_range_expires ON @extschema@.sno_registry_range (expires);
COMMENT ON TABLE @extschema@.sno_registry_range IS 'ranges of partitions and their owners, for the view sno_registry; change it by the functions sno_registry_... only';

-- One row, which the first call inserts, as a dump brings its own
CREATE TABLE @extschema@.sno_registry_state (
	is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
	margin interval NOT NULL DEFAULT '1 minute',
	successor text
);
COMMENT ON TABLE @extschema@.sno_registry_state IS 'the least margin of the registry, and which registry replaces it once it is closed';

-- Otherwise UPDATE and DELETE fail under a publication FOR ALL TABLES
ALTER TABLE @extschema@.sno_registry_range REPLICA IDENTITY FULL;

-- A grant must be on disk, and on the standbys that commits wait for, before its owner
-- relies on it.  The commit itself sets this, because a function that calls ours may
-- have its own setting, and restores the former one at its end.  A deferred
-- trigger has another effect that is wanted: it cannot be queued where a superuser's
-- maintenance runs code of others, so no such code acts in the name of the session.
CREATE FUNCTION @extschema@.sno_registry_commit() RETURNS trigger
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
		PERFORM set_config('synchronous_commit', 'on', true);
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_commit() IS 'make the commit that changes the registry synchronous';
CREATE CONSTRAINT TRIGGER sno_registry_range_commit
	AFTER INSERT OR UPDATE OR DELETE ON @extschema@.sno_registry_range
	DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION @extschema@.sno_registry_commit();
CREATE CONSTRAINT TRIGGER sno_registry_state_commit
	AFTER INSERT OR UPDATE OR DELETE ON @extschema@.sno_registry_state
	DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION @extschema@.sno_registry_commit();

CREATE VIEW @extschema@.sno_registry AS
	SELECT lower(partitions) AS partition,
		upper(partitions) - lower(partitions) AS partition_count,
		owner,
		CASE WHEN owner IS NULL THEN 'free' WHEN expires <= clock_timestamp() THEN 'expired' ELSE 'in use' END AS state,
		since, usable_from, expires, instance
	FROM @extschema@.sno_registry_range;
COMMENT ON VIEW @extschema@.sno_registry IS 'who has which partitions, what is free, and what has expired';
COMMENT ON COLUMN @extschema@.sno_registry.partition IS 'first partition of the range';
COMMENT ON COLUMN @extschema@.sno_registry.partition_count IS 'consecutive partitions in it';
COMMENT ON COLUMN @extschema@.sno_registry.owner IS 'who has it, or had it if it has expired; null if it is free';
COMMENT ON COLUMN @extschema@.sno_registry.state IS 'in use, expired or free';
COMMENT ON COLUMN @extschema@.sno_registry.since IS 'when the owner got it';
COMMENT ON COLUMN @extschema@.sno_registry.usable_from IS 'the owner makes no id with a time before this';
COMMENT ON COLUMN @extschema@.sno_registry.expires IS 'the owner makes no id with this time or a later one; null if it keeps the range for good. For a free range, when its last owner''s time ended';
COMMENT ON COLUMN @extschema@.sno_registry.instance IS 'which machine or process of that name has it, if it said so';
