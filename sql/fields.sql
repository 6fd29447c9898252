\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- An id from its fields, and its fields from an id

SELECT sno_make('2026-11-21 08:30:00.123+00', 1, 2, 3, true) AS id;
SELECT * FROM sno_inspect(sno_make('2026-11-21 08:30:00.123+00', 1, 2, 3, true));
SELECT * FROM sno_inspect(sno_make('2026-11-21 08:30:00.123+00'));
SELECT * FROM sno_inspect(sno_make('2026-11-21 08:30:00+00', partition => 258, sequence => 772));
SELECT * FROM sno_inspect('2222222222222222');
SELECT * FROM sno_inspect('xxxxxxxxxxxxxxxx');
SELECT * FROM sno_inspect(NULL);
SELECT (sno_inspect('23456789abcdefgh')).meta;

-- Each field alone, all ones: it is where the layout has it
SELECT sno_make('2079-09-07 15:47:35.548+00')::bytea AS time,
       sno_make('2010-01-01+00', tick_tock => true)::bytea AS tick_tock,
       sno_make('2010-01-01+00', meta => 255)::bytea AS meta,
       sno_make('2010-01-01+00', partition => 65535)::bytea AS partition,
       sno_make('2010-01-01+00', sequence => 65535)::bytea AS sequence;
SELECT sno_timestamp('\xfffffffffe0000000000'), sno_tick_tock('\x00000000010000000000'),
       sno_meta('\x0000000000ff00000000'), sno_partition('\x000000000000ffff0000'),
       sno_sequence('\x0000000000000000ffff');
-- Each field alone, all zeros among ones
SELECT sno_timestamp('\x0000000001ffffffffff'), sno_tick_tock('\xfffffffffeffffffffff'),
       sno_meta('\xffffffffff00ffffffff'), sno_partition('\xffffffffffff0000ffff'),
       sno_sequence('\xffffffffffffffff0000');

-- One field replaced: the others stay
SELECT sno_with_meta(id, 0)::bytea AS meta_0, sno_with_meta(id, 165)::bytea AS meta_a5,
       sno_with_partition(id, 0)::bytea AS partition_0, sno_with_partition(id, 42330)::bytea AS partition_a55a,
       sno_with_sequence(id, 0)::bytea AS sequence_0, sno_with_sequence(id, 42330)::bytea AS sequence_a55a
FROM sno_max() id;
SELECT sno_with_meta(id, 255)::bytea AS meta_ff, sno_with_partition(id, 65535)::bytea AS partition_ffff,
       sno_with_sequence(id, 65535)::bytea AS sequence_ffff
FROM sno_min() id;
SELECT id, sno_with_meta(id, 1) AS with_meta FROM sno_max() id;

-- Out of range
\pset format unaligned
\pset footer off
SELECT expression, pg_temp.attempt(expression) FROM (VALUES
	($$sno_make('2026-01-01', -1)$$),
	($$sno_make('2026-01-01', 256)$$),
	($$sno_make('2026-01-01', 2147483647)$$),
	($$sno_make('2026-01-01', -2147483648)$$),
	($$sno_make('2026-01-01', 0, -1)$$),
	($$sno_make('2026-01-01', 0, 65536)$$),
	($$sno_make('2026-01-01', 0, -2147483648)$$),
	($$sno_make('2026-01-01', 0, 0, -1)$$),
	($$sno_make('2026-01-01', 0, 0, 65536)$$),
	($$sno_make('2026-01-01', 0, 0, 2147483647)$$),
	($$sno_make('2009-01-01', 0, 0, 0)$$),
	($$sno_with_meta('2222222222222222', -1)$$),
	($$sno_with_meta('2222222222222222', 256)$$),
	($$sno_with_partition('2222222222222222', -1)$$),
	($$sno_with_partition('2222222222222222', 65536)$$),
	($$sno_with_sequence('2222222222222222', -1)$$),
	($$sno_with_sequence('2222222222222222', 65536)$$)
) v (expression);

-- NULL in, NULL out
SELECT expression, pg_temp.attempt(expression) FROM (VALUES
	('sno_make(NULL)'),
	($$sno_make('2026-01-01', NULL)$$),
	($$sno_make('2026-01-01', partition => NULL)$$),
	($$sno_make('2026-01-01', sequence => NULL)$$),
	($$sno_make('2026-01-01', tick_tock => NULL)$$),
	('sno_with_meta(NULL, 1)'),
	('sno_with_meta(sno_min(), NULL)'),
	('sno_with_partition(NULL, 1)'),
	('sno_with_sequence(NULL, 1)'),
	('sno_timestamp(NULL)'),
	('sno_tick_tock(NULL)'),
	('sno_meta(NULL)'),
	('sno_partition(NULL)'),
	('sno_sequence(NULL)')
) v (expression);
