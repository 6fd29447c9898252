\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
SELECT current_setting('server_version_num')::integer < 180000 AS is_old \gset
\if :is_old
	\echo There are no temporal keys before PostgreSQL 18.
	\quit
\endif
\set ECHO all
-- Temporal keys: an id has a row for each period, and none of these overlap

CREATE TEMP TABLE price (id sno, valid tstzrange, amount numeric, PRIMARY KEY (id, valid WITHOUT OVERLAPS));
INSERT INTO price VALUES ('9q7jqm682eks4222', '[2026-01-01,2026-02-01)', 10), ('9q7jqm682eks4222', '[2026-02-01,)', 11),
	('9q7jqm682eks4223', '[2026-01-01,)', 20);
INSERT INTO price VALUES ('9q7jqm682eks4222', '[2026-01-31,2026-02-02)', 12);
INSERT INTO price VALUES (NULL, '[2026-01-01,)', 30);
SELECT * FROM price WHERE id = '9q7jqm682eks4222' AND valid @> timestamptz '2026-01-15';

-- Foreign keys of a period: it has to be covered, by one row or by several
CREATE TEMP TABLE ordered (item sno, during tstzrange,
	FOREIGN KEY (item, PERIOD during) REFERENCES price (id, PERIOD valid));
INSERT INTO ordered VALUES ('9q7jqm682eks4222', '[2026-01-20,2026-02-10)'),
	('9q7jqm682eks4223', '[2026-01-01,2026-01-02)'),
	(NULL, '[2000-01-01,2001-01-01)');
INSERT INTO ordered VALUES ('9q7jqm682eks4222', '[2025-12-31,2026-01-02)');
INSERT INTO ordered VALUES ('9q7jqm682eks4224', '[2026-01-01,2026-01-02)');
DELETE FROM price WHERE amount = 10;
UPDATE price SET valid = '[2026-01-15,2026-02-01)' WHERE amount = 10;
UPDATE price SET id = '9q7jqm682eks4224' WHERE amount = 11;
DELETE FROM ordered WHERE item = '9q7jqm682eks4222';
DELETE FROM price WHERE amount = 10;

-- An instant refers to no id, nor does any other type
CREATE TEMP TABLE wrong (at timestamptz, during tstzrange,
	FOREIGN KEY (at, PERIOD during) REFERENCES price (id, PERIOD valid));

-- Unique, of a domain, and in a partitioned table
CREATE DOMAIN pg_temp.item_id AS sno;
CREATE TEMP TABLE stock (item pg_temp.item_id, during tstzrange, UNIQUE (item, during WITHOUT OVERLAPS))
	PARTITION BY RANGE (item);
CREATE TEMP TABLE stock_all PARTITION OF stock DEFAULT;
INSERT INTO stock VALUES ('9q7jqm682eks4222', '[2026-01-01,2026-02-01)'), ('9q7jqm682eks4222', '[2026-02-01,)');
INSERT INTO stock VALUES ('9q7jqm682eks4222', '[2026-03-01,)');

-- With what only servers from 18 on know, the operator class is right
SELECT amvalidate(c.oid) FROM pg_opclass c JOIN pg_am am ON am.oid = opcmethod
	WHERE opcname = 'sno_ops' AND amname = 'gist';
