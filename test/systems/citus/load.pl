# Rows come in through all nodes at once, while one after the other is killed and
# started again: no id is there twice if each node has its own partition, and the
# same load finds ids twice if all have one.

use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(usleep);

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

my $rows = $ENV{CITUS_ROWS} // 1_000_000;
my @nodes = new_cluster('sno.partition' => 7);
my ($coordinator) = @nodes;
my $folder = PostgreSQL::Test::Utils::tempdir();

$coordinator->safe_psql('postgres', <<"EOF");
CREATE TABLE event (id sno DEFAULT sno_generate(3), n int);
SELECT create_distributed_table('event', 'id');
CREATE TABLE source (n int);
SELECT create_distributed_table('source', 'n');
INSERT INTO source SELECT generate_series(1, 1000);
COPY (SELECT generate_series(1, 1000)) TO '$folder/rows';
EOF
my $sql = join("\n", "INSERT INTO event (n) SELECT generate_series(1, 1000);",
	"INSERT INTO event (n) SELECT n FROM source;",
	"\\copy event (n) FROM '$folder/rows'",
	'INSERT INTO event (n) VALUES ' . join(', ', map { "($_)" } 1 .. 100) . ';',
	map { "INSERT INTO event (n) VALUES ($_);" } 1 .. 5);

# load(NAME, ROWS, NODE...): inserts so many, and kills the nodes in turn; returns
# how many rows there are then, and how many ids come again
sub load
{
	my ($name, $rows, @kill) = @_;
	my $stop = "$folder/$name";
	my @files = map { "$stop.$_" } 0 .. 5;
	my @clients = start_clients($stop, $sql, map { [ $nodes[ $_ % 3 ], $files[$_] ] } 0 .. $#files);

	foreach my $step (0 .. @kill)
	{
		my $attempts = 10 * $PostgreSQL::Test::Utils::timeout_default;

		while (acknowledged(@files) < $rows * ($step + 1) / (@kill + 1))
		{
			die 'the rows do not come' if $attempts-- == 0;
			usleep(100_000);
		}
		if ($step < @kill)
		{
			crash($kill[$step]);
			$kill[$step]->start;
		}
	}
	append_to_file($stop, '');
	$_->finish foreach @clients;
	# What a node had promised to commit before it was killed
	$_->safe_psql('postgres', 'SELECT recover_prepared_transactions()') foreach @nodes;
	$coordinator->safe_psql('postgres', "COPY (SELECT id FROM event) TO '$stop.ids'");
	my @result = (id_count("$stop.ids"), duplicates("$stop.ids"));
	$coordinator->safe_psql('postgres', 'TRUNCATE event');
	cmp_ok($result[0], '>=', acknowledged(@files), "$name: what was committed is there");
	return @result;
}

my ($count, $twice) = load('one_partition', 200_000);
cmp_ok($twice, '>', 0, 'with one partition for all, ids come twice');
note("$twice of $count ids come again");

number_nodes($coordinator, @nodes);
my @kill = @nodes[ 1, 2, 0, 1, 2 ];
($count, $twice) = load('own_partitions', $rows, @kill);
cmp_ok($count, '>=', $rows, "$rows rows come in");
is($twice, 0, 'with a partition for each, none does, though nodes are killed meanwhile');

done_testing();
