# concurrency.pl
#	Sessions that generate at the same time, in two databases of a cluster: no
#	id twice, each session's ids ascend, no field leaves what the settings allow.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Time::HiRes qw(time);
use Test::More;

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 8,
	IDS => 1_000_000,
	ARRAY => 25,
	META => 42,
	TICK_S => 0.004,
};

my @databases = ('postgres', 'other');
my $server = new_server('concurrency', databases => \@databases);

# Statements that generate so many ids, by all the functions in turn; from
# session to session another one comes first.
sub statements
{
	my ($session, $ids) = @_;
	my $part = $ids / 4;
	my $arrays = $part / ARRAY;
	my $meta = META;
	my $array = ARRAY;
	my @queries = (
		"SELECT sno_generate($meta) FROM generate_series(1, $part)",
		"SELECT sno_generate_many($part, $meta)",
		"SELECT unnest(sno_generate_array($part, $meta))",
		"SELECT unnest(sno_generate_array($array, $meta)) FROM generate_series(1, $arrays)"
	);

	push @queries, splice(@queries, 0, $session % 4);
	return join('', map { "COPY ($_) TO STDOUT;\n" } @queries);
}

# Both bounds hold, and with "full" are reached
sub is_within
{
	my ($range, $bounds, $full, $name) = @_;

	ok($range->[0] >= $bounds->[0] && $range->[1] <= $bounds->[1], $name)
	  || diag("$range->[0]..$range->[1]");
	is("@$range", "@$bounds", "$name, in full") if $full;
	return;
}

# check(NAME, IDS, FIELD => [MIN, MAX], ..., [full => 1])
# Generates from all sessions and checks what they received.
sub check
{
	my ($name, $ids, %expected) = @_;
	my @files = map { ids_file("ids_$_") } 1 .. SESSIONS;
	my $start = time;
	my ($end, $ranges);

	race_sessions(
		map {
			{   server => $server,
				database => $databases[ $_ % @databases ],
				sql => statements($_, $ids),
				options => '-c sno.wait_timeout=-1',
				output => $files[ $_ - 1 ] }
		} 1 .. SESSIONS);
	$end = time;
	note sprintf('%s: %d ids in %.1f s', $name, SESSIONS * $ids, $end - $start);

	is(id_count(@files), SESSIONS * $ids, "$name: every id arrives");
	ok(overlap(@files), "$name: all sessions generate at the same time");
	is(disorders(@files), 0, "$name: the ids of each session ascend");
	is(duplicates(@files), 0, "$name: no id comes twice");

	$ranges = field_ranges($server, @files);
	is_within($ranges->{time}, [ $start - TICK_S, $end ], 0,
		"$name: times are those of the test");
	is_within($ranges->{tick_tock}, [ 0, 0 ], 0, "$name: one plane");
	is($server->safe_psql('postgres', 'SELECT regressions, regression_waits FROM sno_stat'),
		'0|0', "$name: no session takes itself for late, and the clock for set back");
	is_within($ranges->{meta}, [ META, META ], 0, "$name: the metabyte is the caller's");
	foreach my $field (qw(partition sequence))
	{
		is_within($ranges->{$field}, $expected{$field}, $expected{full},
			"$name: $field stays in its range");
	}
	return;
}

# Statements of one row, as applications make them
sub check_single_rows
{
	my ($name, $clients, $transactions) = @_;
	my $script = ids_file('single_row.pgbench');
	my @files = map { ids_file("single_$_") } @databases;
	my @pgbench;

	unlink $script;
	append_to_file($script,
		"INSERT INTO single VALUES (sno_generate());\n");
	foreach my $database (@databases)
	{
		$server->safe_psql($database, 'CREATE TABLE single (id sno)');
		push @pgbench, IPC::Run::start(
			[
				'pgbench', '-n', '-M', 'prepared',
				'-c', $clients, '-t', $transactions,
				'-f', $script, $server->connstr($database)
			],
			'>', '/dev/null', '2>', '/dev/null');
	}
	ok($_->finish, "$name: single rows are inserted") foreach @pgbench;

	run_sessions(
		map {
			{   server => $server,
				database => $databases[$_],
				sql => "COPY single TO STDOUT;\nDROP TABLE single;\n",
				output => $files[$_] }
		} 0 .. $#databases);
	is(id_count(@files), @databases * $clients * $transactions, "$name: every row is there");
	is(duplicates(@files), 0, "$name: no two rows share an id");
	return;
}

my $all = [ 0, 65535 ];

check('not preloaded', IDS, partition => $all, sequence => $all);

foreach my $lease_limit (64, 1, 4096)
{
	my $name = "leases of $lease_limit";

	configure($server, preload('sno.lease_limit' => $lease_limit, 'sno.partition' => 9));
	check($name, IDS, partition => [ 9, 9 ], sequence => $all);
	check_single_rows($name, 4, 2000);
}

configure(
	$server,
	preload(
		'sno.partition' => 65532,
		'sno.partition_count' => 4,
		'sno.sequence_min' => 1099,
		'sno.sequence_max' => 100));
check('four partitions', IDS, partition => [ 65532, 65535 ], sequence => [ 100, 1099 ],
	full => 1);

configure(
	$server,
	preload(
		'sno.partition' => 0,
		'sno.partition_count' => 128,
		'sno.sequence_min' => 65532));
check('a pool of four in each of 128 partitions', IDS,
	partition => [ 0, 127 ], sequence => [ 65532, 65535 ], full => 1);

configure($server, preload('sno.partition' => 77, 'sno.sequence_max' => 3));
check('a pool of four', 500, partition => [ 77, 77 ], sequence => [ 0, 3 ], full => 1);
check_single_rows('a pool of four', 4, 100);

done_testing();
