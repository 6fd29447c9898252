-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION sno" to load this file. \quit

--
-- Standbys
--
-- The last statement of the script takes a slot for a replication origin, unless
-- the cluster has it.  A standby that replays this and has no slot shuts down.

SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
	standbys text;
	setting text;
BEGIN
	SELECT string_agg(format('"%s" (%s)', application_name, coalesce(host(client_addr), '[local]')), ', ' ORDER BY application_name, client_addr) INTO standbys
	FROM pg_stat_replication AS sender
	WHERE state <> 'backup' AND application_name <> 'pg_receivewal'
		AND NOT EXISTS (SELECT FROM pg_replication_slots WHERE active_pid = sender.pid AND slot_type = 'logical')
		AND NOT EXISTS (SELECT FROM pg_replication_origin_status WHERE local_id = 62736);
	IF standbys IS NOT NULL THEN
		SELECT name INTO setting
		FROM pg_settings WHERE name IN ('max_active_replication_origins', 'max_replication_slots') ORDER BY name LIMIT 1;
		RAISE WARNING 'connected standbys need a free slot for the replication origin of sno'
			USING DETAIL = format('Any that has none shuts down when CREATE EXTENSION takes the slot, as its last step. Connected are: %s.', standbys),
				HINT = format('On each standby, "%s" must be greater than the number of its other replication origins: SET search_path = pg_catalog; SELECT current_setting(%L)::int > count(*) AS is_enough FROM pg_replication_origin_status WHERE local_id <> 62736. If a standby has shut down, raise the setting in its configuration and start it again: it goes on where it stopped.', setting, setting);
	END IF;
END
$$;
SET LOCAL search_path = @extschema@, pg_temp;

