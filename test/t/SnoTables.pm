# SnoTables.pm
#	Tables with a sno wherever there can be one, filled, and whether they are
#	still what they were: every row, every index, every default.
package SnoTables;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';

use SnoTest;

our @EXPORT = qw(fill_tables contents wrong_answers corrupt_indexes wrong_defaults);

# fill_tables(SERVER, DATABASE, ROWS): in a schema app, which is put on the path, as
# is the schema ext that the extension may be in.
# The metabytes say where an id comes from.
sub fill_tables
{
	my ($server, $database, $rows) = @_;

	$server->safe_psql($database, "ALTER DATABASE $database SET search_path = app, public, ext");
	$server->safe_psql($database, <<"EOF");
CREATE SCHEMA app;

-- An id in a column for each kind of index
CREATE DOMAIN event_id AS sno;
CREATE TABLE event (
	id sno PRIMARY KEY DEFAULT sno_generate(3),
	n int NOT NULL,
	at timestamptz GENERATED ALWAYS AS (sno_timestamp(id)) STORED,
	hashed sno, summed sno, several sno, bloomed sno, covered sno, part sno, descending sno,
	domained event_id,
	CHECK (id >= '2222222222222222' AND sno_meta(id) = 3));
INSERT INTO event (id, n, hashed, summed, several, bloomed, covered, part, descending, domained)
	SELECT id, n, id, id, id, id, id, id, id, id
	FROM (SELECT sno_generate(3) AS id, n FROM generate_series(1, $rows) AS n) AS made;
CREATE INDEX event_hashed ON event USING hash (hashed);
CREATE INDEX event_summed ON event USING brin (summed);
CREATE INDEX event_several ON event USING brin (several sno_minmax_multi_ops);
CREATE INDEX event_bloomed ON event USING brin (bloomed sno_bloom_ops);
CREATE INDEX event_domained ON event USING brin ((domained::sno), (domained::sno) sno_minmax_multi_ops);
CREATE INDEX event_covered ON event USING gist (covered);
CREATE INDEX event_part ON event (part) WHERE n % 3 = 0;
CREATE INDEX event_expression ON event (sno_with_meta(descending, 0) DESC) INCLUDE (n);
CREATE STATISTICS event_hour ON (date_trunc('hour', id::timestamptz)) FROM event;

-- References, partitions
CREATE TABLE note (event sno REFERENCES event, id sno DEFAULT sno_generate(4), UNIQUE (event, id));
INSERT INTO note (event) SELECT id FROM event WHERE n % 10 = 0;
CREATE TABLE by_time (id sno PRIMARY KEY DEFAULT sno_generate(5), n int) PARTITION BY RANGE (id);
SELECT FROM sno_create_partitions('by_time', '2020-01-01 00:00+00', '2020-01-03 00:00+00', '1 day');
CREATE TABLE by_time_rest PARTITION OF by_time DEFAULT;
INSERT INTO by_time (n) SELECT generate_series(1, 1000);
INSERT INTO by_time SELECT sno_make('2020-01-01 12:00+00'::timestamptz + n * interval '100 s', 5), n
	FROM generate_series(1, 1000) AS n;
CREATE TABLE by_hash (id sno PRIMARY KEY DEFAULT sno_generate(6)) PARTITION BY HASH (id);
CREATE TABLE by_hash_0 PARTITION OF by_hash FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_hash_1 PARTITION OF by_hash FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO by_hash SELECT sno_generate_many(1000, 6);

-- Other types made of it
CREATE DOMAIN order_id AS sno DEFAULT sno_generate(7) CHECK (sno_meta(VALUE) = 7);
CREATE TYPE pair AS (n int, id sno);
CREATE TYPE ids AS RANGE (subtype = sno);
CREATE TABLE orders (id order_id PRIMARY KEY, parents sno[] DEFAULT sno_generate_array(2, 8), pair pair,
	ids ids, nothing sno);
CREATE INDEX orders_parents ON orders USING gin (parents);
CREATE INDEX orders_ids ON orders USING gist (ids);
INSERT INTO orders (pair, ids) SELECT (1, id)::pair, ids(event, NULL) FROM note LIMIT 1000;
INSERT INTO orders VALUES (DEFAULT, '{NULL, xxxxxxxxxxxxxxxx}', (NULL, NULL), 'empty', '2222222222222222');

-- What calls it
CREATE VIEW recent AS SELECT id, n, sno_meta(id) FROM event
	WHERE id >= now() - interval '2 days' AND id <@ tstzrange('2020-01-01', NULL) AND NOT id ^@ '22';
CREATE VIEW inspected AS SELECT n, (sno_inspect(id)).*, id::uuid, sno_to_bigint(id) FROM event WHERE n <= 1000;
CREATE MATERIALIZED VIEW ends AS SELECT min(id), max(id) FROM event;
CREATE FUNCTION is_recent(id sno DEFAULT sno_generate(9)) RETURNS boolean
	LANGUAGE sql RETURN id > timestamptz '2020-01-01';
EOF
	$server->safe_psql($database, 'VACUUM ANALYZE');
	return;
}

# contents(SERVER, DATABASE): a sum over all rows of each table and view
sub contents
{
	my ($server, $database) = @_;
	my $union = join ' UNION ALL ', map { <<"EOF" }
SELECT '$_', count(*), md5(string_agg(t::text, ',' ORDER BY t::text COLLATE "C")) FROM $_ AS t
EOF
	  qw(event note by_time by_time_20200101 by_time_20200102 by_time_rest by_hash by_hash_0 by_hash_1
	  orders recent inspected ends);

	return $server->safe_psql($database, "SET timezone = 'UTC'; $union ORDER BY 1");
}

# What an index serves, or leaving out partitions.  IDS are some ids of event,
# FIRST is one of them, TIMES are bounds among them.
my @questions = (
	[ 'event_pkey', 'FROM event WHERE id = ANY (IDS)' ],
	[ 'event_pkey', 'FROM event WHERE id BETWEEN TIMES' ],
	[ 'event_pkey', 'FROM event WHERE id ^@ left(FIRST::text, 8)' ],
	[ 'event_hashed', 'FROM event WHERE hashed = ANY (IDS)' ],
	[ 'event_summed', 'FROM event WHERE summed = ANY (IDS)' ],
	[ 'event_summed', 'FROM event WHERE summed BETWEEN TIMES' ],
	[ 'event_several', 'FROM event WHERE several = ANY (IDS)' ],
	[ 'event_several', 'FROM event WHERE several BETWEEN TIMES' ],
	[ 'event_bloomed', 'FROM event WHERE bloomed = ANY (IDS)' ],
	[ 'event_covered', 'FROM event WHERE covered = ANY (IDS)' ],
	[ 'event_covered', 'FROM event WHERE covered <= FIRST' ],
	[ 'event_domained', 'FROM event WHERE domained BETWEEN TIMES' ],
	[ 'event_part', 'FROM event WHERE part BETWEEN TIMES AND n % 3 = 0' ],
	[ 'event_expression', 'FROM event WHERE sno_with_meta(descending, 0) = sno_with_meta(FIRST, 0)' ],
	[ 'note_event_id_key', 'FROM note WHERE event = ANY (IDS)' ],
	[ 'by_time_rest', "FROM by_time WHERE id > timestamptz '2020-01-03 00:00+00'" ],
	[ 'by_time_20200102', "FROM by_time WHERE id < timestamptz '2020-01-03 00:00+00' AND id >= timestamptz '2020-01-02 00:00+00'" ],
	[ 'by_hash_[01]', 'FROM by_hash WHERE id = (SELECT max(id) FROM by_hash)' ],
	[ 'orders_parents', 'FROM orders WHERE parents @> (SELECT parents FROM orders ORDER BY id LIMIT 1)' ],
	[ 'orders_ids', 'FROM orders WHERE ids @> FIRST' ]);

# wrong_answers(SERVER, DATABASE): what an index answers in another way than
# reading all of the table does, or what it no longer serves
sub wrong_answers
{
	my ($server, $database) = @_;
	my ($ids, $first, $times) = split /\|/, $server->safe_psql($database, <<'EOF');
SET timezone = 'UTC';
SELECT quote_literal(array_agg(id)) || '::sno[]', quote_literal(min(id) FILTER (WHERE n = 970)) || '::sno',
	format('timestamptz %L AND timestamptz %L', sno_timestamp(min(id) FILTER (WHERE n > 1000)),
		sno_timestamp(min(id) FILTER (WHERE n > 2000)))
FROM event WHERE n % 970 = 0
EOF
	my @wrong;

	foreach my $question (@questions)
	{
		my ($index, $query) = @$question;
		my ($answer, $right, $plan);

		$query =~ s/IDS/$ids/;
		$query =~ s/FIRST/$first/;
		$query =~ s/TIMES/$times/;
		($answer, $right, $plan) = split /\n/, $server->safe_psql($database, <<"EOF"), 3;
SET enable_seqscan = off;
SELECT count(*) $query;
SET enable_seqscan = on; SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;
SET enable_partition_pruning = off;
SELECT count(*) $query;
RESET ALL; SET enable_seqscan = off;
EXPLAIN SELECT $query;
EOF
		push @wrong, "$index: $answer instead of $right: $query" if $answer ne $right;
		push @wrong, "$index: nothing to find: $query" if $right == 0;
		push @wrong, "$index is not used: $query\n$plan" if $plan !~ /\b$index/;
	}
	push @wrong, $server->safe_psql($database, <<'EOF');
SELECT indexrelid::regclass || ' is not valid' FROM pg_index WHERE NOT (indisvalid AND indisready)
EOF
	return join("\n", grep { $_ ne '' } @wrong);
}

# corrupt_indexes(SERVER, DATABASE): what amcheck finds wrong: each entry of a B-tree in
# order, and one for each row
sub corrupt_indexes
{
	my ($server, $database) = @_;

	return (error_of($server, $database, <<'EOF'))[0];
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS amcheck SCHEMA public;
SELECT public.bt_index_check(indexrelid, true)
FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_am AS a ON a.oid = relam
WHERE amname = 'btree' AND relkind = 'i' AND relnamespace = 'app'::regnamespace
EOF
}

# wrong_defaults(SERVER, DATABASE): where a default makes no id with its
# metabyte.  Adds a row to each table.
sub wrong_defaults
{
	my ($server, $database) = @_;

	return $server->safe_psql($database, <<'EOF');
WITH events AS (INSERT INTO event (n) VALUES (0) RETURNING 3 AS meta, id),
	notes AS (INSERT INTO note DEFAULT VALUES RETURNING 4, id),
	times AS (INSERT INTO by_time DEFAULT VALUES RETURNING 5, id),
	hashes AS (INSERT INTO by_hash DEFAULT VALUES RETURNING 6, id),
	parents AS (INSERT INTO orders DEFAULT VALUES RETURNING id, parents),
	all_made AS (TABLE events UNION ALL TABLE notes UNION ALL TABLE times UNION ALL TABLE hashes
		UNION ALL SELECT 7, id FROM parents UNION ALL SELECT 8, unnest(parents) FROM parents)
SELECT meta, id FROM all_made WHERE sno_meta(id) IS DISTINCT FROM meta
UNION ALL SELECT count(*), NULL FROM all_made HAVING count(*) <> 7
UNION ALL SELECT 9, NULL WHERE is_recent() IS NOT TRUE
EOF
}

1;
