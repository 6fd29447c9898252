--
-- Read what is new
--

CREATE FUNCTION sno_resolved() RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved() IS 'all transactions have ended that generated ids of the current plane below this one, and none will generate such ids';
CREATE FUNCTION sno_resolved(tick_tock boolean) RETURNS sno
	AS 'MODULE_PATHNAME', 'sno_resolved_of_plane' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved(boolean) IS 'all transactions have ended that generated ids with this tick-tock bit below this one, and none will generate such ids';
CREATE FUNCTION sno_resolved_both(OUT resolved_0 sno, OUT resolved_1 sno)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved_both() IS 'sno_resolved(false) and sno_resolved(true) in one row';
