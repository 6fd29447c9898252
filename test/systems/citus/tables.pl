# Tables of Citus take rows by every kind of statement, through the coordinator and
# through a worker, and each row gets an id of its own.  The ids are made by the node
# that has the statement; but where it reads a distributed table, and in a procedure
# that is delegated, the workers make them.  Conditions of time, which Citus passes on
# as sno has rewritten them, find the rows that they find in a plain table.

use strict;
use warnings FATAL => 'all';

use Test::More;

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

my ($coordinator, @workers) = new_cluster();
my $columns = 'id sno PRIMARY KEY DEFAULT sno_generate(3), tenant int, n int';
my @tables = qw(by_id by_tenant partitioned);

note(query($coordinator, 'SELECT version(), citus_version()'));
query($coordinator, <<"EOF");
CREATE TABLE by_id ($columns);
SELECT create_distributed_table('by_id', 'id');
CREATE TABLE by_tenant (id sno DEFAULT sno_generate(3), tenant int, n int, PRIMARY KEY (tenant, id));
SELECT create_distributed_table('by_tenant', 'tenant');
CREATE TABLE partitioned ($columns) PARTITION BY RANGE (id);
SELECT create_distributed_table('partitioned', 'id');
SELECT sno_create_partitions('partitioned', now(), now() + interval '1 day', '1 day');

-- To be read: their rows are where those of the tables above are that are
-- distributed by the same
CREATE TABLE ids (id sno, tenant int);
SELECT create_distributed_table('ids', 'id');
CREATE TABLE tenants (id sno, tenant int);
SELECT create_distributed_table('tenants', 'tenant');

CREATE PROCEDURE delegated(tenant int, n int) LANGUAGE plpgsql
	AS 'BEGIN INSERT INTO by_tenant VALUES (DEFAULT, tenant, n); END';
SELECT create_distributed_function('delegated(int, int)', 'tenant', 'by_tenant');
CREATE TABLE noted (n int);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
	AS 'BEGIN INSERT INTO by_id (tenant, n) VALUES (1, NEW.n); RETURN NEW; END';
CREATE TRIGGER note BEFORE INSERT ON noted FOR EACH ROW EXECUTE FUNCTION note();
EOF

# What it is, how many rows, who makes their ids, the statement: N marks its rows
my @inserts = (
	[ 'default', 1, 'here', 'INSERT INTO TABLE (tenant, n) VALUES (1, N)' ],
	[ 'several rows', 3, 'here', 'INSERT INTO TABLE (tenant, n) VALUES (1, N), (2, N), (3, N)' ],
	[ 'prepared', 7, 'here',
		'PREPARE one AS INSERT INTO TABLE (tenant, n) VALUES ($1, N);'
		  . join(';', map { "EXECUTE one ($_)" } 1 .. 7) . '; DEALLOCATE one' ],
	[ 'INSERT ... SELECT', 5, 'here', 'INSERT INTO TABLE (tenant, n) SELECT i, N FROM generate_series(1, 5) i' ],
	[ 'INSERT ... SELECT of ids', 40, 'here',
		'TRUNCATE SOURCE; INSERT INTO SOURCE SELECT sno_generate(3), i FROM generate_series(1, 40) i;'
		  . 'INSERT INTO TABLE SELECT id, tenant, N FROM SOURCE' ],
	[ 'INSERT ... SELECT of rows', 40, 'workers', 'INSERT INTO TABLE (tenant, n) SELECT tenant, N FROM SOURCE' ],
	[ 'COPY', 5, 'here', 'COPY (SELECT i, N FROM generate_series(1, 5) i) TO FILE; COPY TABLE (tenant, n) FROM FILE' ],
	[ 'binary COPY with ids', 5, 'here',
		'COPY (SELECT sno_generate(3), i, N FROM generate_series(1, 5) i) TO FILE (FORMAT binary);
		COPY TABLE FROM FILE (FORMAT binary)' ]);
my %more = (
	# What COPY's own form of the default must not get into
	by_id => [
		[ 'COPY of a query', 1, 'here', 'COPY (INSERT INTO by_id (tenant, n) VALUES (1, N) RETURNING id) TO FILE' ],
		[ 'trigger of a COPY', 5, 'here', 'COPY (SELECT N FROM generate_series(1, 5)) TO FILE; COPY noted FROM FILE' ] ],
	by_tenant => [ [ 'delegated procedure', 7, 'workers', join(';', map { "CALL delegated($_, N)" } 1 .. 7) ] ]);

my $number = 0;
my $files = PostgreSQL::Test::Utils::tempdir();

# partitions(NODE, ...): those that their ids have, as one string
sub partitions
{
	return join(' ', sort map { query($_, 'SELECT partition FROM sno_stat()') } @_);
}

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
			SOURCE => $table eq 'by_tenant' ? 'tenants' : 'ids');

		$statement =~ s/\b(TABLE|N|SOURCE|FILE)\b/$words{$1}/g;
		$sql .= "$statement;\n";
		$names{$number} = $name;
		$expected{$name} = "$rows rows, $rows ids, metabyte 3, partition $made_by{$maker}";
	}
	my ($code, $output, $errors) = $node->psql('postgres', <<"EOF", on_error_stop => 0);
$sql
INSERT INTO $table (tenant) VALUES (1) RETURNING id AS given \\gset
SELECT count(*) FROM $table WHERE id = :'given';
EOF
	foreach (split /\n/, query($node, <<"EOF"))
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

foreach my $table (@tables)
{
	inserts($coordinator, $table, @inserts, @{ $more{$table} // [] });
	inserts($workers[0], $table, @inserts);
}

# The same rows again, in a table that Citus does not know
query($coordinator, <<'EOF');
CREATE TABLE plain (id sno PRIMARY KEY, tenant int);
INSERT INTO plain SELECT sno_make('2026-01-01 00:00+00'::timestamptz + i * interval '2 minutes', i % 5, 0, i), i % 20
	FROM generate_series(0, 5999) i;
TRUNCATE by_id;
INSERT INTO by_id SELECT * FROM plain;
ANALYZE by_id, plain;
EOF
my $hour = q{timestamptz '2026-01-02 00:00+00' AND id < timestamptz '2026-01-02 01:00+00'};
foreach my $condition ("id >= $hour", q{id <@ tstzrange('2026-01-02 00:00+00', '2026-01-02 01:00+00')},
	q{id ^@ '9d5x'}, q{id > now() - interval '20 years' AND id < '2026-01-01 01:00+00'::timestamptz})
{
	my $rows = 'SELECT count(*), md5(string_agg(id::text, tenant::text ORDER BY id)) FROM';
	my $plan = query($coordinator,
		"SET citus.explain_all_tasks = on; EXPLAIN (COSTS OFF) SELECT * FROM by_id WHERE $condition");
	my $indexed = () = $plan =~ /Index (?:Only )?Scan (?:using|on) by_id_pkey/g;
	my $expected = query($coordinator, "$rows plain WHERE $condition");

	is($indexed, 8, "$condition: by the index of each shard") || diag($plan);
	unlike($expected, qr/^0/, 'there are such rows');
	is(query($coordinator, "SET citus.enable_binary_protocol = $_; $rows by_id WHERE $condition"), $expected,
			"and they are found, binary protocol $_")
	  foreach qw(on off);
}

done_testing();
