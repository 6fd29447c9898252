--
-- Comments and privileges of what the script has made
--
-- The functions of types, operators and operator classes get a comment that says
-- what they are part of, as in PostgreSQL itself.
--
-- Default privileges may have granted other roles the functions and types that are not
-- for everybody: those whose privileges the script has set (pg_init_privs lists them).
-- These grants are revoked.

DO $$
DECLARE
	statement text;
BEGIN
	FOR statement IN
		WITH member AS MATERIALIZED (
			SELECT classid, objid FROM pg_depend
			WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
				AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
		), part (classid, objid, comment) AS (
			SELECT 'pg_proc'::regclass, io, 'I/O'
			FROM pg_type, unnest(ARRAY[typinput, typoutput, typreceive, typsend]) AS io
			UNION ALL
			SELECT 'pg_proc', oprcode, format('implementation of %s operator', oprname)
			FROM pg_operator
			UNION ALL
			SELECT 'pg_proc', amproc, concat('support function of operator families for ', amname)
			FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am AS a ON a.oid = opfmethod
		), object (kind, name, owner, acl) AS (
			SELECT 'FUNCTION', p.oid::regprocedure::text, proowner, proacl
			FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
			WHERE EXISTS (SELECT FROM pg_init_privs WHERE classoid = classid AND objoid = objid)
			UNION ALL
			SELECT 'TYPE', t.oid::regtype::text, typowner, typacl
			FROM pg_type AS t JOIN member ON classid = 'pg_type'::regclass AND objid = t.oid
			WHERE EXISTS (SELECT FROM pg_init_privs WHERE classoid = classid AND objoid = objid)
		)
		SELECT format('COMMENT ON %s %s IS %L', type, identity, min(comment))
		FROM member JOIN part USING (classid, objid), pg_identify_object(classid, objid, 0)
		WHERE NOT EXISTS (SELECT FROM pg_description WHERE classoid = classid AND objoid = objid)
		GROUP BY type, identity
		UNION ALL
		SELECT DISTINCT format('REVOKE ALL ON %s %s FROM %s', kind, name, grantee::regrole)
		FROM object, aclexplode(acl)
		WHERE grantee NOT IN (owner, 0)
	LOOP
		EXECUTE statement;
	END LOOP;
END
$$;

-- What is in pg_catalog is found before what has its name, unless a search path names
-- pg_catalog later.  Defaults and literals without a type make a call fit several lists
-- of arguments.
DO $$
DECLARE
	types text := (SELECT string_agg(theirs.oid::regtype::text, ', ' ORDER BY theirs.oid)
		FROM pg_depend AS d
			JOIN pg_type AS ours ON d.classid = 'pg_type'::regclass AND ours.oid = d.objid AND ours.typelem = 0
			JOIN pg_type AS theirs ON theirs.typname = ours.typname AND theirs.oid <> ours.oid
			JOIN pg_namespace AS n ON n.oid = theirs.typnamespace
		WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
			AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno') AND NOT starts_with(nspname, 'pg_'));
	functions text := (SELECT string_agg(DISTINCT theirs.oid::regprocedure::text, ', ')
		FROM pg_depend AS d JOIN pg_proc AS ours ON d.classid = 'pg_proc'::regclass AND ours.oid = d.objid
			JOIN pg_proc AS theirs ON theirs.proname = ours.proname AND theirs.pronamespace <> ours.pronamespace
		WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
			AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno') AND starts_with(ours.proname, 'sno_'));
BEGIN
	IF types IS NOT NULL THEN
		RAISE EXCEPTION 'another type has the name of a type of sno' USING ERRCODE = 'duplicate_object',
			DETAIL = format('It is: %s. Statements that name it without its schema would mean that of the extension, in '
				'pg_catalog.', types),
				HINT = 'Rename or drop the type, or the table that it belongs to.';
	ELSIF functions IS NOT NULL THEN
		RAISE WARNING 'functions of sno are found before others with their names'
			USING DETAIL = format('Statements must name the schemas of these from now on: %s.', functions);
	END IF;
END
$$;
