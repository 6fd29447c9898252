-- An id comes back unchanged from every form it can take, and each form is what
-- SQL alone makes of the fields.
\ir begin.psql

SELECT plan(25);

-- Text: five bits a character
CREATE TEMP TABLE written AS
	SELECT sample.*, (SELECT string_agg(substr('23456789abcdefghijklmnopqrstuvwx',
											   substring(bits FROM 5 * i + 1 FOR 5)::bit(5)::integer + 1, 1), '' ORDER BY i)
					  FROM generate_series(0, 15) i) AS text
	FROM (SELECT n, ('x' || encode(bytes, 'hex'))::varbit AS bits FROM sample OFFSET 0) b JOIN sample USING (n);
SELECT pg_temp.none('SELECT * FROM written WHERE ' || wrong, description) FROM (VALUES
	('id::bytea <> bytes', 'bytea: the layout of the fields'),
	('sno_send(id) <> bytes', 'binary: the same ten bytes'),
	('id::bytea::sno <> id', 'bytea and back'),
	('id::text <> text', 'text: five bits a character'),
	('text::sno <> id', 'id of a text'),
	('bytes::text::sno <> id', 'id of \x and twenty digits'),
	('(''\x'' || upper(encode(bytes, ''hex'')))::sno <> id', 'id of upper-case digits'),
	('uuid_send(id::uuid) <> convert_to(text, ''UTF8'')', 'uuid: the characters of the text'),
	('id::uuid::sno <> id', 'uuid and back'),
	('sno_timestamp(id) <> ''2010-01-01+00''::timestamptz + ticks * interval ''4 ms''', 'time: 4 ms a tick from 2010 on'),
	('sno_timestamp(id) <> id::timestamptz', 'the cast is the function'),
	('sno_tick_tock(id) <> (tick_tock = 1)', 'tick-tock'),
	('sno_meta(id) <> meta', 'metabyte'),
	('sno_partition(id) <> partition', 'partition'),
	('sno_sequence(id) <> sequence', 'sequence'),
	('id <> sno_make(''2010-01-01+00''::timestamptz + ticks * interval ''4 ms'' + (n * 997 % 4000) * interval ''1 us'',
		meta::integer, partition::integer, sequence::integer, tick_tock = 1)', 'sno_make puts fields together, any time of a tick'),
	('sno_with_meta(id, (n % 256)::integer)::bytea <> pg_temp.layout(ticks, tick_tock, n % 256, partition, sequence)',
		'sno_with_meta changes the metabyte only'),
	('sno_with_partition(id, (n * 3)::integer)::bytea <> pg_temp.layout(ticks, tick_tock, meta, n * 3, sequence)',
		'sno_with_partition changes the partition only'),
	('sno_with_sequence(id, (n * 3)::integer)::bytea <> pg_temp.layout(ticks, tick_tock, meta, partition, n * 3)',
		'sno_with_sequence changes the sequence only'),
	('ticks < 1::bigint << 38 AND sno_to_bigint(id) <> (ticks << 25) + (tick_tock << 24) + (meta << 16) + sequence',
		'bigint: the fields without the partition'),
	('ticks < 1::bigint << 38 AND sno_from_bigint(sno_to_bigint(id), partition::integer) <> id', 'bigint and back')) v (wrong, description);

-- Snowflake ids of all times that a sno can hold, and of their epoch
CREATE TEMP TABLE snowflake AS
	SELECT n, epoch_ms, ms, machine, sequence, (ms << 22) + (machine << 12) + sequence AS number
	FROM (SELECT n, pg_temp.field('snowflake machine', n, 10) AS machine, pg_temp.field('snowflake sequence', n, 12) AS sequence,
				 pg_temp.field('snowflake ms', n, 41) AS ms,
				 (ARRAY[0, 1262304000000, 1288834974657, 1420070400000, 1262303999997, 3000000000000])[n % 6 + 1] AS epoch_ms
		  FROM generate_series(1, 20000) n OFFSET 0) s
	WHERE ms + epoch_ms >= 1262304000000 AND ms + epoch_ms < 1262304000000 + (1::bigint << 41);
SELECT pg_temp.none($$
	SELECT *, s FROM snowflake, LATERAL (SELECT ms + epoch_ms - 1262304000000) t (since), sno_from_snowflake(number, (n % 256)::integer, epoch_ms) s
	WHERE s::bytea <> pg_temp.layout(since >> 2, 0, n % 256, machine, (since & 3) << 12 | sequence)
	$$, 'Snowflake id: each field in its place');
SELECT pg_temp.none($$
	SELECT * FROM snowflake WHERE sno_to_snowflake(sno_from_snowflake(number, (n % 256)::integer, epoch_ms), epoch_ms) <> number
	$$, 'Snowflake id to sno and back');
SELECT pg_temp.none($$
	SELECT *, id FROM (SELECT n, sno_make('2010-01-01+00'::timestamptz + ticks * interval '4 ms', meta::integer,
									  (partition & 1023)::integer, (sequence & 16383)::integer) AS id, meta FROM sample OFFSET 0) s
	WHERE sno_from_snowflake(sno_to_snowflake(id, 1262304000000), meta::integer, 1262304000000) <> id
	$$, 'sno to Snowflake id and back, given the metabyte');

SELECT cmp_ok((SELECT count(*) FROM snowflake), '>', 10000::bigint, 'most Snowflake ids are in range');
SELECT finish();
ROLLBACK;
