--
-- Count rows by the index
--

CREATE FUNCTION sno_estimated_count(relation regclass, low sno DEFAULT NULL, high sno DEFAULT NULL) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL RESTRICTED; -- no worker can read a temporary table
COMMENT ON FUNCTION sno_estimated_count(regclass, sno, sno) IS
	'about how many rows of a table have low <= id < high, from a few pages of its index';
