--
-- The schema
--
-- Whoever can create objects in the schema can put a function or an operator there that
-- fits a call better than that of sno.  This script makes no such call.  Its users may
-- make one, so the script warns of the roles that can create objects.

SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
	creators text := CASE WHEN has_schema_privilege('public', '@extschema@'::regnamespace, 'CREATE') THEN 'PUBLIC' ELSE
		(SELECT string_agg(quote_ident(rolname), ', ' ORDER BY rolname) FROM pg_roles
		WHERE NOT rolsuper AND rolname !~ '^pg_' AND has_schema_privilege(oid, '@extschema@'::regnamespace, 'CREATE')) END;
BEGIN
	IF creators IS NOT NULL THEN
		RAISE WARNING 'roles that are no superusers can create objects in schema %', '@extschema@'
			USING DETAIL = format('They are: %s. What they create there can be called in place of a function or an operator of sno.', creators),
				HINT = format('If not all who use this database trust them: BEGIN; DROP EXTENSION sno; CREATE SCHEMA ext; GRANT USAGE ON SCHEMA ext TO PUBLIC; CREATE EXTENSION sno SCHEMA ext; ALTER DATABASE %I SET search_path = "$user", public, ext; COMMIT.  In any case, call functions for superusers in a database that a superuser owns, such as postgres.',
					current_database());
	END IF;
END
$$;
SET LOCAL search_path = @extschema@, pg_temp;
