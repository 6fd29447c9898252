# dump.pl
#	What has a sno in it survives pg_dump, by psql and by pg_restore, and COPY,
#	wherever the extension lives.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Utils;

my $server = new_server('dump');

# A database's dump as text, without the lines that differ each time
sub dump_text
{
	my ($database) = @_;
	my $file = ids_file("$database.sql");

	command_ok(
		[ 'pg_dump', '-d', $server->connstr($database), '-f', $file ],
		"$database can be dumped");
	return join('', grep { !/^\\(un)?restrict / } map { "$_\n" } split /\n/, slurp_file($file));
}

my $objects = <<'EOF';
CREATE TABLE plain (id sno PRIMARY KEY DEFAULT sno_generate(3), at timestamptz
	GENERATED ALWAYS AS (sno_timestamp(id)) STORED, n int,
	CHECK (id >= '2222222222222222' AND sno_meta(id) = 3));
INSERT INTO plain (n) SELECT generate_series(1, 1000);
CREATE INDEX ON plain USING hash (id);
CREATE INDEX ON plain USING brin (id);
CREATE INDEX ON plain (sno_meta(id), id DESC) WHERE id < 'xxxxxxxxxxxxxxxx';
CREATE TABLE ranges (id sno DEFAULT sno_generate(), n int) PARTITION BY RANGE (id);
CREATE TABLE ranges_past PARTITION OF ranges FOR VALUES FROM (MINVALUE) TO ('4222222222222222');
CREATE TABLE ranges_present PARTITION OF ranges FOR VALUES FROM ('4222222222222222') TO (MAXVALUE);
INSERT INTO ranges (n) SELECT generate_series(1, 100);
INSERT INTO ranges VALUES (sno_make('2010-01-01 00:00:00.004+00'), 101), ('2222222222222222', 102);
CREATE TABLE hashes (id sno NOT NULL) PARTITION BY HASH (id);
CREATE TABLE hashes_0 PARTITION OF hashes FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashes_1 PARTITION OF hashes FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO hashes SELECT sno_generate_many(100);
CREATE DOMAIN order_id AS sno DEFAULT sno_generate(7) CHECK (sno_meta(VALUE) = 7);
CREATE TABLE orders (id order_id, parents sno[] DEFAULT sno_generate_array(2), nothing sno);
INSERT INTO orders DEFAULT VALUES;
INSERT INTO orders VALUES (DEFAULT, '{}', NULL), (DEFAULT, '{NULL, xxxxxxxxxxxxxxxx}', '2222222222222222');
CREATE MATERIALIZED VIEW newest AS SELECT max(id) AS id FROM plain;
CREATE VIEW inspected AS SELECT n, (sno_inspect(id)).* FROM plain;
CREATE FUNCTION is_recent(id sno DEFAULT sno_generate()) RETURNS boolean
	LANGUAGE sql RETURN id > sno_lower_bound('2020-01-01');
EOF

# What to compare besides the dumps, as a new dump only says what was restored
my $contents = <<'EOF';
SELECT 'plain', count(*), md5(string_agg(id::text || at, ',' ORDER BY id)) FROM plain;
SELECT tableoid::regclass, count(*), min(id), max(id) FROM ranges GROUP BY 1 ORDER BY 1;
SELECT tableoid::regclass, count(*), min(id), max(id) FROM hashes GROUP BY 1 ORDER BY 1;
SELECT 'orders', array_agg(o ORDER BY id) FROM orders AS o;
SELECT 'newest', id FROM newest;
SELECT 'inspected', md5(string_agg(i::text, ',' ORDER BY n)) FROM inspected AS i;
EOF

foreach my $schema ('public', 'ids')
{
	my $source = "source_$schema";
	my $path = "public, $schema";
	my ($dump, $before);

	$server->safe_psql('postgres', "CREATE DATABASE $source");
	$server->safe_psql('postgres', "ALTER DATABASE $source SET search_path = $path");
	$server->safe_psql($source, "CREATE SCHEMA IF NOT EXISTS $schema");
	$server->safe_psql($source, "CREATE EXTENSION sno SCHEMA $schema");
	$server->safe_psql($source, $objects);
	$dump = dump_text($source);
	$before = $server->safe_psql($source, $contents);
	like($before, qr/^plain\|1000\|.*^ranges_past\|2\|.*^ranges_present\|100\|.*^inspected\|/ms,
		"$schema: there is something to compare");

	foreach my $way ('psql', 'pg_restore')
	{
		my $target = "${way}_$schema";
		my $connection = $server->connstr($target);
		my $archive = ids_file("$source.dump");

		$server->safe_psql('postgres', "CREATE DATABASE $target");
		$server->safe_psql('postgres', "ALTER DATABASE $target SET search_path = $path");
		if ($way eq 'psql')
		{
			command_ok(
				[ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $connection,
					'-f', ids_file("$source.sql") ],
				"$schema: psql restores it");
		}
		else
		{
			command_ok([ 'pg_dump', '-Fc', '-d', $server->connstr($source), '-f', $archive ],
				"$schema: it can be archived");
			command_ok([ 'pg_restore', '-e', '-j', 2, '-d', $connection, $archive ],
				"$schema: pg_restore restores it");
		}
		ok(dump_text($target) eq $dump, "$schema, $way: the copy's dump is the same");
		is($server->safe_psql($target, $contents), $before,
			"$schema, $way: what is in the tables, too");
		is($server->safe_psql($target, <<'EOF'), 't|t|t',
WITH made AS (INSERT INTO plain (n) VALUES (0) RETURNING id)
SELECT id > (SELECT max(id) FROM plain), sno_meta(id) = 3, is_recent(id) FROM made
EOF
			"$schema, $way: defaults make new ids in the copy");
	}
}

# COPY to a file and back
foreach my $format ('text', 'csv', 'binary')
{
	my $file = ids_file("copy_$format");

	$server->safe_psql('source_public', <<"EOF");
COPY plain (id, n) TO '$file' (FORMAT $format);
COPY orders TO '$file.orders' (FORMAT $format);
CREATE TABLE plain_$format (LIKE plain INCLUDING ALL);
CREATE TABLE orders_$format (LIKE orders);
COPY plain_$format (id, n) FROM '$file' (FORMAT $format);
COPY orders_$format FROM '$file.orders' (FORMAT $format);
EOF
	foreach my $table ('plain', 'orders')
	{
		is($server->safe_psql('source_public', <<"EOF"), '0|0',
SELECT (SELECT count(*) FROM (TABLE $table EXCEPT ALL TABLE ${table}_$format) AS t),
	(SELECT count(*) FROM (TABLE ${table}_$format EXCEPT ALL TABLE $table) AS t)
EOF
			"COPY brings $table back as $format");
	}
}

done_testing();
