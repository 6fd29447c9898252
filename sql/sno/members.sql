--
-- Comments and privileges of what the script has made
--
-- What types, operators and operator classes are made of says so, as in
-- PostgreSQL itself.
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
		WITH member AS MATERIALIZED (
			SELECT classid AS class, objid AS oid FROM pg_depend
			WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
				AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
		), part (kind, class, oid, name, comment) AS (
			SELECT 'FUNCTION', 'pg_proc'::regclass, io::oid, io::regprocedure::text, 'I/O'
			FROM pg_type, unnest(ARRAY[typinput, typoutput, typreceive, typsend]) AS io
			UNION ALL
			SELECT 'FUNCTION', 'pg_proc', oprcode, oprcode::regprocedure::text, format('implementation of %s operator', oprname)
			FROM pg_operator
			UNION ALL
			SELECT 'FUNCTION', 'pg_proc', amproc, amproc::regprocedure::text, concat('support function of operator families for ', amname)
			FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am AS a ON a.oid = opfmethod
			UNION ALL
			SELECT 'OPERATOR', 'pg_operator', oid, oid::regoperator::text, 'order of snos and instants in operator families'
			FROM pg_operator
		), object (kind, name, owner, acl) AS (
			SELECT 'FUNCTION', p.oid::regprocedure::text, proowner, proacl
			FROM pg_proc AS p JOIN member AS m ON class = 'pg_proc'::regclass AND m.oid = p.oid
			WHERE EXISTS (SELECT FROM pg_init_privs WHERE classoid = class AND objoid = p.oid)
			UNION ALL
			SELECT 'TABLE', c.oid::regclass::text, relowner, relacl
			FROM pg_class AS c JOIN member AS m ON class = 'pg_class'::regclass AND m.oid = c.oid
		)
		SELECT format('COMMENT ON %s %s IS %L', kind, name, min(comment))
		FROM part JOIN member USING (class, oid)
		WHERE obj_description(oid, class::regclass::text::name) IS NULL
		GROUP BY kind, name
		UNION ALL
		SELECT DISTINCT format('REVOKE ALL ON %s %s FROM %s', kind, name, grantee::regrole)
		FROM object, aclexplode(acl)
		WHERE grantee NOT IN (owner, 0)
	LOOP
		EXECUTE statement;
	END LOOP;
END
$$;
SET LOCAL search_path = @extschema@, pg_temp;
