# held_up.pl
#	A session that is held up at any point, while others go on, does not take
#	the time that passed for a clock that ran backwards.
#
# The sessions are stopped by a signal, again and again, for longer than a step
# of the clock that is waited for.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(usleep);
use Test::More;

use SnoTest;

use constant {
	SESSIONS => 2,
	STOPS => 120,
	STOP_US => 30_000,
};

# Leases of one slot, so that head and clock are read for each id
my $server = new_server('held_up', settings => preload('sno.lease_limit' => 1));
my $endless = 'SELECT count(sno_generate_array(1000000)) FROM generate_series(1, 1000000)';
my @sessions = start_sessions(
	map { { server => $server, sql => "$endless;\n" } } 1 .. SESSIONS);
my $generating = "FROM pg_stat_activity WHERE state = 'active' AND query LIKE '$endless%'";
my @pids;

$server->poll_query_until('postgres', "SELECT count(*) = ${\SESSIONS} $generating")
  or die 'the sessions do not start';
@pids = split /\n/, query($server, "SELECT pid $generating");

foreach my $stop (1 .. STOPS)
{
	my $pid = $pids[ $stop % @pids ];

	kill('STOP', $pid) == 1 or die "cannot stop $pid: $!";
	usleep(STOP_US);
	kill('CONT', $pid) == 1 or die "cannot continue $pid: $!";
	usleep(37 * $stop);
}

is(query($server, "SELECT count(*) $generating"), SESSIONS,
	'the sessions are at it to the end');
is(query($server, 'SELECT regressions, regression_waits, plane FROM sno_stat'),
	'0|0|0', 'nobody saw the clock run backwards');

query($server, "SELECT pg_cancel_backend(pid) $generating");
ends_in_error($_, '57014', 'user request', 'a session is cancelled') foreach @sessions;

done_testing();
