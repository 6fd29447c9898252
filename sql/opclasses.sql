\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- The objects of the extension, as the catalogs have them

-- Operator classes that the server finds complete and consistent
SELECT am.amname, opc.opcname, opc.opcdefault, amvalidate(opc.oid)
FROM pg_opclass opc JOIN pg_am am ON am.oid = opc.opcmethod
WHERE opc.opcintype = 'sno'::regtype
ORDER BY am.amname, opc.opcname COLLATE "C";

-- No instant can refer to an id: an id equals none
CREATE TEMP TABLE referred (id sno PRIMARY KEY);
-- Its detail has other words from 18 on
\set VERBOSITY terse
CREATE TEMP TABLE referring (at timestamptz REFERENCES referred);
\set VERBOSITY default

-- Operators: each has its commutator and negator, and what a planner asks for
SELECT oid::regoperator AS operator, oprcode::regproc AS function,
       oprcom::regoperator AS commutator, oprnegate::regoperator AS negator,
       oprcanmerge AS merges, oprcanhash AS hashes,
       oprrest AS restrict, oprjoin AS join
FROM pg_operator WHERE 'sno'::regtype IN (oprleft, oprright) OR 'sno_operand'::regtype IN (oprleft, oprright)
ORDER BY oprname COLLATE "C", oprleft, oprright;

-- Functions
SELECT p.oid::regprocedure::text COLLATE "C" AS function,
       pg_get_function_result(p.oid) AS result,
       p.provolatile AS volatile, p.proisstrict AS strict,
       p.proparallel AS parallel, p.proleakproof AS leakproof,
       p.proacl IS NULL AS for_public
FROM pg_proc p JOIN pg_depend d
	ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	AND d.refclassid = 'pg_extension'::regclass
JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'sno'
WHERE p.prokind = 'f'
ORDER BY 1;

-- Aggregates
SELECT aggfnoid::regprocedure AS aggregate, aggsortop::regoperator AS sort_operator,
       aggcombinefn::regproc AS combine, proparallel AS parallel
FROM pg_aggregate JOIN pg_proc p ON p.oid = aggfnoid
WHERE aggtranstype = 'sno'::regtype
ORDER BY aggfnoid::regproc::text COLLATE "C";

-- Casts, none of which happens by itself: e is explicit, a is assignment
SELECT castsource::regtype AS source, casttarget::regtype AS target,
       castcontext AS context, castmethod AS method
FROM pg_cast WHERE castsource = 'sno'::regtype OR casttarget = 'sno'::regtype
ORDER BY castsource = 'sno'::regtype, castsource::regtype::text COLLATE "C",
         casttarget::regtype::text COLLATE "C";

-- The type
SELECT typlen, typbyval, typalign, typstorage, typdelim,
       typelem = 0 AS no_subscript, typarray::regtype
FROM pg_type WHERE oid = 'sno'::regtype;

-- Every object has a comment
SELECT pg_describe_object(d.classid, d.objid, 0) AS without_comment
FROM pg_depend d JOIN pg_extension e
	ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
WHERE e.extname = 'sno' AND d.deptype = 'e' AND
	coalesce(obj_description(d.objid, d.classid::regclass::name), '') = '' AND
	-- types that come with a type
	NOT EXISTS (SELECT FROM pg_type t WHERE d.classid = 'pg_type'::regclass AND t.oid = d.objid AND t.typcategory = 'A');
SELECT obj_description(oid, 'pg_extension') <> '' AS has_comment, extrelocatable
FROM pg_extension WHERE extname = 'sno';
