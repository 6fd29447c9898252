--
-- The state of the whole registry
--

CREATE FUNCTION @extschema@.sno_registry_close(successor text) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF successor IS NULL THEN
		RAISE EXCEPTION 'successor must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM @extschema@.sno_registry_begin();
	-- Who has found the registry open commits before
	PERFORM FROM @extschema@.sno_registry_state FOR UPDATE;
	UPDATE @extschema@.sno_registry_state AS s SET successor = sno_registry_close.successor;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_close(text) IS 'let this registry give nothing away any more, and tell those who ask which one replaces it';

CREATE FUNCTION @extschema@.sno_registry_open() RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM @extschema@.sno_registry_begin();
	UPDATE @extschema@.sno_registry_state AS s SET successor = NULL;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_open() IS 'let a registry that was closed give partitions away';

CREATE FUNCTION @extschema@.sno_registry_margin(margin interval) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF margin IS NULL THEN
		RAISE EXCEPTION 'margin must not be null' USING ERRCODE = 'null_value_not_allowed';
	END IF;
	PERFORM @extschema@.sno_registry_begin();
	PERFORM @extschema@.sno_registry_check_margin(margin, clock_timestamp());
	UPDATE @extschema@.sno_registry_state AS s SET margin = sno_registry_margin.margin;
END
$$;
COMMENT ON FUNCTION @extschema@.sno_registry_margin(interval) IS 'set the least margin, for all that acquire';
