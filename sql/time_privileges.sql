\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Who may not see all rows learns nothing of the others through predicates on
-- time: not from functions of their own, and no more from estimates than with
-- any type of the server's

CREATE TABLE secret (id sno PRIMARY KEY, n integer UNIQUE, at timestamptz, tag text);
INSERT INTO secret SELECT sno_make(at, sequence => n), n, at, 'tag ' || n
FROM generate_series(0, 9999) n, LATERAL (SELECT '2026-01-01+00'::timestamptz + n * interval '1 minute' AS at) a;
ANALYZE secret;
CREATE FUNCTION visible(n integer) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN RETURN n % 3000 = 1000; END';
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible_rows ON secret USING (visible(n));
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_sno_reader;
RESET client_min_messages;
CREATE ROLE regress_sno_reader;
GRANT SELECT ON secret TO regress_sno_reader;
CREATE VIEW behind_barrier WITH (security_barrier) AS SELECT * FROM secret WHERE visible(n);
GRANT SELECT ON behind_barrier TO regress_sno_reader;

-- A policy that is itself a comparison with an instant of each row: it hides all
-- but one in ten
CREATE TABLE embargo (id sno PRIMARY KEY, upto timestamptz);
INSERT INTO embargo SELECT id, at + CASE n % 10 WHEN 0 THEN interval '0' ELSE interval '1 ms' END
	FROM secret WHERE n < 50;
ALTER TABLE embargo ENABLE ROW LEVEL SECURITY;
CREATE POLICY is_over ON embargo USING (id >= upto);
CREATE TABLE moment (at timestamptz);
INSERT INTO moment SELECT timestamptz '2026-01-01+00' + n * interval '10 minutes' FROM generate_series(0, 2) n;
ANALYZE embargo, moment;
GRANT SELECT ON embargo, moment TO regress_sno_reader;

-- Functions that tell what they are called with, and seem to cost nothing; the
-- operators' estimators are those of the extension
CREATE FUNCTION told(anyelement) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$
BEGIN
	RAISE NOTICE 'told of %', $1;
	RETURN true;
END
$$;
CREATE FUNCTION told_sno(sno, sno) RETURNS boolean
	LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1) AND $1 < $2; END';
CREATE FUNCTION told_time(sno, timestamptz) RETURNS boolean
	LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1) AND $1 < $2; END';
CREATE FUNCTION told_range(sno, tstzrange) RETURNS boolean
	LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1) AND $1 <@ $2; END';
CREATE FUNCTION told_prefix(sno, text) RETURNS boolean
	LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1) AND $1 ^@ $2; END';
CREATE FUNCTION told_integer(integer, integer) RETURNS boolean
	LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1) AND $1 < $2; END';
CREATE SCHEMA telling;
CREATE OPERATOR telling.< (FUNCTION = told_sno, LEFTARG = sno, RIGHTARG = sno, RESTRICT = sno_sel);
CREATE OPERATOR telling.< (FUNCTION = told_time, LEFTARG = sno, RIGHTARG = timestamptz, RESTRICT = sno_sel);
CREATE OPERATOR telling.<@ (FUNCTION = told_range, LEFTARG = sno, RIGHTARG = tstzrange, RESTRICT = sno_sel);
CREATE OPERATOR telling.^@ (FUNCTION = told_prefix, LEFTARG = sno, RIGHTARG = text, RESTRICT = sno_sel);
CREATE OPERATOR telling.<# (FUNCTION = told_integer, LEFTARG = integer, RIGHTARG = integer, RESTRICT = scalarltsel);
-- An operator beside the extension's, with the extension's function
CREATE FUNCTION may_tell_sno(sno, sno) RETURNS boolean LANGUAGE C STRICT AS '$libdir/sno', 'sno_lt';
CREATE OPERATOR telling.<< (FUNCTION = may_tell_sno, LEFTARG = sno, RIGHTARG = sno, RESTRICT = sno_sel);
GRANT USAGE ON SCHEMA telling TO regress_sno_reader;
\set ECHO all

-- What an operator may do before a policy was asked, and what is known of rows
SELECT oid::regoperator AS operator, proleakproof AS leakproof
FROM pg_operator o JOIN LATERAL (SELECT proleakproof FROM pg_proc p WHERE p.oid = o.oprcode) p ON true
WHERE ('sno'::regtype IN (oprleft, oprright) OR 'sno_operand'::regtype IN (oprleft, oprright)) AND
	oprname IN ('<', '<=', '>=', '>', '<@', '@>', '^@')
		AND (oprleft <> 'sno'::regtype OR oprright <> 'sno'::regtype) AND oprnamespace <> 'telling'::regnamespace
ORDER BY oprname COLLATE "C", oprleft;

SET ROLE regress_sno_reader;
-- The function is told of visible rows alone, whatever serves the predicate
\pset format unaligned
\pset footer off
SELECT n FROM secret WHERE told(id) AND id < timestamptz '2026-01-08+00';
SELECT n FROM secret WHERE told(id) AND id > timestamptz '2026-01-02+00' AND timestamptz '2026-01-05+00' >= id;
SELECT n FROM secret WHERE told(id) AND id <@ tstzrange('2026-01-01+00', '2026-01-02+00');
SELECT n FROM secret WHERE told(id) AND (SELECT tstzrange('2026-01-01+00', '2026-01-02+00')) @> id;
SELECT n FROM secret WHERE told(id)
	AND id <@ '{[2026-01-01 00:00+00,2026-01-01 12:00+00),[2026-01-04 00:00+00,2026-01-04 01:00+00)}'::tstzmultirange;
SELECT n FROM secret WHERE told(id) AND id ^@ '9d';
SELECT n FROM secret WHERE told(id) AND id ^@ (SELECT '9d');
SELECT n FROM behind_barrier WHERE told(id) AND id < timestamptz '2026-01-02+00';
SELECT n FROM behind_barrier WHERE told(id) AND id <@ tstzrange('2026-01-01+00', '2026-01-02+00');
SELECT n FROM behind_barrier WHERE told(id) AND id ^@ '9d';
SELECT n FROM secret WHERE told(id) AND id >= at AND at <= id;
SELECT count(*) FROM embargo WHERE told(id);
SELECT count(*) FROM embargo WHERE told(id) AND id < upto + interval '1 day' AND id <@ tstzrange(NULL, upto, '[]');
SELECT n FROM secret WHERE id OPERATOR(telling.<) timestamptz '2026-01-02+00';
SELECT n FROM secret WHERE id OPERATOR(telling.<) sno_make('2026-01-02+00');
SELECT n FROM secret WHERE id OPERATOR(telling.<@) tstzrange('2026-01-01+00', '2026-01-02+00');
SELECT n FROM behind_barrier WHERE id OPERATOR(telling.^@) '9d';

-- A plan shows that an index is asked first only where nothing can be told
SET enable_seqscan = off;
SELECT predicate, pg_temp.uses('SELECT n FROM secret WHERE ' || predicate, '{"Node Type": "Index Scan"}') OR
       pg_temp.uses('SELECT n FROM secret WHERE ' || predicate, '{"Node Type": "Bitmap Index Scan"}') AS by_index
FROM (VALUES ('id < timestamptz ''2026-01-02+00'''), ('id > now()'),
	('id <@ tstzrange(''2026-01-01+00'', ''2026-01-02+00'')'),
	('id <@ tstzrange(now(), NULL)'), ('id ^@ ''9d'''),
	('id <@ ''{[2026-01-01 00:00+00,2026-01-02 00:00+00)}''::tstzmultirange'),
	('id <@ (SELECT tstzrange(''2026-01-01+00'', ''2026-01-02+00''))'), ('id ^@ (SELECT ''9d'')'),
	('id OPERATOR(telling.<) timestamptz ''2026-01-02+00''')) v (predicate);
-- So with an instant of another table, but not with one that is computed: a sum
-- may tell, as it can be out of range
SELECT predicate, pg_temp.uses('SELECT FROM moment m JOIN secret s ON ' || predicate,
	'{"Node Type": "Index Scan"}') AS by_index
FROM (VALUES ('s.id >= m.at'), ('m.at >= s.id'), ('s.id >= m.at + interval ''1 day''')) v (predicate);
RESET enable_seqscan;

-- Estimates: an operator whose function may tell has a default, as with
-- integers, and is not even called; one that cannot is estimated, as with integers
SELECT part, pg_temp.planned_rows(format('SELECT FROM secret WHERE n < %s', part)) - pg_temp.planned_rows(format(
	'SELECT FROM secret WHERE id < timestamptz ''2026-01-01+00'' + %s * interval ''1 minute''', part))
	BETWEEN -20 AND 20 AS as_integer
FROM unnest('{0,10,1000,5000,9900,20000}'::integer[]) part;
SELECT count(DISTINCT pg_temp.planned_rows(format('SELECT FROM secret WHERE n < %s', part))) AS integers,
       count(DISTINCT pg_temp.planned_rows(format('SELECT FROM secret WHERE n OPERATOR(telling.<#) %s', part)))
       AS telling_integers
FROM unnest('{0,10,1000,5000,9900,20000}'::integer[]) part;
SELECT count(DISTINCT pg_temp.planned_rows(format('SELECT FROM %s WHERE id OPERATOR(telling.<<) %s',
	relation, value))) = 1 AS always_default, relation
FROM unnest('{secret,behind_barrier}'::text[]) relation,
	unnest('{sno_min(),sno_make(''2026-01-02''),sno_make(''2026-01-07''),sno_max()}'::text[]) value
GROUP BY relation ORDER BY relation;
-- Nor do bounds beside them let out anything
SELECT count(DISTINCT pg_temp.planned_rows(format(
	'SELECT FROM secret WHERE id OPERATOR(telling.<<) sno_lower_bound(%L) '
	'AND id OPERATOR(telling.<<) sno_lower_bound(%L)', a, b))) = 1 AS always_default
FROM unnest('{2020-01-01,2026-01-02,2026-01-07}'::timestamptz[]) a,
	unnest('{2020-01-01,2026-01-02,2026-01-07}'::timestamptz[]) b;
RESET ROLE;
-- The owner may see all rows, and gets their statistics, but not with an operator of
-- his own
SELECT count(DISTINCT pg_temp.planned_rows(format('SELECT FROM secret WHERE id OPERATOR(%s) sno_lower_bound(%L)',
	operator, a))) AS different, operator
FROM unnest('{pg_catalog.<,telling.<<,telling.<}'::text[]) operator,
	unnest('{2020-01-01,2026-01-02,2026-01-07}'::timestamptz[]) a
GROUP BY operator ORDER BY operator;

\set ECHO none
-- The estimators with operators that are none of the extension's: the default,
-- for anyone
CREATE FUNCTION told_any(anyelement, anyelement) RETURNS boolean
	LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1); END';
CREATE FUNCTION told_number(sno, integer) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1); END';
CREATE FUNCTION told_bytes(sno, bytea) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1); END';
CREATE FUNCTION told_instants(timestamptz, timestamptz) RETURNS boolean
	LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1); END';
CREATE FUNCTION told_text(text, tstzrange) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN told($1); END';
DO $$
DECLARE
	operator text;
BEGIN
	FOREACH operator IN ARRAY '{<,>=,=#=,<@,^@}'::text[] LOOP
		EXECUTE format('CREATE OPERATOR telling.%s (FUNCTION = told_any, LEFTARG = anyelement, RIGHTARG = anyelement, '
			'RESTRICT = sno_sel)', operator);
		EXECUTE format('CREATE OPERATOR telling.%s (FUNCTION = told_number, LEFTARG = sno, RIGHTARG = integer, '
			'RESTRICT = sno_sel)', operator);
		EXECUTE format('CREATE OPERATOR telling.%s (FUNCTION = told_bytes, LEFTARG = sno, RIGHTARG = bytea, '
			'RESTRICT = sno_sel)', operator);
		EXECUTE format('CREATE OPERATOR telling.%s (FUNCTION = told_instants, LEFTARG = timestamptz, RIGHTARG = timestamptz, '
			'RESTRICT = sno_sel)', operator);
		EXECUTE format('CREATE OPERATOR telling.%s (FUNCTION = told_text, LEFTARG = text, RIGHTARG = tstzrange, '
			'RESTRICT = sno_sel)', operator);
		EXECUTE format('CREATE OPERATOR telling.%s (FUNCTION = told, RIGHTARG = anyelement, RESTRICT = sno_sel)', operator);
	END LOOP;
END
$$;
CREATE FUNCTION pg_temp.estimates() RETURNS TABLE (operator text, operands bigint, estimates text) LANGUAGE sql AS $$
	SELECT operator, count(*), string_agg(DISTINCT estimate::text, ' ')
	FROM unnest('{<,>=,=#=,<@,^@}'::text[]) operator, (VALUES
			('n %s 5'), ('n %s 9990'), ('tag %s ''tag 5''::text'),
			('tag %s ''tag 999''::text'), ('at %s timestamptz ''2026-01-01+00'''),
		('at %s timestamptz ''2026-01-07+00'''),
			('id %s 5'), ('id %s -5'), ('id %s ''\x''::bytea'), ('id %s ''\xff''::bytea'),
		('tag %s tstzrange(''2026-01-01+00'', ''2026-01-02+00'')'), ('tag %s ''empty''::tstzrange'),
			('%s id'), ('%s n'), ('secret %s secret'), ('ARRAY[id] %s ''{2222222222222222}'''),
		('ROW(id, n)::record %s ROW(id, 5)::record')) v (expression),
		pg_temp.planned_rows('SELECT FROM secret WHERE ' || format(expression,
			format('OPERATOR(telling.%s)', operator))) estimate
	GROUP BY operator ORDER BY operator COLLATE "C"
$$;
\set ECHO all
SELECT * FROM pg_temp.estimates();
SET ROLE regress_sno_reader;
SELECT operator, operands, estimates !~ ' ' AS same FROM pg_temp.estimates();
\set ECHO none
RESET ROLE;
\pset format aligned

-- Ids that ANALYZE has not saved are looked for in the index by who may read all
-- of them, and by no one else: not behind a policy or a view
CREATE TABLE unseen (id sno PRIMARY KEY, n integer) WITH (autovacuum_enabled = off);
INSERT INTO unseen SELECT sno_make(timestamptz '2026-01-01+00' + n * interval '1 minute'), n
	FROM generate_series(0, 9999) n;
CREATE VIEW of_unseen AS SELECT id FROM unseen;
CREATE TABLE unseen_parent (id sno PRIMARY KEY, n integer) PARTITION BY RANGE (id);
CREATE TABLE unseen_partition PARTITION OF unseen_parent DEFAULT WITH (autovacuum_enabled = off);
INSERT INTO unseen_parent SELECT * FROM unseen;
INSERT INTO secret SELECT sno_make('2026-02-01+00', sequence => n), n FROM generate_series(10000, 10079) n;
CREATE FUNCTION pg_temp.estimates_of(VARIADIC tables text[]) RETURNS TABLE (estimated text) LANGUAGE sql AS $$
	SELECT concat(name, ': ', CASE WHEN estimate BETWEEN 70 AND 90 THEN 'what there is' ELSE 'a guess' END)
	FROM unnest(tables) name, pg_temp.planned_rows(format('SELECT FROM %I WHERE id >= timestamptz %L', name,
		CASE name WHEN 'secret' THEN '2026-01-08+00' ELSE '2026-01-07 21:20+00' END)) estimate
$$;
GRANT SELECT ON unseen, of_unseen TO regress_sno_reader;
GRANT SELECT (id) ON unseen_parent TO regress_sno_reader;
\set ECHO all
SELECT pg_temp.estimates_of('secret', 'unseen', 'of_unseen', 'unseen_parent') AS owner;
SET ROLE regress_sno_reader;
SELECT pg_temp.estimates_of('secret', 'unseen', 'of_unseen', 'unseen_parent') AS reader;
RESET ROLE;
REVOKE SELECT ON unseen FROM regress_sno_reader;
GRANT SELECT (n) ON unseen TO regress_sno_reader;
SET ROLE regress_sno_reader;
SELECT pg_temp.estimates_of('of_unseen') AS "reader of the view";
RESET ROLE;
ALTER TABLE unseen_parent ENABLE ROW LEVEL SECURITY;
CREATE POLICY none_visible ON unseen_parent USING (false);
SET ROLE regress_sno_reader;
SELECT pg_temp.estimates_of('unseen_parent') AS "reader with a policy";
RESET ROLE;
-- The owner of a view is free of the policy, the user is not
GRANT SELECT ON unseen TO regress_sno_reader;
ALTER TABLE unseen ENABLE ROW LEVEL SECURITY;
CREATE POLICY none_visible ON unseen USING (false);
SELECT pg_temp.estimates_of('of_unseen') AS owner;
SET ROLE regress_sno_reader;
SELECT pg_temp.estimates_of('unseen', 'of_unseen') AS "reader with a policy";
RESET ROLE;

-- What the planner would put in the place of a predicate is gone, or the user may not
-- call it: the predicate finds the rows all the same
BEGIN;
REVOKE EXECUTE ON FUNCTION sno_first_at(timestamptz), sno_lt(sno, sno) FROM PUBLIC;
ALTER FUNCTION sno_range_last(tstzrange) RENAME TO regress_sno_gone;
SET LOCAL ROLE regress_sno_reader;
SELECT count(*) FILTER (WHERE id >= at) AS since, count(*) FILTER (WHERE id < at + interval '1 day') AS until,
	count(*) FILTER (WHERE id <@ tstzrange(at, NULL)) AS during FROM (SELECT sno_first_after(at) AS id, at FROM moment) m;
ROLLBACK;

SET client_min_messages = warning;
DROP SCHEMA telling CASCADE;
DROP TABLE secret, embargo, moment, unseen, unseen_parent CASCADE;
RESET client_min_messages;
DROP FUNCTION visible, told(anyelement), told_sno, told_time, told_range, told_prefix,
	told_integer, told_any, told_number, told_bytes, told_instants, told_text;
DROP ROLE regress_sno_reader;
