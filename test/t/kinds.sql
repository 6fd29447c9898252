-- kinds.sql
--	An object of each kind in which PostgreSQL prints operators without their schema, and
--	an index of each kind.
CREATE SCHEMA kinds;

CREATE TABLE kinds.node (
	id sno PRIMARY KEY DEFAULT sno_generate(),
	parent sno REFERENCES kinds.node DEFAULT nullif(sno_min(), '2222222222222222'),
	n int NOT NULL DEFAULT CASE sno_max() WHEN sno_min() THEN 1 ELSE 0 END,
	is_root boolean GENERATED ALWAYS AS
		(parent IS NOT DISTINCT FROM nullif(parent, id) AND (id, 1) > (parent, 1)) STORED,
	CHECK (id IS DISTINCT FROM parent AND id = ANY (ARRAY[id, parent]) AND id BETWEEN SYMMETRIC sno_max() AND sno_min()),
	CHECK (id <@ tstzrange '[2010-01-01 00:00+00,)' AND NOT id ^@ '2222' AND id > timestamptz '2010-01-01 00:00+00'),
	EXCLUDE USING gist (id WITH =, parent WITH <>));
CREATE INDEX ON kinds.node (nullif(id, parent), (CASE id WHEN parent THEN 1 END)) WHERE (id, n) > (sno_min(), 0);
-- Each kind of index, of an expression by which it can be asked for
CREATE INDEX by_hash ON kinds.node USING hash (sno_with_meta(id, 1));
CREATE INDEX by_brin ON kinds.node USING brin (sno_with_meta(id, 2));
CREATE INDEX by_multi ON kinds.node USING brin (sno_with_meta(id, 3) sno_minmax_multi_ops);
CREATE INDEX by_bloom ON kinds.node USING brin (sno_with_meta(id, 4) sno_bloom_ops);
CREATE INDEX by_gist ON kinds.node USING gist (sno_with_meta(id, 5));
CREATE INDEX by_gin ON kinds.node USING gin ((ARRAY[id, parent]));
CREATE STATISTICS kinds.same ON (CASE id WHEN parent THEN 1 END), (id IS DISTINCT FROM parent) FROM kinds.node;
CREATE TRIGGER kept BEFORE UPDATE ON kinds.node FOR EACH ROW
	WHEN (OLD.id IS NOT DISTINCT FROM NEW.id AND (OLD.id, OLD.n) <= (NEW.id, NEW.n))
	EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE RULE kept AS ON DELETE TO kinds.node
	WHERE OLD.parent IS DISTINCT FROM OLD.id AND (OLD.id, 1) > (sno_min(), 1) DO INSTEAD NOTHING;
CREATE POLICY kept ON kinds.node USING (id IS DISTINCT FROM parent)
	WITH CHECK ((id, n) > (sno_min(), 0) AND nullif(id, parent) = id);
ALTER TABLE kinds.node ENABLE ROW LEVEL SECURITY;
CREATE TABLE kinds.split (id sno, n int) PARTITION BY
	RANGE ((CASE id WHEN sno_min() THEN sno_max() ELSE id END), id);
CREATE TABLE kinds.split_1 PARTITION OF kinds.split
	FOR VALUES FROM ('2222222222222222', MINVALUE) TO (MAXVALUE, MAXVALUE);
CREATE TABLE kinds.split_2 PARTITION OF kinds.split DEFAULT;

CREATE VIEW kinds.pages AS
	SELECT DISTINCT ON (id) id, p.n, CASE id WHEN p.parent THEN 1 ELSE 2 END AS which, greatest(id, p.parent) AS latest,
		count(*) OVER (PARTITION BY p.parent ORDER BY id RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW)
	FROM kinds.node AS p JOIN kinds.node AS q USING (id) NATURAL LEFT JOIN (SELECT id FROM kinds.split) AS s
	WHERE p.id IS DISTINCT FROM q.parent AND (id, q.n) IN (SELECT id, n FROM kinds.node)
	ORDER BY id DESC;
CREATE VIEW kinds.checked AS SELECT id, parent FROM kinds.node WHERE id IS DISTINCT FROM parent WITH CHECK OPTION;
CREATE MATERIALIZED VIEW kinds.kept AS
	SELECT n, min(id), max(id) FILTER (WHERE (id, n) < (sno_max(), 0)) FROM kinds.node
	GROUP BY n HAVING min(id) IS DISTINCT FROM sno_max();
CREATE FUNCTION kinds.is_other(a sno, b sno DEFAULT nullif(sno_max(), sno_min())) RETURNS boolean LANGUAGE sql IMMUTABLE
	BEGIN ATOMIC SELECT a IS DISTINCT FROM b AND CASE a WHEN b THEN false ELSE a = ANY (ARRAY[a, b]) END; END;

CREATE DOMAIN kinds.key AS sno DEFAULT nullif(sno_max(), sno_min())
	CHECK (VALUE IS DISTINCT FROM sno_min() AND nullif(VALUE, '2222222222222222') = VALUE);
CREATE TYPE kinds.span AS RANGE (subtype = sno, multirange_type_name = kinds.spans);
CREATE TYPE kinds.pair AS (key kinds.key, span kinds.span);
CREATE FUNCTION kinds.first(kinds.pair) RETURNS sno IMMUTABLE RETURN CASE $1.key WHEN lower($1.span) THEN $1.key END;
CREATE CAST (kinds.pair AS sno) WITH FUNCTION kinds.first(kinds.pair);
CREATE AGGREGATE kinds.latest(sno) (SFUNC = sno_larger, STYPE = sno, SORTOP = >, INITCOND = '2222222222222222');
CREATE OPERATOR kinds.<!> (FUNCTION = kinds.is_other, LEFTARG = sno, RIGHTARG = sno, COMMUTATOR = OPERATOR(kinds.<!>));
CREATE TABLE kinds.typed (key kinds.key, pair kinds.pair, span kinds.span, EXCLUDE USING gist (span WITH &&));

INSERT INTO kinds.node SELECT FROM generate_series(1, 3);
INSERT INTO kinds.node (parent, n) SELECT id, 1 FROM kinds.node;
INSERT INTO kinds.split SELECT id, n FROM kinds.node UNION ALL SELECT NULL, 0;
INSERT INTO kinds.typed SELECT id, (id, kinds.span(id, NULL))::kinds.pair, kinds.span(id, id, '[]') FROM kinds.node;
REFRESH MATERIALIZED VIEW kinds.kept;
