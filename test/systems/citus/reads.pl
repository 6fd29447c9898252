# What is read from a distributed table, or changed in it, is what is read from a
# plain table with the same rows, with either protocol between the nodes; an id
# goes to one shard, and a range of time to an index.

use strict;
use warnings FATAL => 'all';

use Test::More;

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

my ($coordinator, @workers) = new_cluster();

$coordinator->safe_psql('postgres', <<'EOF');
CREATE TABLE event_local (id sno PRIMARY KEY, tenant int, n int);
CREATE TABLE detail_local (event sno, tenant int, amount int);
INSERT INTO event_local SELECT sno_make('2026-01-01 00:00+00'::timestamptz + i * interval '2 minutes', i % 5, 0, i), i % 20, i
FROM generate_series(0, 5999) i;
INSERT INTO detail_local SELECT id, tenant, n % 7 FROM event_local, generate_series(1, n % 3);

CREATE TABLE event_by_id (LIKE event_local INCLUDING ALL);
CREATE TABLE detail_by_id (LIKE detail_local);
SELECT create_distributed_table('event_by_id', 'id'), create_distributed_table('detail_by_id', 'event');
CREATE TABLE event_by_tenant (LIKE event_local, PRIMARY KEY (tenant, id));
CREATE TABLE detail_by_tenant (LIKE detail_local);
CREATE INDEX ON event_by_tenant (id);
SELECT create_distributed_table('event_by_tenant', 'tenant'), create_distributed_table('detail_by_tenant', 'tenant');
CREATE TABLE event_partitioned (id sno PRIMARY KEY, tenant int, n int) PARTITION BY RANGE (id);
CREATE TABLE detail_partitioned (LIKE detail_local);
SELECT create_distributed_table('event_partitioned', 'id'), create_distributed_table('detail_partitioned', 'event');
SELECT sno_create_partitions('event_partitioned', '2026-01-01 00:00+00', '2026-01-10 00:00+00', '1 day');
CREATE EXTENSION citus_columnar;
CREATE TABLE event_columnar (LIKE event_local) USING columnar;
CREATE TABLE detail_columnar (LIKE detail_local) USING columnar;
SELECT create_distributed_table('event_columnar', 'id'), create_distributed_table('detail_columnar', 'event');
CREATE TABLE kind (meta int PRIMARY KEY, name text);
INSERT INTO kind VALUES (0, 'zero'), (1, 'one'), (2, 'two');
SELECT create_reference_table('kind');
EOF
foreach my $kind (qw(by_id by_tenant partitioned columnar))
{
	$coordinator->safe_psql('postgres', <<"EOF");
INSERT INTO event_$kind SELECT * FROM event_local;
INSERT INTO detail_$kind SELECT * FROM detail_local;
ANALYZE event_$kind, detail_$kind;
EOF
}
my @ids = split /\n/, $coordinator->safe_psql('postgres', 'SELECT id FROM event_local WHERE n % 1000 = 7 ORDER BY id');

# EVENT and DETAIL are the tables, DAY2 and DAY3 instants, ID0 to ID4 ids in the
# first.
my @reads = split /\n/, <<'EOF';
SELECT * FROM EVENT WHERE id = ID0;
SELECT * FROM EVENT WHERE id = ANY (ARRAY[ID0, ID1, ID2]::sno[]) ORDER BY id;
SELECT * FROM EVENT WHERE id = ID0 OR id = ID4 ORDER BY id;
SELECT count(*), min(n), max(n) FROM EVENT WHERE id >= DAY2 AND id < DAY3;
SELECT count(*) FROM EVENT WHERE DAY2 > id;
SELECT count(*) FROM EVENT WHERE id <@ tstzrange(DAY2, DAY3);
SELECT count(*) FROM EVENT WHERE tstzrange(DAY2, DAY3, '(]') @> id;
SELECT count(*) FROM EVENT WHERE id ^@ left(ID1::text, 6);
SELECT count(*) FROM EVENT WHERE id < now();
SELECT count(*) FROM EVENT WHERE id <@ tstzrange(now() - interval '10 years', now());
SELECT count(*) FROM EVENT WHERE id > sno_lower_bound(DAY2) AND id <= sno_upper_bound(DAY3);
SELECT count(*) FROM EVENT WHERE sno_timestamp(id) >= DAY2 AND sno_meta(id) = 3;
SELECT count(*) FROM EVENT WHERE id IS DISTINCT FROM ID0;
SELECT count(sno_generate(3)) FROM EVENT WHERE tenant = 1;
SELECT (id::timestamptz AT TIME ZONE 'America/New_York')::date AS day, count(*) FROM EVENT GROUP BY 1 ORDER BY 1;
SELECT date_trunc('hour', id::timestamptz) AS hour, sum(n) FROM EVENT GROUP BY hour ORDER BY hour;
SELECT tenant, count(DISTINCT id) FROM EVENT GROUP BY tenant HAVING count(*) > 2 ORDER BY tenant;
SELECT id, count(*) FROM DETAIL JOIN EVENT ON event = id AND DETAIL.tenant = EVENT.tenant GROUP BY id ORDER BY id LIMIT 5;
SELECT tenant, min(id), max(id) FROM EVENT WHERE id >= DAY2 GROUP BY tenant ORDER BY tenant;
SELECT count(id), count(DISTINCT id) FROM EVENT;
SELECT array_agg(id ORDER BY id) FROM EVENT WHERE id < timestamptz '2026-01-01 00:20+00';
SELECT md5(string_agg(id::bytea, '' ORDER BY id)), md5(string_agg(id::uuid::text, '' ORDER BY id)) FROM EVENT;
SELECT (sno_inspect(id)).* FROM EVENT WHERE id = ID2;
SELECT * FROM EVENT WHERE id > ID2 ORDER BY id LIMIT 5;
SELECT DISTINCT ON (tenant) tenant, id FROM EVENT ORDER BY tenant, id DESC;
SELECT n, count(*) OVER (ORDER BY id RANGE BETWEEN interval '10 minutes' PRECEDING AND CURRENT ROW) FROM EVENT WHERE id < DAY2 ORDER BY n;
SELECT count(*), sum(amount) FROM EVENT e JOIN DETAIL d ON d.event = e.id AND d.tenant = e.tenant WHERE e.id >= DAY2;
SELECT count(*) FROM EVENT e WHERE EXISTS (SELECT FROM DETAIL d WHERE d.event = e.id AND d.tenant = e.tenant AND amount > 3);
SELECT count(*) FROM EVENT WHERE id IN (SELECT event FROM DETAIL WHERE amount = 2);
SELECT name, count(*) FROM EVENT JOIN kind ON meta = sno_meta(id) WHERE id < DAY3 GROUP BY name ORDER BY name;
SELECT count(*) FROM EVENT a JOIN EVENT b ON a.id = b.id AND a.tenant = b.tenant WHERE b.id < DAY2;
WITH day AS MATERIALIZED (SELECT id FROM EVENT WHERE id < DAY2) SELECT count(*) FROM EVENT JOIN day USING (id);
SELECT id FROM EVENT WHERE n < 5 UNION SELECT id FROM EVENT WHERE n BETWEEN 3 AND 7 ORDER BY id;
BEGIN; DECLARE c CURSOR FOR SELECT id FROM EVENT WHERE id < DAY2 ORDER BY id; FETCH 3 FROM c; FETCH 2 FROM c; COMMIT;
SELECT n FROM EVENT WHERE id = (SELECT event FROM DETAIL WHERE amount = 5 ORDER BY event LIMIT 1);
EOF
# Prepared, of this type, and executed with both in turn, more often than it takes
# for a plan for any value to be considered
my @prepared = (
	[ 'sno', 'SELECT n FROM EVENT WHERE id = $1', 'ID0', 'ID1' ],
	[ 'sno[]', 'SELECT n FROM EVENT WHERE id = ANY ($1) ORDER BY n', 'ARRAY[ID0, ID1]::sno[]', 'ARRAY[ID2]::sno[]' ],
	[ 'timestamptz', q{SELECT count(*) FROM EVENT WHERE id >= $1 AND id < $1 + interval '5 hours'}, 'DAY2', 'DAY3' ],
	[ 'tstzrange', 'SELECT count(*) FROM EVENT WHERE id <@ $1', 'tstzrange(DAY2, DAY3)', 'tstzrange(DAY3, NULL)' ],
	[ 'text', 'SELECT count(*) FROM EVENT WHERE id ^@ $1', 'left(ID1, 6)', 'left(ID2, 7)' ],
	[ 'int', 'SELECT count(*) FROM EVENT WHERE tenant = $1 AND id >= DAY2', 3, 4 ]);
foreach my $statement (@prepared)
{
	my ($type, $query, @values) = @$statement;

	push @reads, "PREPARE q ($type) AS $query; " . join('; ', map { "EXECUTE q ($_)" } (@values) x 4) . '; DEALLOCATE q;';
}
my @changes = split /\n/, <<'EOF';
UPDATE EVENT SET n = -1 WHERE id >= DAY2 AND id < DAY3;
UPDATE EVENT SET n = -2 WHERE id = ID0;
UPDATE EVENT SET n = -3 WHERE id <@ tstzrange(DAY2, DAY3) AND tenant = 4;
DELETE FROM EVENT WHERE id < DAY2;
DELETE FROM EVENT WHERE id ^@ left(ID1, 6);
DELETE FROM EVENT WHERE id = ANY (ARRAY[ID0, ID1]::sno[]);
EOF
my %words = (
	DAY2 => q{timestamptz '2026-01-02 00:00+00'},
	DAY3 => q{timestamptz '2026-01-03 00:00+00'},
	map { ("ID$_" => "'$ids[$_]'") } 0 .. $#ids);

sub of_kind
{
	my ($kind, $sql) = @_;

	$sql =~ s/\b(EVENT|DETAIL)\b/\L$1\E_$kind/g;
	$sql =~ s/\b(DAY\d|ID\d)\b/$words{$1}/g;
	return $sql;
}

# answers(KIND, PROTOCOL, STATEMENT, ...): what each prints, and all errors; a change
# prints what it left, and is undone
sub answers
{
	my ($kind, $protocol, @statements) = @_;
	my $file = PostgreSQL::Test::Utils::tempdir() . '/answers';
	my $left = of_kind($kind, 'SELECT count(*), sum(n), md5(string_agg(id::text, n::text ORDER BY id)) FROM EVENT');
	my @sql = map { of_kind($kind, /^(UPDATE|DELETE)/ ? "BEGIN; $_ $left; ROLLBACK;" : $_) } @statements;

	$coordinator->psql('postgres',
		join("\n\\qecho next\n",
			"\\o $file\nSET TimeZone = 'America/New_York'; SET citus.enable_repartition_joins = on; SET citus.enable_binary_protocol = $protocol;",
			@sql),
		stderr => \my $errors, on_error_stop => 0);
	my (undef, @answers) = split /^next\n/m, slurp_file($file), -1;
	return (\@answers, $errors);
}

my ($expected, $errors) = answers('local', 'on', @reads, @changes);
is($errors, '', 'a plain table is read');
is(scalar(grep { $_ eq '' } @$expected), 0, 'every statement prints something');
foreach my $kind (qw(by_id by_tenant partitioned columnar))
{
	my @statements = (@reads, $kind eq 'columnar' ? () : @changes);

	foreach my $protocol (qw(on off))
	{
		my ($found, $errors) = answers($kind, $protocol, @statements);
		my @other = grep { ($found->[$_] // '') ne $expected->[$_] } 0 .. $#statements;

		is("$errors@other", '', "$kind is read as a plain table, binary protocol $protocol")
		  || diag(map { "$statements[$_]\n$expected->[$_]\n$found->[$_]\n" } @other);
	}
}

sub plan_of
{
	my ($sql) = @_;

	return $coordinator->safe_psql('postgres', of_kind('by_id', "SET citus.explain_all_tasks = on; EXPLAIN (COSTS OFF) $sql"));
}
like(plan_of('SELECT * FROM EVENT WHERE id = ID0'), qr/Task Count: 1\n.*Index Scan using event_by_id_pkey/s, 'an id goes to one shard, and its index');
like(plan_of('SELECT * FROM EVENT WHERE id = ANY (ARRAY[ID0, ID1]::sno[])'), qr/Task Count: [12]\n/, 'two ids go to two shards');
foreach my $condition ('id >= DAY2 AND id < timestamptz \'2026-01-02 01:00+00\'', 'id <@ tstzrange(DAY2, timestamptz \'2026-01-02 01:00+00\')',
	'id ^@ left(ID1, 7)', 'id > now()')
{
	my $plan = plan_of("SELECT * FROM EVENT WHERE $condition");
	my $indexed = () = $plan =~ /Index (?:Only )?Scan (?:using|on) event_by_id_pkey/g;

	is($indexed, 8, "$condition: by the index of each shard") || diag($plan);
}

done_testing();
