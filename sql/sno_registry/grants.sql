--
-- Who may what
--

-- ALTER DEFAULT PRIVILEGES may have granted others what would make them the owner:
-- all that the catalog knows is taken away, from roles that only it can name
DO $$
DECLARE
	command text;
BEGIN
	FOR command IN
		WITH made (kind, object, owner, acl) AS (
			SELECT 'TABLE', c.oid::regclass::text, c.relowner, c.relacl FROM pg_class AS c
			WHERE c.oid IN ('@extschema@.sno_registry_range'::regclass, '@extschema@.sno_registry_state'::regclass, '@extschema@.sno_registry'::regclass)
			UNION ALL
			SELECT 'FUNCTION', p.oid::regprocedure::text, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner)) FROM pg_proc AS p
			WHERE p.pronamespace = '@extschema@'::regnamespace AND p.proname LIKE 'sno\_registry\_%' AND p.proowner = quote_ident(current_user)::regrole
		)
		SELECT DISTINCT format('REVOKE ALL ON %s %s FROM %s', kind, object,
			CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
		FROM made, aclexplode(acl) WHERE grantee <> owner
	LOOP
		EXECUTE command;
	END LOOP;
END
$$;
GRANT SELECT ON @extschema@.sno_registry TO pg_monitor;

-- Where this is an extension, its dumps contain what is recorded
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_extension WHERE extname = 'sno_registry') THEN
		PERFORM pg_extension_config_dump('@extschema@.sno_registry_range', '');
		PERFORM pg_extension_config_dump('@extschema@.sno_registry_state', '');
	END IF;
	-- What follows in the same transaction has its own role again
	IF current_setting('sno_registry.role', true) <> '' THEN
		PERFORM set_config('role', current_setting('sno_registry.role'), true);
	END IF;
END
$$;
