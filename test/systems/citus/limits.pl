# What Citus cannot do with a sno, and mostly with no type, and what doc/citus.md
# says to write instead.  A limit that is gone is to be taken out of the page.

use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoCitus;
use SnoTest;

my ($coordinator, @workers) = new_cluster('timezone' => 'UTC');

$coordinator->safe_psql('postgres', <<'EOF');
CREATE TABLE event (id sno DEFAULT sno_generate(3), tenant int, n int, PRIMARY KEY (tenant, id));
CREATE INDEX ON event (id);
SELECT create_distributed_table('event', 'tenant');
INSERT INTO event SELECT sno_make('2026-01-01 00:00+00'::timestamptz + i * interval '1 hour'), i % 3, i FROM generate_series(0, 47) i;
CREATE TABLE kind (n int PRIMARY KEY);
SELECT create_reference_table('kind');
INSERT INTO kind SELECT generate_series(1, 3);
CREATE TABLE visit (id sno PRIMARY KEY) PARTITION BY RANGE (id);
SELECT create_distributed_table('visit', 'id');
CREATE ROLE guest;
EOF

sub answer { return $coordinator->safe_psql('postgres', $_[0]) }

# limit(NAME, SQL, SQLSTATE, PATTERN, INSTEAD): an error, and a statement that is none
sub limit
{
	my ($name, $sql, $sqlstate, $pattern, $instead) = @_;

	is_error($coordinator, 'postgres', $sql, $sqlstate, $pattern, $name);
	is(error_of($coordinator, 'postgres', $instead), '', "$name: the other way works") if $instead;
	return;
}

# differs(NAME, RIGHT, SQL, INSTEAD): another answer than on one server, which INSTEAD gives
sub differs
{
	my ($name, $right, $sql, $instead) = @_;

	isnt(answer($sql), $right, $name);
	is(answer($instead), $right, "$name: the other way is right");
	return;
}

unlike(answer('EXPLAIN SELECT min(id), max(id) FROM event'), qr/Index/, 'min and max read every shard');
like(answer('SET enable_seqscan = off; EXPLAIN SELECT id FROM event ORDER BY id LIMIT 1'), qr/Index Only Scan/,
	'the first of each in order does not');
limit('row comparison', "SELECT FROM event WHERE (id, tenant) > ('9d5ve82222222222', 1)", '42883',
	qr/operator does not exist/, "SELECT FROM event WHERE id > '9d5ve82222222222' OR id = '9d5ve82222222222' AND tenant > 1");
differs('a date is midnight where the workers are', 33, "SET timezone = 'Asia/Tokyo'; SELECT count(*) FROM event WHERE id >= date '2026-01-02'",
	"SET timezone = 'Asia/Tokyo'; SELECT count(*) FROM event WHERE id >= timestamptz '2026-01-02'");
differs('so is the day of a time', 9, "SET timezone = 'Asia/Tokyo'; SELECT count(*) FROM event WHERE id::timestamptz::date = '2026-01-03'",
	"SELECT count(*) FROM event WHERE (id::timestamptz AT TIME ZONE 'Asia/Tokyo')::date = '2026-01-03'");
limit('an id for each row that is changed', 'UPDATE event SET id = sno_generate() WHERE tenant = 1', '0A000', qr/must not be VOLATILE/,
	'UPDATE event SET n = sno_meta(i) FROM (SELECT n AS of, sno_generate(5) AS i FROM event OFFSET 0) given WHERE of = n');
limit('a key without the distribution column',
	"CREATE TABLE other (id sno PRIMARY KEY, tenant int); SELECT create_distributed_table('other', 'tenant')", '0A000',
	qr/that do not include the partition column/);
limit('partitions by create_time_partitions', "SELECT create_time_partitions('visit', '1 day', now() + interval '1 day')", 'P0001', qr/must be date, timestamp or timestamptz/,
	"SELECT FROM sno_create_partitions('visit', now(), now() + interval '1 day', '1 day')");

# The default is evaluated on each node for its copy of the table
my $same = q{SELECT count(DISTINCT result) FROM run_command_on_all_nodes('SELECT string_agg(id::text, '' '' ORDER BY n) FROM kind')};
differs('an added column of a reference table', 1, "ALTER TABLE kind ADD COLUMN id sno DEFAULT sno_generate(); $same",
	"ALTER TABLE kind DROP COLUMN id; ALTER TABLE kind ADD COLUMN id sno; ALTER TABLE kind ALTER COLUMN id SET DEFAULT sno_generate();"
	. 'DO $$ DECLARE i int; given sno; BEGIN FOR i IN SELECT n FROM kind LOOP given := sno_generate(); UPDATE kind SET id = given WHERE n = i; END LOOP; END $$;'
	. $same);

my $may = q{SELECT count(*) FROM run_command_on_all_nodes('SELECT has_function_privilege(''guest'', ''sno_reset()'', ''EXECUTE'')') WHERE result = 't'};
differs('a privilege on a function', 3, "GRANT EXECUTE ON FUNCTION sno_reset() TO guest; $may",
	"DO \$\$ BEGIN PERFORM run_command_on_all_nodes('GRANT EXECUTE ON FUNCTION sno_reset() TO guest'); END \$\$; $may");

# The extension in a schema of its own, with the same ids
limit('the extension, with a table that is distributed by an id', 'DROP EXTENSION sno CASCADE', 'XX000', qr/cache lookup failed for type/,
	'DROP TABLE visit; DROP EXTENSION sno CASCADE; DROP TABLE event');
answer('CREATE SCHEMA ids; CREATE EXTENSION sno SCHEMA ids');
answer('SET search_path = public, ids; CREATE TABLE event (id sno, tenant int, n int)');
answer("SELECT create_distributed_table('event', 'tenant')");
answer(q{SET search_path = public, ids; INSERT INTO event SELECT sno_make('2026-01-01 00:00+00'::timestamptz + i * interval '1 hour'), i % 3, i FROM generate_series(0, 47) i});
limit('a schema that is not in the search path of the workers',
	"SET search_path = public, ids; SELECT count(*) FROM event WHERE id IS DISTINCT FROM '9d5ve82222222222'", '42883', qr/operator does not exist/);
answer("ALTER DATABASE postgres SET search_path = public, ids; ALTER DATABASE postgres SET timezone = 'Asia/Tokyo'");
is(answer("SELECT count(*) FROM event WHERE id IS DISTINCT FROM '9d5ve82222222222'"), 47, 'the path of the database is that of the workers');

is(answer("SELECT count(*) FROM event WHERE id >= date '2026-01-02'"), 33, 'so is its time zone');

done_testing();
