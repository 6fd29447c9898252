# concurrency.pl
#	Sessions that generate at the same time, in two databases of a cluster: no
#	id twice, each session's ids ascend, no field leaves what the settings allow.
#	Also where all of them are the first to use sno since the server's start,
#	without preloading.  Statements of one row are for order.pl.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(time);
use Test::More;

use SnoTest;

use constant {
	SESSIONS => 8,
	STARTS => 5,
	START_IDS => 2000,			# too few for all sessions to be there at once
	IDS => 1_000_000,
	ARRAY => 25,
	META => 42,
};

my @databases = ('postgres', 'other');
my $server = new_server('concurrency', databases => \@databases);

# Statements that generate a number of ids, by all the functions in turn; from
# session to session another one comes first.
sub statements
{
	my ($session, $ids) = @_;
	my $part = $ids / 4;
	my $arrays = $part / ARRAY;
	my @queries = (
		"SELECT sno_generate(${\META}) FROM generate_series(1, $part)",
		"SELECT sno_generate_many($part, ${\META})",
		"SELECT unnest(sno_generate_array($part, ${\META}))",
		"SELECT unnest(sno_generate_array(${\ARRAY}, ${\META})) FROM generate_series(1, $arrays)"
	);

	push @queries, splice(@queries, 0, $session % 4);
	return join('', map { "COPY ($_) TO STDOUT;\n" } @queries);
}

# check(NAME, IDS, [PARTITIONS, [SEQUENCES]])
# Generates from all sessions and checks what they received; from first to last,
# all these partitions and sequences are in use.
sub check
{
	my ($name, $ids, $partitions, $sequences) = @_;
	my @files = map { ids_file("ids_$_") } 1 .. SESSIONS;
	my $start = time;
	my ($end, @fields);

	race_sessions(
		map {
			{   server => $server,
				database => $databases[ $_ % @databases ],
				sql => statements($_, $ids),
				options => '-c sno.wait_timeout=0',
				output => $files[ $_ - 1 ] }
		} 1 .. SESSIONS);
	$end = time;
	is(id_count(@files), SESSIONS * $ids, "$name: every id arrives");
	is(scalar(grep { system("sort -cu $_ 2>/dev/null") != 0 } @files), 0, "$name: the ids of each session ascend");
	is(duplicates(@files), 0, "$name: no id is duplicated");

	query($server, 'CREATE UNLOGGED TABLE loaded (id sno)');
	run_sessions(map { { server => $server, sql => "COPY loaded FROM '$_';\n" } } @files);
	@fields = split /\|/, query($server, <<"EOF");
SELECT sno_timestamp(min(id)) >= to_timestamp($start) - interval '4 ms' AND sno_timestamp(max(id)) <= to_timestamp($end) + interval '2 s',
	bool_or(sno_tick_tock(id)), min(sno_meta(id)) || '-' || max(sno_meta(id)),
	min(sno_partition(id)) || '-' || max(sno_partition(id)), min(sno_sequence(id)) || '-' || max(sno_sequence(id))
FROM loaded
EOF
	query($server, 'DROP TABLE loaded');
	is("@fields[0 .. 2]", "t f ${\META}-${\META}", "$name: the times are those of the test, in one plane, with the caller's metabyte");
	is(query($server, 'SELECT step_backs, slews <= 1 AND lead < 2000 FROM sno_stat'),
		'0|t', "$name: no session takes itself for late, and the clock for set back; a restart may lead");
	is($fields[3], $partitions, "$name: partitions") if defined $partitions;
	is($fields[4], $sequences, "$name: sequences") if defined $sequences;
	return;
}

check('not preloaded', IDS);
foreach my $start (1 .. STARTS)
{
	$server->restart;
	check("start $start, not preloaded", START_IDS);
}

configure($server, preload('sno.partition' => 65532, 'sno.partition_count' => 4, 'sno.sequence_min' => 1099, 'sno.sequence_max' => 100, 'sno.lease_limit' => 4096));
check('four partitions, leases of 4096', IDS, '65532-65535', '100-1099');
configure($server, preload('sno.partition' => 0, 'sno.partition_count' => 128, 'sno.sequence_min' => 65532));
check('a pool of four in each of 128 partitions', IDS, '0-127', '65532-65535');
configure($server, preload('sno.partition' => 77, 'sno.sequence_max' => 3));
check('a pool of four', 500, '77-77', '0-3');

done_testing();
