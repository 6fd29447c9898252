# Every kind of table takes rows by every kind of statement, through the
# coordinator and through a worker, and each row gets an id of its own.  The ids
# are made by the node that has the statement; but where it reads a distributed
# table, and in a procedure that is delegated, the workers make them.

use strict;
use warnings FATAL => 'all';

use Test::More;

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

my ($coordinator, @workers) = new_cluster();
my $columns = 'id sno PRIMARY KEY DEFAULT sno_generate(3), tenant int, n int';
my @tables = qw(by_id by_tenant reference citus_local local schema_based.event partitioned columnar);

$coordinator->safe_psql('postgres', <<"EOF");
CREATE TABLE by_id ($columns);
SELECT create_distributed_table('by_id', 'id');
CREATE TABLE by_tenant (id sno DEFAULT sno_generate(3), tenant int, n int, PRIMARY KEY (tenant, id));
SELECT create_distributed_table('by_tenant', 'tenant');
CREATE TABLE reference ($columns);
SELECT create_reference_table('reference');
CREATE TABLE citus_local ($columns);
SELECT citus_add_local_table_to_metadata('citus_local');
CREATE TABLE local ($columns);
SET citus.enable_schema_based_sharding = on;
CREATE SCHEMA schema_based;
CREATE TABLE schema_based.event ($columns);
RESET citus.enable_schema_based_sharding;
CREATE TABLE partitioned ($columns) PARTITION BY RANGE (id);
SELECT create_distributed_table('partitioned', 'id');
SELECT sno_create_partitions('partitioned', now(), now() + interval '1 day', '1 day');
CREATE EXTENSION citus_columnar;
CREATE TABLE columnar ($columns) USING columnar;
SELECT create_distributed_table('columnar', 'id');

-- To be read: their rows are where those of the tables above are that are
-- distributed by the same
CREATE TABLE ids (id sno, tenant int);
SELECT create_distributed_table('ids', 'id');
CREATE TABLE tenants (id sno, tenant int);
SELECT create_distributed_table('tenants', 'tenant');

CREATE PROCEDURE delegated(tenant int, n int) LANGUAGE plpgsql AS 'BEGIN INSERT INTO by_tenant VALUES (DEFAULT, tenant, n); END';
SELECT create_distributed_function('delegated(int, int)', 'tenant', 'by_tenant');
CREATE TABLE noted (n int);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO by_id (tenant, n) VALUES (1, NEW.n); RETURN NEW; END';
CREATE TRIGGER note BEFORE INSERT ON noted FOR EACH ROW EXECUTE FUNCTION note();
EOF

# What it is, how many rows, who makes their ids, the statement: N marks its rows
my @inserts = (
	[ 'default', 1, 'here', 'INSERT INTO TABLE (tenant, n) VALUES (1, N)' ],
	[ 'VALUES (DEFAULT)', 1, 'here', 'INSERT INTO TABLE VALUES (DEFAULT, 1, N)' ],
	[ 'written out', 1, 'here', 'INSERT INTO TABLE VALUES (sno_generate(3), 1, N)' ],
	[ 'several rows', 3, 'here', 'INSERT INTO TABLE (tenant, n) VALUES (1, N), (2, N), (3, N)' ],
	[ 'prepared', 7, 'here',
		'PREPARE one AS INSERT INTO TABLE (tenant, n) VALUES ($1, N);'
		  . join(';', map { "EXECUTE one ($_)" } 1 .. 7) . '; DEALLOCATE one' ],
	[ 'prepared, metabyte given', 7, 'here',
		'PREPARE one AS INSERT INTO TABLE VALUES (sno_generate($2), $1, N);'
		  . join(';', map { "EXECUTE one ($_, 3)" } 1 .. 7) . '; DEALLOCATE one' ],
	[ 'PL/pgSQL', 7, 'here',
		'DO $$ BEGIN FOR i IN 1 .. 7 LOOP INSERT INTO TABLE (tenant, n) VALUES (i, N); END LOOP; END $$' ],
	[ 'INSERT ... SELECT', 5, 'here', 'INSERT INTO TABLE (tenant, n) SELECT i, N FROM generate_series(1, 5) i' ],
	[ 'sno_generate_many', 5, 'here', 'INSERT INTO TABLE SELECT sno_generate_many(5, 3), 1, N' ],
	[ 'INSERT ... SELECT of ids', 40, 'here',
		'TRUNCATE SOURCE; INSERT INTO SOURCE SELECT sno_generate(3), i FROM generate_series(1, 40) i;'
		  . 'INSERT INTO TABLE SELECT id, tenant, N FROM SOURCE' ],
	[ 'INSERT ... SELECT of rows', 40, 'workers', 'INSERT INTO TABLE (tenant, n) SELECT tenant, N FROM SOURCE' ],
	map {
		[ "COPY $_", 5, 'here',
			"COPY (SELECT i, N FROM generate_series(1, 5) i) TO FILE (FORMAT $_); COPY TABLE (tenant, n) FROM FILE (FORMAT $_)" ],
		[ "COPY $_ with ids", 5, 'here',
			"COPY (SELECT sno_generate(3), i, N FROM generate_series(1, 5) i) TO FILE (FORMAT $_); COPY TABLE FROM FILE (FORMAT $_)" ]
	} qw(text binary));
# Columnar tables have none of this, with any key
my @conflicts = (
	[ 'ON CONFLICT DO NOTHING', 1, 'here', 'INSERT INTO TABLE (tenant, n) VALUES (1, N) ON CONFLICT DO NOTHING' ],
	[ 'ON CONFLICT DO UPDATE', 1, 'here',
		'INSERT INTO TABLE (tenant, n) VALUES (1, N) ON CONFLICT (KEY) DO UPDATE SET n = 0' ]);
# What COPY's own form of the default must not get into
my @beside = (
	[ 'COPY of a query', 1, 'here', 'COPY (INSERT INTO by_id (tenant, n) VALUES (1, N) RETURNING id) TO FILE' ],
	[ 'trigger of a COPY', 5, 'here', 'COPY (SELECT N FROM generate_series(1, 5)) TO FILE; COPY noted FROM FILE' ],
	[ 'COPY in PL/pgSQL', 5, 'here',
		"COPY (SELECT 1, N FROM generate_series(1, 5)) TO FILE; DO \$\$ BEGIN EXECUTE 'COPY by_id (tenant, n) FROM ' || quote_literal(FILE); END \$\$" ]);
my @delegated = ([ 'delegated procedure', 7, 'workers', join(';', map { "CALL delegated($_, N)" } 1 .. 7) ]);

note($coordinator->safe_psql('postgres', 'SELECT version(), citus_version()'));

my $number = 0;
my $files = PostgreSQL::Test::Utils::tempdir();

# inserts(NODE, TABLE, INSERT, ...)
sub inserts
{
	my ($node, $table, @inserts) = @_;
	my %made_by = (here => partitions($node), workers => partitions(@workers));
	my $first = $number + 1;
	my $sql = '';
	my (%names, %expected, %found);

	foreach my $insert (@inserts)
	{
		my ($name, $rows, $maker, $statement) = @$insert;
		my %words = (TABLE => $table, N => ++$number, FILE => "'$files/$number'",
			$table eq 'by_tenant' ? (KEY => 'tenant, id', SOURCE => 'tenants') : (KEY => 'id', SOURCE => 'ids'));

		$statement =~ s/\b(TABLE|N|KEY|SOURCE|FILE)\b/$words{$1}/g;
		$sql .= "$statement;\n";
		$names{$number} = $name;
		$expected{$name} = "$rows rows, $rows ids, metabyte 3, partition $made_by{$maker}";
	}
	my ($code, $output, $errors) = $node->psql('postgres', <<"EOF", on_error_stop => 0);
$sql
INSERT INTO $table (tenant) VALUES (1) RETURNING id AS given \\gset
SELECT count(*) FROM $table WHERE id = :'given';
EOF
	foreach (split /\n/, $node->safe_psql('postgres', <<"EOF"))
SELECT n, format('%s rows, %s ids, metabyte %s, partition %s', count(*), count(DISTINCT id),
	string_agg(DISTINCT sno_meta(id)::text, ' '),
	string_agg(DISTINCT sno_partition(id)::text, ' ' ORDER BY sno_partition(id)::text))
FROM $table WHERE n >= $first GROUP BY n
EOF
	{
		my ($n, $result) = split /\|/;

		$found{ $names{$n} } = $result;
	}
	is_deeply([ \%found, $output, $errors ], [ \%expected, 1, '' ],
		"$table takes rows through ${\$node->name}, and says their ids");
	return;
}

# partitions(NODE, ...): those that their ids have, as one string
sub partitions
{
	return join(' ', sort map { $_->safe_psql('postgres', 'SELECT partition FROM sno_stat') } @_);
}

foreach my $table (@tables)
{
	my @nodes = $table eq 'local' ? ($coordinator) : ($coordinator, $workers[0]);
	my %more = (by_id => \@beside, by_tenant => \@delegated);
	inserts($_, $table, @inserts, $table eq 'columnar' ? () : @conflicts, $_ == $coordinator ? @{ $more{$table} // [] } : ())
	  foreach @nodes;
}
is_error($coordinator, 'postgres', 'INSERT INTO columnar (n) VALUES (1) ON CONFLICT DO NOTHING',
	'XX000', qr/columnar_tuple_insert_speculative not implemented/, 'columnar tables have no ON CONFLICT');

# What the list above calls so
sub method
{
	my ($sql) = @_;

	return $coordinator->safe_psql('postgres', "EXPLAIN (COSTS OFF) $sql") =~ /INSERT\/SELECT method: (.*)/ ? $1 : 'pushdown';
}
is_deeply(
	[ map { method($_) } 'INSERT INTO by_id (tenant) SELECT i FROM generate_series(1, 5) i',
		'INSERT INTO by_id (tenant) SELECT tenant FROM ids', 'INSERT INTO by_id SELECT id, tenant FROM ids' ],
	[ 'pull to coordinator', 'repartition', 'pushdown' ],
	'INSERT ... SELECT is done by each method');

done_testing();
