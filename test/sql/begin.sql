-- What every regression test begins with: the extension, output that does not
-- depend on the server's settings, and a few functions.

SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS sno;
RESET client_min_messages;
SET TimeZone = 'UTC';
SET DateStyle = 'ISO, YMD';
SET IntervalStyle = 'postgres';
SET bytea_output = 'hex';
\set SHOW_CONTEXT never

-- The value of an expression, or how it is refused: SQLSTATE, message, detail
-- and hint
CREATE FUNCTION pg_temp.attempt(expression text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
	message text;
	detail text;
	hint text;
BEGIN
	EXECUTE 'SELECT (' || expression || ')::text' INTO result;
	RETURN coalesce(result, 'null');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', SQLSTATE, message, nullif(detail, ''), nullif(hint, ''));
END
$$;

-- Is there a node in the query's plan that has all these properties?  EXPLAIN
-- as text looks different from server to server.
CREATE FUNCTION pg_temp.uses(query text, node jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON, COSTS OFF) ' || query INTO plan;
	RETURN EXISTS (SELECT FROM jsonb_path_query(plan::jsonb, 'strict $.**') n
				   WHERE jsonb_typeof(n) = 'object' AND n @> node);
END
$$;

-- How many rows the planner expects of a query
CREATE FUNCTION pg_temp.planned_rows(query text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan #>> '{0,Plan,Plan Rows}';
END
$$;

-- The n-th of a sequence of ids that look random and are the same everywhere
CREATE FUNCTION pg_temp.nth_sno(n integer) RETURNS sno
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT substr(sha256(int4send(n)), 1, 10)::sno
$$;
