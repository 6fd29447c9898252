# slow_disk.pl
#	A disk that takes nearly as long as a reservation reaches delays a call by
#	one flush or two, not by one after the other.  A call whose flushes take
#	longer than sno.wait_timeout ends then, can be cancelled before, and costs
#	no id its uniqueness.  So does and can one that waits for another's flush.
#
# The server's fdatasync() is that of slow_disk.c.
use strict;
use warnings FATAL => 'all';

use FindBin;
use List::Util qw(max uniq);
use Test::More;

use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	CALLS => 10,
	SLOW_MS => 900,				# a reservation reaches 1 s to 1.5 s
	TOO_SLOW_MS => 2000,
	STUCK_MS => 600_000,
};

my $library = ids_file('slow_disk.so');
my $delay_file = ids_file('delay');
my $server;
my @ids;

# Until the next call has to reserve
sub wait_until_reserving
{
	$server->poll_query_until('postgres', 'SELECT reserved_until < clock_timestamp() FROM sno_stat')
	  or die 'what is reserved does not end';
	return;
}

# A call is an error when its flushes add up to this, and when it is cancelled
sub takes_too_long
{
	my ($wait_timeout, $call, $name) = @_;

	is_error($server, 'postgres', "SET sno.wait_timeout = '$wait_timeout'; SELECT $call",
		'55P03', qr/Reserving ids on disk takes too long/, "$name: sno.wait_timeout ends a call");
	is_error($server, 'postgres', "SET statement_timeout = '1s'; SELECT $call",
		'57014', qr/statement timeout/, "$name: a call can be cancelled");
	return;
}

system_or_bail('gcc', '-O2', '-fPIC', '-shared', '-Wall', '-Werror',
	"$FindBin::RealBin/slow_disk.c", '-o', $library);
set_file($delay_file, 0);
{
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{SLOW_DISK} = $delay_file;
	$server = new_server('slow_disk',
		settings => { fsync => 'on', 'wal_sync_method' => 'fdatasync', wal_writer_delay => '10s' });
}
my $session = $server->background_psql('postgres');
push @ids, $session->query_safe('SELECT sno_generate()');

# Flushes that leave little of what they reserved, or nothing if they take a
# little longer
{
	my @flushes;

	wait_until_reserving();
	set_file($delay_file, SLOW_MS);
	foreach (1 .. CALLS)
	{
		my $before = query($server, 'SELECT reservations FROM sno_stat');

		push @ids, $session->query_safe('SELECT sno_generate()');
		push @flushes, query($server, 'SELECT reservations FROM sno_stat') - $before;
	}
	# More ids than fit into what one flush leaves
	takes_too_long('800ms', 'count(sno_generate_array(20000000))', 'a slow disk');
	set_file($delay_file, 0);
	cmp_ok(max(@flushes), '<=', 2, "a slow disk: calls reserve once or twice (@flushes)");
}

# Flushes that leave nothing
{
	wait_until_reserving();
	set_file($delay_file, TOO_SLOW_MS);
	takes_too_long('1s', 'sno_generate()', 'too slow a disk');
	set_file($delay_file, 0);
	push @ids, $session->query_safe('SELECT sno_generate()');
}

# Others wait for a session that is stuck in its flush
{
	my $stuck;
	my $is_stuck = "SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'stuck' AND wait_event ILIKE 'WALSync'";

	wait_until_reserving();
	set_file($delay_file, STUCK_MS);
	($stuck) = start_sessions(
		{   server => $server,
			output => ids_file('stuck'),
			sql => "SET application_name = 'stuck'; SET sno.wait_timeout = 0; SELECT sno_generate();\n" });
	$server->poll_query_until('postgres', $is_stuck) or die 'the session does not flush';

	takes_too_long('500ms', 'sno_generate()', 'a flush of another session');
	is_ended($server, 'SnoReservation', 'SELECT sno_generate()', 'a flush of another session');
	is_error($server, 'postgres', "SET statement_timeout = '1s'; SELECT $_", '57014', qr/statement timeout/,
		"a flush of another session: $_ can be cancelled") foreach qw(sno_snapshot() sno_reset());

	is(query($server, $is_stuck), 't', 'all that while it was stuck');
	is(query($server, 'SELECT reservation_waits >= 3, reservation_wait_time > 1000 FROM sno_stat'),
		't|t', 'these waits are counted');
	set_file($delay_file, 0);
	finish_sessions($stuck);
	push @ids, split /\n/, slurp_file(ids_file('stuck'));
}

$session->quit;
is(scalar(uniq @ids), CALLS + 3, 'no id is duplicated');

done_testing();
