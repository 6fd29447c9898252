# concurrency.pl
#	Sessions that generate at the same time, in two databases of a cluster: no
#	id twice, and each session's ids ascend.  Also where all of them are the first to
#	use sno since the server's start, without preloading.  Statements of one row are
#	for order.pl.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;

use constant {
	SESSIONS => 8,
	STARTS => 3,
	START_IDS => 2400,			# too few for all sessions to be there at once
	IDS => 240_000,
	ARRAY => 25,
};

my @databases = ('postgres', 'other');
my $server = new_server('concurrency', databases => \@databases);

# Statements that generate a number of ids, by all the functions in turn; from
# session to session another one comes first.
sub statements
{
	my ($session, $ids) = @_;
	my $part = $ids / 3;
	my $arrays = $part / ARRAY;
	my @queries = (
		"SELECT sno_generate(42) FROM generate_series(1, $part)",
		"SELECT sno_generate_many($part, 42)",
		"SELECT unnest(sno_generate_array(${\ARRAY}, 42)) FROM generate_series(1, $arrays)"
	);

	push @queries, splice(@queries, 0, $session % 3);
	return join('', map { "COPY ($_) TO STDOUT;\n" } @queries);
}

# check(NAME, IDS): generates from all sessions, and checks what they received
sub check
{
	my ($name, $ids) = @_;
	my @files = map { ids_file("ids_$_") } 1 .. SESSIONS;

	race_sessions(
		map {
			{   server => $server,
				database => $databases[ $_ % @databases ],
				sql => statements($_, $ids),
				options => '-c sno.wait_timeout=0',
				output => $files[ $_ - 1 ] }
		} 1 .. SESSIONS);
	is(id_count(@files), SESSIONS * $ids, "$name: every id arrives");
	is(scalar(grep { system("sort -cu $_ 2>/dev/null") != 0 } @files), 0, "$name: the ids of each session ascend");
	is(duplicates(@files), 0, "$name: no id is duplicated");

	is(query($server, 'SELECT step_backs, slews <= 1 AND lead < 2000 FROM sno_stat'),
		'0|t', "$name: no session takes itself for late, and the clock for set back; a restart may lead");
	return;
}

check('not preloaded', IDS);
foreach my $start (1 .. STARTS)
{
	$server->restart;
	check("start $start, not preloaded", START_IDS);
}

configure($server, preload('sno.partition_count' => 4, 'sno.sequence_min' => 1099, 'sno.sequence_max' => 100, 'sno.lease_limit' => 4096));
check('four partitions, leases of 4096', IDS);

done_testing();
