# servers.pl
#	A server under load that is stopped, or crashes, because a process is killed or by an
#	immediate shutdown, and whose clock is set back and forth makes no id twice.  When it
#	has ended, its record covers the last ids that clients have: also one right before the
#	end, of a transaction that left no trace.
#
# MINUTES=n goes on for so long, and keeps every id, some 40 MB a minute; SEED=n repeats
# the settings, the order of what happens and its amounts, not the timing.
use strict;
use warnings FATAL => 'all';

use List::Util qw(shuffle);
use Time::HiRes qw(time usleep);

use SnoLoad;
use SnoTest;
use SnoTrouble;

use constant ACT_IDS => 30_000;		# between two acts

# Of each session, which sleeps between statements: all that is kept are ids
my @scripts = map { "SET sno.wait_timeout = 0;\n" . "COPY (SELECT $_) TO STDOUT;\n\\! sleep 0.04\n" x 50_000 }
  'sno_generate_many(300)', 'unnest(sno_generate_array(300))', 'sno_generate() FROM generate_series(1, 300)';
my $begin_s = time;
my $clock = new_clock('server');
my $servers = 0;
my ($server, @files, @sessions);

sub start_sessions_of_load
{
	my @new = map { ids_file('made_' . (@files + $_)) } 0 .. $#scripts;

	push @files, @new;
	@sessions = start_endless($server, map { [ $new[$_], $scripts[$_] ] } 0 .. $#scripts);
	return;
}

# It starts with the clock where it was, or a little before
sub end_server
{
	my $mode = pick(qw(kill immediate fast));
	my ($pid) = slurp_file($server->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	my @last;

	$clock->stand_still(sub { $mode eq 'kill' ? $server->kill9 : $server->stop($mode) });
	$clock->move(-pick(0, 0, 0.1, 1));
	end_sessions(@sessions);
	@last = map { output_of("tail -n 1 $_->{output}") } @sessions;
	# Children of a postmaster that was killed see it, and end
	usleep(50_000) while kill(0, $pid) || grep { (readlink // '') eq $server->data_dir } glob '/proc/[0-9]*/cwd';
	$clock->run(sub { $server->start });
	is_reserved($server, "$mode: the last ids are covered by the record", @last);
	return start_sessions_of_load();
}

# Another process than the postmaster dies, and the server recovers by itself
sub kill_backend
{
	my @pids = split /\n/, query($server, "SELECT pid FROM pg_stat_activity WHERE application_name = 'load'");

	kill(9, pick(@pids)) == 1 or die 'no backend to kill';
	end_sessions(@sessions);
	# A psql that the server refuses can end before it has got its query
	usleep(50_000) until system('pg_isready', '-q', '-d', $server->connstr) == 0;
	return start_sessions_of_load();
}

# Ahead by two hours and back by one, as every tick can be used only twice, or by a little
sub step_clock
{
	$clock->move(7200);
	wait_for_ids($server, ACT_IDS);
	return $clock->move(-3600);
}

my %acts = (
	'it ends' => [ 4, \&end_server ],
	'a checkpoint' => [ 1, sub { query($server, 'CHECKPOINT') } ],
	'a backend is killed' => [ 1, \&kill_backend ],
	'an hour back' => [ 2, \&step_clock ],
	'a little back or ahead' => [ 4, sub { $clock->move(pick(-1, 1) * 0.01 * 100**rand()) } ]);

seed_random();

# Nothing but sno brings its record to the disk in time: the WAL writer sleeps, and no
# transaction that makes ids commits anything
$server = new_server('traceless', clock => $clock, settings => { wal_writer_delay => '10s' });
foreach my $end (qw(checkpoint immediate fast))
{
	my $id = query($server, 'BEGIN READ ONLY; SELECT sno_generate(); ROLLBACK');
	my ($next, $tick_tock);

	query($server, 'CHECKPOINT') if $end eq 'checkpoint';
	$clock->stand_still(sub { $server->stop($end eq 'fast' ? 'fast' : 'immediate') });
	$clock->run(sub { $server->start });
	is_reserved($server, "right after an id, $end: it is covered by the record", $id);
	($next, $tick_tock) = first_id($server);
	cmp_ok($next, 'gt', $id, "right after an id, $end: the next one is later");
	is($tick_tock, 'f', "right after an id, $end: and in the same plane");
}
$server->stop;
do
{
	$server = new_server('server' . $servers++, clock => $clock, settings => preload(
			wal_writer_delay => '10s', restart_after_crash => 'on',
				'sno.sequence_max' => pick(255, 1023), 'sno.partition_count' => pick(1, 3),
			'sno.max_lead' => pick('10s', '25h', '36h')));
	start_sessions_of_load();
	foreach my $name (shuffle(map { ($_) x $acts{$_}[0] } sort keys %acts))
	{
		note sprintf('%.1f s: %s', time - $begin_s, $name);
		$acts{$name}[1]->();
		wait_for_ids($server, ACT_IDS);
	}
	stop_load($server, @sessions);
	$server->stop;
	unlike(slurp_file($server->logfile), qr/PANIC|TRAP/, 'the server never failed');
	no_duplicates('no id is duplicated', @files);
	unlink @files;
	@files = ();
} while (time - $begin_s < 60 * ($ENV{MINUTES} || 0));

done_testing();
