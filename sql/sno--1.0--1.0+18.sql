-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "ALTER EXTENSION sno UPDATE" to load this file. \quit

-- Support functions that only servers from 18 on know.  pg_upgrade copies families
-- as the old server had them.
ALTER OPERATOR FAMILY sno_ops USING btree ADD FUNCTION 6 (sno, sno) sno_skipsupport(internal);
ALTER OPERATOR FAMILY sno_ops USING gist ADD FUNCTION 12 ("any", "any") sno_gist_strategy(integer);
