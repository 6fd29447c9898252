-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION sno" to load this file. \quit

--
-- Conditions, checked before anything is created
--
-- Any owner of a database can run this script, and it runs as a superuser.  So every
-- name in it, and in the functions that it creates, is one of pg_catalog, which
-- is first in the path that CREATE EXTENSION sets.

-- The last statement of the script creates the record of this cluster: the progress of
-- replication origin 62736.  It takes a slot, for good, and a standby that replays this
-- and has no slot shuts down.  If the server had a record and has lost it, ids of before
-- are made again.  So that is for superusers; the owner of the extension is who runs
-- CREATE EXTENSION, while current_user is the bootstrap superuser.
DO $$
DECLARE
	standbys text;
	setting text;
BEGIN
	IF EXISTS (SELECT FROM pg_replication_origin_status WHERE local_id = 62736) THEN
		RETURN;
	ELSIF NOT (SELECT rolsuper FROM pg_extension JOIN pg_roles AS r ON r.oid = extowner WHERE extname = 'sno') THEN
		RAISE EXCEPTION 'sno is not used in this cluster yet' USING ERRCODE = 'insufficient_privilege',
			DETAIL = 'If ids were generated in it before, the server has lost their record. They could be generated again '
				'with the same partition.',
			HINT = 'Have a superuser run CREATE EXTENSION sno once, in any database of this cluster. After that, every owner '
				'of a database can run it.';
	END IF;
	SELECT string_agg(format('"%s" (%s)', application_name, coalesce(host(client_addr), '[local]')), ', '
		ORDER BY application_name, client_addr) INTO standbys
	FROM pg_stat_replication AS sender
	WHERE state <> 'backup' AND application_name <> 'pg_receivewal'
		AND NOT EXISTS (SELECT FROM pg_replication_slots WHERE active_pid = sender.pid AND slot_type = 'logical');
	IF standbys IS NOT NULL THEN
		SELECT name INTO setting
		FROM pg_settings WHERE name IN ('max_active_replication_origins', 'max_replication_slots') ORDER BY name LIMIT 1;
		RAISE WARNING 'connected standbys need a free slot for the replication origin of sno'
			USING DETAIL = format('Any that has none shuts down when CREATE EXTENSION takes the slot, as its last step. '
					'Connected are: %s.', standbys),
				HINT = format('On each standby, "%s" must be greater than the number of its other replication origins: '
					'SET search_path = pg_catalog; SELECT current_setting(%L)::int > count(*) AS is_enough '
					'FROM pg_replication_origin_status WHERE local_id <> 62736. If a standby has shut down, raise the '
					'setting in its configuration and start it again: it goes on where it stopped.', setting, setting);
	END IF;
END
$$;

