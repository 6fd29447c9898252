# waits.pl
#	What a call waits for, the next time unit of a full pool or the disk, is bounded, can
#	be cancelled, shows what it is, and is counted.  A disk that takes nearly as long as a
#	reservation reaches delays a call by one flush or two, not by one after the other.  The
#	server's fdatasync() is that of slow_disk.c.
use strict;
use warnings FATAL => 'all';

use List::Util qw(max);

use SnoTest;
use SnoTrouble;

my ($library, $delay_file) = (ids_file('slow_disk.so'), ids_file('delay'));
my $server;

# is_ended(EVENT, SQL, NAME): a statement that waits without end, and is to be seen to,
# ends when it is told to
sub is_ended
{
	my ($event, $sql, $name) = @_;

	is_error($server, 'postgres', "SET sno.wait_timeout = 0; SET statement_timeout = '200ms'; $sql",
		'57014', qr/statement timeout/, "$name: statement_timeout ends it");
	foreach my $way ([ 'cancel', '57014', 'user request' ], [ 'terminate', '57P01', 'terminating connection' ])
	{
		my ($verb, $sqlstate, $message) = @$way;
		my ($session, $pid) = start_waiting($server, $event, "SET sno.wait_timeout = 0; $sql;");

		query($server, "SELECT pg_${verb}_backend($pid)");
		end_sessions($session);
		like($session->{errors}, qr/(ERROR|FATAL):  $sqlstate: .*$message/, "$name: pg_${verb}_backend ends it");
	}
	return;
}

# takes_too_long(WAIT_TIMEOUT, CALL, NAME): when its flushes add up to this
sub takes_too_long
{
	my ($wait_timeout, $call, $name) = @_;

	return is_error($server, 'postgres', "SET sno.wait_timeout = '$wait_timeout'; SELECT $call",
		'55P03', qr/Reserving ids on disk takes too long/, "$name: sno.wait_timeout ends a call");
}

# A thousand ids a second
$server = new_server('full_pool', settings => preload('sno.sequence_max' => 3));
is_ended('SnoOverflow', "SELECT $_", $_) foreach
  'sno_generate_array(1000000)', 'sno_generate_many(1000000)', 'sno_generate() FROM generate_series(1, 1000000)';

# sno.wait_timeout is for what one call waits; the shortest one can end while it reserves
foreach ([ 300, qr/All 4 ids of each 4 ms/ ], [ 0.001, qr/All 4 ids of each 4 ms|Reserving ids on disk/ ])
{
	my ($timeout, $detail) = @$_;

	is_error($server, 'postgres',
		"SET sno.wait_timeout = $timeout; SELECT sno_generate_array(1000000)",
		'55P03',
		qr/a call for snos has not ended within sno.wait_timeout \($timeout ms\).*$detail.*sno.partition_count/s,
		"sno.wait_timeout of $timeout ms ends an array");
}
is(query($server, "SET sno.wait_timeout = '300ms'; SELECT count(*) FROM (SELECT sno_generate_many(1000)) AS t"),
	'1000', 'each row of a set is a call of its own');

$server->stop;

# A disk whose flushes leave little of what they reserved, or nothing if they take a little
# longer
system_or_bail('gcc', '-O2', '-fPIC', '-shared', '-Wall', '-Werror', '-o', $library,
	"$ENV{TESTDIR}/test/t/slow_disk.c");
set_file($delay_file, 0);
{
	local @ENV{qw(LD_PRELOAD SLOW_DISK)} = ($library, $delay_file);
	$server = new_server('slow_disk', settings => {
			fsync => 'on', wal_sync_method => 'fdatasync', wal_writer_delay => '10s' });
}
my $session = $server->background_psql('postgres');
answer_of($session, 'SELECT sno_generate()');
{
	my @flushes;

	wait_until_reserving($server);
	set_file($delay_file, 900);		# ms; a reservation reaches 1 s to 2 s
	foreach (1 .. 5)
	{
		my $before = query($server, 'SELECT reservations FROM sno_stat()');

		answer_of($session, 'SELECT sno_generate()');
		push @flushes, query($server, 'SELECT reservations FROM sno_stat()') - $before;
	}
	# More ids than fit into what one flush leaves
	takes_too_long('800ms', 'count(sno_generate_array(20000000))', 'a slow disk');
	set_file($delay_file, 0);
	cmp_ok(max(@flushes), '<=', 2, "a slow disk: calls reserve once or twice (@flushes)");
}
wait_until_reserving($server);
set_file($delay_file, 2000);
takes_too_long('1s', 'sno_generate()', 'too slow a disk');
set_file($delay_file, 0);

# Others wait for a session that is stuck in its flush
{
	wait_until_reserving($server);
	set_file($delay_file, 600_000);
	my ($stuck) = start_waiting($server, 'WALSync', 'SET sno.wait_timeout = 0; SELECT sno_generate();');
	takes_too_long('500ms', 'sno_generate()', 'a flush of another session');
	is_ended('SnoReservation', 'SELECT sno_generate()', 'a flush of another session');
	is_error($server, 'postgres', "SET statement_timeout = '1s'; SELECT $_", '57014', qr/statement timeout/,
		"a flush of another session: $_ can be cancelled") foreach qw(sno_restore(sno_snapshot()) sno_reset());
	is(query($server, q(SELECT count(*) FROM pg_stat_activity WHERE wait_event ILIKE 'WALSync')), '1',
		'the flush was stuck during all these calls');
	is(query($server, "SELECT $_ FROM sno_stat()"), 't', "these waits are counted: $_")
	  foreach 'reservation_waits >= 3', 'reservation_wait_time > 1000';
	set_file($delay_file, 0);
	finish_sessions($stuck);
}
$session->quit;

done_testing();
