--
-- Privileges
--
-- Default privileges of the schema may have granted other roles what is not for
-- everybody: relations, and the functions whose privileges the script has set,
-- which pg_init_privs lists.  PUBLIC may call all other functions anyway.

SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
	statement text;
BEGIN
	FOR statement IN
		WITH member AS (
			SELECT classid, objid FROM pg_depend
			WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
				AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
		), object AS (
			SELECT 'FUNCTION' AS kind, p.oid::regprocedure::text AS name, proowner AS owner, proacl AS acl
			FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
			WHERE EXISTS (SELECT FROM pg_init_privs WHERE classoid = classid AND objoid = objid)
			UNION ALL
			SELECT 'TABLE', c.oid::regclass::text, relowner, relacl
			FROM pg_class AS c JOIN member ON classid = 'pg_class'::regclass AND objid = c.oid
		)
		SELECT DISTINCT format('REVOKE ALL ON %s %s FROM %s', kind, name, grantee::regrole)
		FROM object, aclexplode(acl)
		WHERE grantee NOT IN (owner, 0)
	LOOP
		EXECUTE statement;
	END LOOP;
END
$$;
SET LOCAL search_path = @extschema@, pg_temp;
