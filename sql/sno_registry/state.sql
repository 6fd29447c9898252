--
-- The state of the whole registry
--

CREATE FUNCTION @extschema@.sno_registry_close(successor text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF successor IS NULL THEN
		RAISE EXCEPTION 'successor must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;
	-- Who has found the registry open commits before
	LOCK TABLE @extschema@.sno_registry_range IN SHARE ROW EXCLUSIVE MODE;
	PERFORM @extschema@.sno_registry_begin();
	INSERT INTO @extschema@.sno_registry_state AS s (successor) VALUES (sno_registry_close.successor)
		ON CONFLICT (is_only) DO UPDATE SET successor = excluded.successor;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_close(text) IS 'let this registry give nothing away any more, and tell those who ask which one replaces it';

CREATE FUNCTION @extschema@.sno_registry_open() RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM @extschema@.sno_registry_begin();
	UPDATE @extschema@.sno_registry_state AS s SET successor = NULL;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_open() IS 'let a registry that was closed give partitions away';

CREATE FUNCTION @extschema@.sno_registry_margin(margin interval) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF margin IS NULL THEN
		RAISE EXCEPTION 'margin must not be null'
			USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM @extschema@.sno_registry_begin();
	PERFORM @extschema@.sno_registry_check_margin(margin, clock_timestamp());
	INSERT INTO @extschema@.sno_registry_state AS s (margin) VALUES (sno_registry_margin.margin)
		ON CONFLICT (is_only) DO UPDATE SET margin = excluded.margin;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_margin(interval) IS 'set the least margin, for all that acquire';
