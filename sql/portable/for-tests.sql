-- for-tests.sql
--	What an application uses of the extension, in a database of a test that cannot have
--	it, such as PGlite.  doc/developing.md, "A database without a server", has its use.
--
-- This is not sno.  Never keep data in it:
--	- a sno is a domain over text: 17 bytes in place of 10, as slow as text; a bad one is
--	  a violation of a check (23514), not an error of syntax (22P02)
--	- text is cast to timestamptz, date and uuid by a function of this file, which also
--	  takes the text of an id; from uuid and bytea, an id is not cast
--	- there are no operator classes, row estimates, settings, sno_stat() or functions for
--	  administration; partitions are created and dropped without the extension's care
--
-- It needs PostgreSQL 14 or later, a superuser, and sno.sql in a schema "sno_sql":
--
--	psql -c 'CREATE SCHEMA sno_sql'
--	PGOPTIONS='-c search_path=sno_sql' psql -f sno.sql
--	psql -f for-tests.sql

BEGIN;

CREATE DOMAIN sno AS text COLLATE "C" CHECK (VALUE ~ '^[2-9a-x]{16}$');

-- Generate

CREATE FUNCTION sno_generate(meta integer DEFAULT 0) RETURNS sno LANGUAGE sql VOLATILE STRICT
	RETURN sno_sql.sno_text(sno_sql.sno_generate_uuid(meta));
CREATE FUNCTION sno_generate_many(count integer, meta integer DEFAULT 0) RETURNS SETOF sno LANGUAGE sql VOLATILE STRICT
	BEGIN ATOMIC SELECT sno_generate(meta) FROM generate_series(1, count); END;
CREATE FUNCTION sno_generate_array(count integer, meta integer DEFAULT 0) RETURNS sno[] LANGUAGE sql VOLATILE STRICT
	RETURN ARRAY(SELECT sno_generate_many(count, meta));

-- Build and inspect

CREATE FUNCTION sno_make(at timestamptz, meta integer DEFAULT 0, partition integer DEFAULT 0,
		sequence integer DEFAULT 0, tick_tock boolean DEFAULT false) RETURNS sno
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
	ticks bigint := floor((extract(epoch FROM at) - 1262304000) * 250);
	groups bigint;
	codes text;
BEGIN
	IF ticks < 0 OR ticks >= 549755813888 THEN
		RAISE 'timestamp out of range for type sno' USING ERRCODE = 'datetime_field_overflow';
	ELSIF meta NOT BETWEEN 0 AND 255 OR partition NOT BETWEEN 0 AND 65535 OR sequence NOT BETWEEN 0 AND 65535 THEN
		RAISE 'metabyte, partition or sequence out of range for type sno' USING ERRCODE = 'numeric_value_out_of_range';
	END IF;
	groups := sno_sql.sno_groups((ticks << 1) | tick_tock::integer);
	codes := sno_sql.sno_codes(groups);
	groups := sno_sql.sno_groups((meta::bigint << 32) | (partition::bigint << 16) | sequence);
	RETURN sno_sql.sno_text((codes || sno_sql.sno_codes(groups))::uuid);
END $$;

CREATE FUNCTION sno_timestamp(sno) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_sql.sno_timestamp(sno_sql.sno_from_text($1));
CREATE FUNCTION sno_tick_tock(sno) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (ascii(substr($1, 8, 1)) + 28) % 39 % 2 = 1;
CREATE FUNCTION sno_meta(sno) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_sql.sno_meta(sno_sql.sno_from_text($1));
CREATE FUNCTION sno_partition(sno) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_sql.sno_partition(sno_sql.sno_from_text($1));
CREATE FUNCTION sno_sequence(sno) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_sql.sno_sequence(sno_sql.sno_from_text($1));
CREATE FUNCTION sno_with_meta(id sno, meta integer) RETURNS sno LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_make(sno_timestamp(id), meta, sno_partition(id), sno_sequence(id), sno_tick_tock(id));
CREATE FUNCTION sno_with_partition(id sno, partition integer) RETURNS sno LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_make(sno_timestamp(id), sno_meta(id), partition, sno_sequence(id), sno_tick_tock(id));
CREATE FUNCTION sno_with_sequence(id sno, sequence integer) RETURNS sno LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_make(sno_timestamp(id), sno_meta(id), sno_partition(id), sequence, sno_tick_tock(id));
CREATE FUNCTION sno_generate(meta integer, at timestamptz) RETURNS sno LANGUAGE sql VOLATILE STRICT
	BEGIN ATOMIC SELECT sno_make(at, meta, sno_partition(id), sno_sequence(id)) FROM sno_generate(meta) AS id; END;

-- Bounds

CREATE FUNCTION sno_min() RETURNS sno LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN '2222222222222222';
CREATE FUNCTION sno_max() RETURNS sno LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 'xxxxxxxxxxxxxxxx';
CREATE FUNCTION sno_lower_bound(timestamptz) RETURNS sno LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_sql.sno_text(sno_sql.sno_lower_bound($1));
CREATE FUNCTION sno_upper_bound(timestamptz) RETURNS sno LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_sql.sno_text(sno_sql.sno_upper_bound($1));

-- Compare with times: a bound that no id has is above all of them
CREATE FUNCTION sno_first_at(timestamptz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN $1 <= '2079-09-07 15:47:35.548+00' THEN sno_lower_bound($1)::text ELSE 'y' END;
CREATE FUNCTION sno_first_after(timestamptz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN sno_first_at($1 + interval '1 microsecond');

CREATE FUNCTION sno_lt_timestamptz(sno, timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $1 COLLATE "C" < sno_first_at($2);
CREATE FUNCTION sno_le_timestamptz(sno, timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $1 COLLATE "C" < sno_first_after($2);
CREATE FUNCTION sno_ge_timestamptz(sno, timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $1 COLLATE "C" >= sno_first_at($2);
CREATE FUNCTION sno_gt_timestamptz(sno, timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $1 COLLATE "C" >= sno_first_after($2);
CREATE FUNCTION timestamptz_lt_sno(timestamptz, sno) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $2 COLLATE "C" >= sno_first_after($1);
CREATE FUNCTION timestamptz_le_sno(timestamptz, sno) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $2 COLLATE "C" >= sno_first_at($1);
CREATE FUNCTION timestamptz_ge_sno(timestamptz, sno) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $2 COLLATE "C" < sno_first_after($1);
CREATE FUNCTION timestamptz_gt_sno(timestamptz, sno) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $2 COLLATE "C" < sno_first_at($1);
CREATE FUNCTION sno_contained_by_range(sno, tstzrange) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $2 @> sno_timestamp($1);
CREATE FUNCTION sno_range_contains(tstzrange, sno) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN $1 @> sno_timestamp($2);
CREATE FUNCTION sno_mi(sno, sno) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN sno_timestamp($1) - sno_timestamp($2);

CREATE OPERATOR < (FUNCTION = sno_lt_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz);
CREATE OPERATOR <= (FUNCTION = sno_le_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz);
CREATE OPERATOR >= (FUNCTION = sno_ge_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz);
CREATE OPERATOR > (FUNCTION = sno_gt_timestamptz, LEFTARG = sno, RIGHTARG = timestamptz);
CREATE OPERATOR < (FUNCTION = timestamptz_lt_sno, LEFTARG = timestamptz, RIGHTARG = sno);
CREATE OPERATOR <= (FUNCTION = timestamptz_le_sno, LEFTARG = timestamptz, RIGHTARG = sno);
CREATE OPERATOR >= (FUNCTION = timestamptz_ge_sno, LEFTARG = timestamptz, RIGHTARG = sno);
CREATE OPERATOR > (FUNCTION = timestamptz_gt_sno, LEFTARG = timestamptz, RIGHTARG = sno);
CREATE OPERATOR <@ (FUNCTION = sno_contained_by_range, LEFTARG = sno, RIGHTARG = tstzrange);
CREATE OPERATOR @> (FUNCTION = sno_range_contains, LEFTARG = tstzrange, RIGHTARG = sno);
CREATE OPERATOR - (FUNCTION = sno_mi, LEFTARG = sno, RIGHTARG = sno);

-- Of the type sno, so that the results compare with times, too
CREATE FUNCTION sno_smaller(sno, sno) RETURNS sno LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN least($1, $2);
CREATE FUNCTION sno_larger(sno, sno) RETURNS sno LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN greatest($1, $2);
CREATE AGGREGATE min(sno) (SFUNC = sno_smaller, STYPE = sno);
CREATE AGGREGATE max(sno) (SFUNC = sno_larger, STYPE = sno);

-- A cast from a domain is one from its base type: other text goes the server's way
CREATE FUNCTION sno_text_to_timestamptz(text) RETURNS timestamptz LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN $1 ~ '^[2-9a-x]{16}$' THEN sno_timestamp($1::sno) ELSE timestamptz_in(textout($1), 0, -1) END;
CREATE FUNCTION sno_text_to_date(text) RETURNS date LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN $1 ~ '^[2-9a-x]{16}$' THEN sno_timestamp($1::sno)::date ELSE date_in(textout($1)) END;
CREATE FUNCTION sno_text_to_uuid(text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN $1 ~ '^[2-9a-x]{16}$' THEN sno_sql.sno_from_text($1) ELSE uuid_in(textout($1)) END;
CREATE CAST (text AS timestamptz) WITH FUNCTION sno_text_to_timestamptz(text);
CREATE CAST (text AS date) WITH FUNCTION sno_text_to_date(text);
CREATE CAST (text AS uuid) WITH FUNCTION sno_text_to_uuid(text);

-- Read what is new

CREATE FUNCTION sno_resolved(since sno DEFAULT sno_min(), tick_tock boolean DEFAULT NULL)
	RETURNS sno LANGUAGE sql VOLATILE
	RETURN sno_sql.sno_text(sno_sql.sno_resolved(sno_sql.sno_from_text(since)));

-- Partitions: one for each step from "since" on, named as the extension names them
CREATE FUNCTION sno_create_partitions(parent regclass, since timestamptz, upto timestamptz, step interval)
	RETURNS TABLE (partition regclass, lower_time timestamptz, upper_time timestamptz, created boolean)
	LANGUAGE plpgsql AS $$
DECLARE
	pattern text := CASE WHEN step = date_trunc('month', step) THEN '_YYYYMM'
		WHEN justify_hours(step) = date_trunc('day', justify_hours(step)) THEN '_YYYYMMDD' ELSE '_YYYYMMDD_HH24MISS' END;
	start timestamp := CASE pattern WHEN '_YYYYMM' THEN date_trunc('month', since AT TIME ZONE 'UTC')
		ELSE date_bin(step, since AT TIME ZONE 'UTC', timestamp '2001-01-01') END;
	name text;
BEGIN
	WHILE start AT TIME ZONE 'UTC' < upto LOOP
		name := format('%I.%I',
			(SELECT nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = parent),
			(SELECT relname FROM pg_class WHERE oid = parent) || to_char(start, pattern));
		lower_time := start AT TIME ZONE 'UTC';
		start := start + step;
		upper_time := start AT TIME ZONE 'UTC';
		created := to_regclass(name) IS NULL;
		IF created THEN
			EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)',
				name, parent, sno_lower_bound(lower_time), sno_lower_bound(upper_time));
		END IF;
		partition := name;
		RETURN NEXT;
	END LOOP;
END $$;

CREATE FUNCTION sno_drop_partitions(parent regclass, before timestamptz)
	RETURNS TABLE (partition text, lower_time timestamptz, upper_time timestamptz, dropped boolean) LANGUAGE plpgsql AS $$
BEGIN
	FOR partition, lower_time, upper_time IN
		SELECT format('%I.%I', nspname, relname), sno_timestamp(bounds[1]), sno_timestamp(bounds[2])
		FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid JOIN pg_namespace AS n ON n.oid = relnamespace,
			regexp_match(pg_get_expr(relpartbound, c.oid), 'FROM \(''(.*)''\) TO \(''(.*)''\)') AS bounds
		WHERE inhparent = parent AND bounds IS NOT NULL ORDER BY bounds[1]
	LOOP
		dropped := upper_time <= before;
		IF dropped THEN
			EXECUTE format('DROP TABLE %s', partition);
			RETURN NEXT;
		END IF;
	END LOOP;
END $$;

COMMIT;
