# first_use.pl
#	Without preloading, sessions that all are the first to use sno since the
#	server's start agree on one generator.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;

use constant {
	ROUNDS => 10,
	SESSIONS => 8,
	IDS => 2000,
};

my $server = new_server('first_use');
my @files = map { ids_file("ids_$_") } 1 .. SESSIONS;

foreach my $round (1 .. ROUNDS)
{
	$server->restart;
	race_sessions(
		map { { server => $server, output => $_, sql => "COPY (SELECT sno_generate() FROM generate_series(1, ${\IDS})) TO STDOUT;\n" } } @files);
	is(id_count(@files), SESSIONS * IDS, "start $round: every id arrives");
	is(disorders(@files), 0, "start $round: the ids of each session ascend");
	is(duplicates(@files), 0, "start $round: no id comes twice");
}

done_testing();
