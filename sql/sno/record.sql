--
-- The record
--
-- Generating needs the replication origin that keeps the record.  Creating the origin is
-- not undone by a rollback, and shuts down a standby without a free slot.  So it is the
-- last step: a script that fails has not done it.  It fails if the server has no slot.
-- It is for superusers alone, as checks.sql says.

DO $$
BEGIN
	IF (SELECT rolsuper FROM pg_extension JOIN pg_roles AS r ON r.oid = extowner WHERE extname = 'sno') THEN
		PERFORM sno_origin_create();
	END IF;
END
$$;
