--
-- Comments
--
-- What operators and operator classes are made of says so, as in PostgreSQL itself

SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
	statement text;
BEGIN
	FOR statement IN
		WITH part (kind, class, oid, name, comment) AS MATERIALIZED (
			SELECT 'FUNCTION', 'pg_proc'::regclass, oprcode::oid, oprcode::regprocedure::text, format('implementation of %s operator', oprname)
			FROM pg_operator
			UNION ALL
			SELECT 'FUNCTION', 'pg_proc', amproc, amproc::regprocedure::text, concat('support function of operator families for ', amname)
			FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am AS a ON a.oid = opfmethod
			UNION ALL
			SELECT 'OPERATOR', 'pg_operator', oid, oid::regoperator::text, 'order of snos and instants in operator families'
			FROM pg_operator
		), member AS MATERIALIZED (
			SELECT part.* FROM part JOIN pg_depend ON classid = class AND objid = oid AND deptype = 'e'
			WHERE refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
		)
		SELECT format('COMMENT ON %s %s IS %L', kind, name, min(comment))
		FROM member
		WHERE obj_description(oid, class::text::name) IS NULL
		GROUP BY kind, name
	LOOP
		EXECUTE statement;
	END LOOP;
END
$$;
