--
-- For roles that must not touch what others have
--
-- The prefix is the role that has logged in, as the one that calls cannot be seen
-- from here.  No two roles have the same prefix, and none has that of the registry's
-- own cluster.

CREATE FUNCTION @extschema@.sno_registry_owner_of(name text) RETURNS text
	LANGUAGE plpgsql STABLE PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN replace(replace(replace(session_user, '%', '%25'), '/', '%2F'), ' ', '%20') || '/' || name;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_owner_of(text) IS 'the full name of an owner that belongs to the role of the session, for the registry';

CREATE FUNCTION @extschema@.sno_registry_acquire_own(name text, ttl interval, count integer DEFAULT 1, instance text DEFAULT NULL,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF num_nulls(name, ttl, count) > 0 THEN
		RAISE EXCEPTION 'name, ttl and count must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	SELECT a.partition, a.partition_count, a.usable_from, a.expires INTO partition, partition_count, usable_from, expires
		FROM @extschema@.sno_registry_acquire(@extschema@.sno_registry_owner_of(name), count, ttl, NULL::interval, instance) AS a;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_acquire_own(text, interval, integer, text) IS 'as sno_registry_acquire, for an owner whose name begins with that of the session''s role';

CREATE FUNCTION @extschema@.sno_registry_renew_own(name text, ttl interval, instance text DEFAULT NULL,
	OUT partition integer, OUT partition_count integer, OUT usable_from timestamptz, OUT expires timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	SELECT a.partition, a.partition_count, a.usable_from, a.expires INTO partition, partition_count, usable_from, expires
		FROM @extschema@.sno_registry_renew(@extschema@.sno_registry_owner_of(name), ttl, instance) AS a;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_renew_own(text, interval, text) IS 'as sno_registry_renew, for an owner of sno_registry_acquire_own';

CREATE FUNCTION @extschema@.sno_registry_release_own(name text, instance text DEFAULT NULL) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM @extschema@.sno_registry_release(@extschema@.sno_registry_owner_of(name), instance);
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_release_own(text, text) IS 'as sno_registry_release, for an owner of sno_registry_acquire_own';
