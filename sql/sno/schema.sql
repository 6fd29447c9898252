--
-- The schema
--
-- Whoever can create objects in the schema can put a function or an operator beside
-- those of sno that fits a call better.  The script calls none of these.  Its users
-- may, so it says who could.

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
				HINT = format('If not all who use this database trust them: DROP EXTENSION sno; CREATE SCHEMA ext; GRANT USAGE ON SCHEMA ext TO PUBLIC; CREATE EXTENSION sno SCHEMA ext; ALTER DATABASE %I SET search_path = "$user", public, ext.',
					current_database());
	END IF;
END
$$;
SET LOCAL search_path = @extschema@, pg_temp;
