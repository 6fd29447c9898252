-- What the reference has to say of each object of both extensions: a kind and a text
-- that must occur in the page, for test/checks/doc.

-- The functions that users do not call: the server does, or what users call
\set internal '^sno_(in|out|recv|send|lt|le|eq|ne|ge|gt|cmp|mi|hash\\w*|sortsupport|gist_\\w+|in_range|brin_\\w+'
\set internal :internal '|smaller|larger|unresolved_get|reserved|restore_(reserved|above)|usual_lead|greatest'
\set internal :internal '|\\w+_timestamptz|sel|joinsel|\\w+_support|first_(at|after)|prefix_\\w+'
\set internal :internal '|(multi)?range_(contains|first|last)|contained_by_(multi)?range|starts_with'
\set internal :internal '|generate_for_copy|(lock|plan)_partitions'
\set internal :internal '|(from|to)_(bytea|uuid|bpchar|date)|reservation_(in|out)|registry_(guard|commit|enter))$'
\set internal :internal '|^timestamptz_\\w+_sno$'

-- Names as they are written, not as the catalog has them
CREATE FUNCTION pg_temp.short(text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(replace($1, 'timestamp with time zone', 'timestamptz'),
		'''(\d+)''::bigint|(NULL)::\w+|(''[^'']*'')::interval', '\1\2\3', 'g')
$$;

CREATE TEMP VIEW member AS
	SELECT classid, objid FROM pg_depend
	WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
		AND refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('sno', 'sno_registry'));

SELECT 'function', format('`%s(%s) → %s`', proname,
	pg_temp.short(pg_get_function_arguments(oid)), pg_temp.short(pg_get_function_result(oid)))
FROM pg_proc JOIN member ON classid = 'pg_proc'::regclass AND objid = oid
WHERE proname !~ :'internal' AND proname NOT IN ('sno_stat', 'sno_unresolved')   -- by their columns, below
ORDER BY 2;

-- The domain is there for the parser only
CREATE FUNCTION pg_temp.name_of(type oid) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.short(format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE oid END, NULL))
	FROM pg_type WHERE oid = type
$$;

SELECT 'operator', format('`%s %s %s`', pg_temp.name_of(oprleft), oprname, pg_temp.name_of(oprright))
FROM pg_operator JOIN member ON classid = 'pg_operator'::regclass AND objid = oid
ORDER BY 2;

SELECT 'column', format('| `%s` | `%s` |', name, pg_temp.short(format_type(type, NULL)))
FROM pg_proc, unnest(proargnames, proallargtypes) WITH ORDINALITY AS argument (name, type, n)
WHERE oid IN ('sno_stat()'::regprocedure, 'sno_unresolved()'::regprocedure)
UNION ALL
SELECT 'column', format('| `%s` | `%s` |', attname, pg_temp.short(format_type(atttypid, atttypmod)))
FROM pg_attribute JOIN member ON classid = 'pg_class'::regclass AND objid = attrelid
WHERE attnum > 0;

SELECT 'setting', format('| `%s` | `%s` | %s | %s |', name, current_setting(name),
	CASE context WHEN 'postmaster' THEN 'server start' WHEN 'user' THEN 'any session' ELSE context END,
	CASE vartype WHEN 'bool' THEN 'on, off' ELSE format('%s to %s', min_val::numeric, max_val::numeric) END)
FROM pg_settings
WHERE name LIKE 'sno.%'
ORDER BY 2;

-- Every name that there is, to find those that are not
SELECT DISTINCT 'name', proname || '('
FROM pg_proc JOIN member ON classid = 'pg_proc'::regclass AND objid = oid
UNION ALL
SELECT 'name', name FROM pg_settings WHERE name LIKE 'sno.%'
ORDER BY 2;
