# soak.pl
#	A primary, a standby and sessions that make ids, while everything that can go
#	wrong does, in random order: no id is duplicated, each that was received is
#	covered by the record, and ids go on.
#
# A life is the time from a start of the primary to its end.  Of a primary that was
# replaced, by its standby or by a backup, only the ids of transactions that its
# successor has count: the others are lost, and may be made again.
#
# MINUTES=n goes on for so long; without it, each act comes once at least.  SEED=n
# repeats the order of acts and their amounts, not their timing.
use strict;
use warnings FATAL => 'all';

use List::Util qw(max shuffle);
use Test::More;
use Time::HiRes qw(time);

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	BATCHES => 3,				# sessions of start_batches(); the others are of start_load()
	ACT_IDS => 30_000,			# between two acts
	CALM_S => 5,				# after a step back, until restarts are quick again
};

my $begin_s = time;
my ($servers, $life) = (0, 0);
my (@kept, @files, @sessions);
my ($primary, $standby, $own_ids, $stepped_back_s);

sub pick
{
	return $_[ rand(@_) ];
}

# Each order of magnitude is as likely as any other
sub log_uniform
{
	my ($min, $max) = @_;

	return $min * ($max / $min)**rand();
}

# How far a clock is moved, mostly not at all while a server is down
sub any_step
{
	return pick(-log_uniform(0.005, 2), -log_uniform(0.005, 2), -60, -3600, log_uniform(0.01, 5), log_uniform(5, 3600));
}

sub clock_of
{
	my ($server) = @_;

	return $server->{clock} //= SnoClock->new($server->name);
}

sub start
{
	my ($server) = @_;

	return clock_of($server)->run(sub { $server->start });
}

sub step_clock
{
	my ($server, $step_s) = @_;

	clock_of($server)->set(clock_of($server)->offset_s + $step_s);
	$stepped_back_s = time if $step_s < 0 && $server == $primary;
	return;
}

sub copy_of_primary
{
	my (@options) = @_;
	my $server = PostgreSQL::Test::Cluster->new('server' . ++$servers);

	$primary->backup($server->name);
	$server->init_from_backup($primary, $server->name, @options);
	return $server;
}

sub new_standby
{
	my $server = copy_of_primary(has_streaming => 1);

	clock_of($server)->set(clock_of($primary)->offset_s);
	start($server);
	return $server;
}

# An id is made within a few seconds, or both planes are reserved ahead of the
# clock: then that is moved past them
sub goes_on_at_once
{
	my ($name) = @_;
	my ($sqlstate, $output);

	foreach my $attempt (1 .. 3)
	{
		($sqlstate, $output) = error_of($primary, 'postgres', "SET sno.wait_timeout = '4s'; SELECT sno_generate()");
		last if $sqlstate ne '55P03';

		my ($ahead, $reserved) = split /\|/, query($primary, <<'EOF');
SELECT bool_and((plane->'reserved')::bigint >= (snapshot->'clock')::bigint), max((plane->'reserved')::bigint)
FROM (SELECT sno_snapshot()) AS taken (snapshot), jsonb_array_elements(snapshot->'planes') AS plane
EOF
		clock_of($primary)->set_to(1262304000 + ($reserved + 2) / 250) if $ahead eq 't';
	}
	is($sqlstate, '', "$name: ids go on") || BAIL_OUT($output);
	append_to_file($own_ids, "$output\n");
	return;
}

# The standby has all that earlier lives made before this one goes on
sub begin_life
{
	$life++;
	$own_ids = ids_file("own_$life");
	@files = map { ids_file("ids_${life}_$_") } 1 .. SnoLoad::SESSIONS;
	goes_on_at_once("life $life");
	query($primary, 'DROP TABLE IF EXISTS made, batches');
	@sessions = (start_batches($primary, @files[ 0 .. BATCHES - 1 ]), start_load($primary, @files[ BATCHES .. $#files ]));
	$primary->wait_for_catchup($standby);
	return;
}

# Keeps these files of the life, as one, and no other
sub end_life
{
	my @ids = @_;

	push @kept, ids_file("life_$life");
	no_duplicates("life $life: no id is duplicated", @ids);
	output_of("sort -m @ids > $kept[-1]");
	unlink @ids, @files, $own_ids;
	return;
}

# Each row that a server has is covered by the record that it has
sub rows_are_reserved
{
	my ($server, $name) = @_;

	is_reserved($server, "$name: the rows are covered by its record",
		split /\n/, query($server, 'SELECT max(id) FROM made GROUP BY sno_tick_tock(id)'));
	return;
}

# The primary goes down, and comes up again by the code, which is given how far the
# clock is moved meanwhile
sub restart
{
	my ($name, $code) = @_;
	my $step_s = pick(0, 0, 0, any_step());
	my $is_calm = $step_s == 0 && time - ($stepped_back_s // 0) > CALM_S;
	my $plane = query($primary, 'SELECT plane FROM sno_stat');
	my ($id, $tick_tock, $s);

	$code->($step_s);
	end_sessions(@sessions);
	$primary->poll_query_until('postgres', 'SELECT true') or die 'the server does not start';
	is_reserved($primary, "$name: all ids are covered by the record", map { output_of("tail -n 1 $_") } @files);
	if ($is_calm)
	{
		($id, $tick_tock, $s) = first_id($primary);
		is_quick($s, "$name: the first id comes");
		is($tick_tock, $plane ? 't' : 'f', "$name: it is in the same plane");
		append_to_file($own_ids, "$id\n");
	}
	goes_on_at_once($name);
	query($primary, "COPY made (id) TO '" . ids_file('rows') . "'");
	end_life(@files, $own_ids, ids_file('rows'));
	begin_life();
	return;
}

sub stop_and_start
{
	my ($name, $stop) = @_;

	return restart($name,
		sub {
			my ($step_s) = @_;

			clock_of($primary)->stand_still($stop);
			step_clock($primary, $step_s);
			start($primary);
		});
}

# The primary dies at work, and the server takes its place, with another clock
sub replace_by
{
	my ($name, $server) = @_;

	crash($primary);
	end_sessions(@sessions);
	clock_of($server)->set(clock_of($primary)->offset_s);
	$primary->clean_node;
	$primary = $server;
	step_clock($primary, pick(0, any_step()));
	if ($primary == $standby)
	{
		$primary->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_stat_wal_receiver') or die 'it still receives';
		rows_are_reserved($primary, $name);
		$primary->promote;
	}
	else
	{
		start($primary);
		$standby->stop;
		$standby->clean_node;
	}
	rows_are_reserved($primary, $name);
	end_life(surviving_ids($primary, "survivors_$life"));
	$own_ids = ids_file("own_$life");
	$standby = new_standby();
	begin_life();
	return;
}

# Where the standby stopped getting WAL before, reservations are lost with the rest
sub promote_cut_off
{
	my ($name) = @_;

	$standby->append_conf('postgresql.conf', "primary_conninfo = ''");
	$standby->reload;
	$standby->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_stat_wal_receiver') or die 'it is not cut off';
	wait_for_ids($primary, ACT_IDS);
	return replace_by($name, $standby);
}

# What comes after the backup is lost to it
sub start_backup
{
	my ($name) = @_;
	my $server = copy_of_primary();

	wait_for_ids($primary, ACT_IDS);
	return replace_by($name, $server);
}

# A snapshot that is ahead of the clock, as of another server with the partition
sub restore
{
	my ($name) = @_;
	my $snapshot = query($primary, <<'EOF');
SELECT jsonb_set(jsonb_set(snapshot, '{planes,0,reserved}', to_jsonb(greatest((snapshot #> '{planes,0,reserved}')::bigint, ahead))),
	'{planes,1,reserved}', to_jsonb(greatest((snapshot #> '{planes,1,reserved}')::bigint, ahead)))
FROM (SELECT sno_snapshot()) AS taken (snapshot), LATERAL (SELECT (snapshot->'clock')::bigint + 500) AS two_seconds (ahead)
EOF

	query($primary, "SELECT sno_restore('$snapshot')");
	goes_on_at_once($name);
	is(query($primary, <<"EOF"), 't', "$name: no id is made up to what was restored");
SELECT (extract(epoch FROM sno_timestamp(id)) - 1262304000) * 250 > ('$snapshot'::jsonb->'planes'->sno_tick_tock(id)::int->'reserved')::bigint
FROM (SELECT '${\output_of("tail -n 1 $own_ids")}'::sno) AS made (id)
EOF
	return;
}

# What is done, and how often in each round
my %acts = (
	'a step back' => [ 3, sub { step_clock($primary, -log_uniform(0.005, 2)) } ],
	'a step back by a minute' => [ 1, sub { step_clock($primary, -60) } ],
	'a step back by an hour' => [ 1, sub { step_clock($primary, -3600) } ],
	'a step ahead' => [ 2, sub { step_clock($primary, log_uniform(0.01, 3600)) } ],
	'jitter' => [ 1, sub { foreach (1 .. 10) { step_clock($primary, 0.04 * rand() - 0.02); wait_for_ids($primary, 1000) } } ],
	'a checkpoint' => [ 1, sub { query($primary, 'CHECKPOINT') } ],
	'a restore' => [ 2, \&restore ],
	'a backend is killed' => [
		2, sub {
			restart($_[0], sub {
				my @pids = split /\n/, query($primary, "SELECT pid FROM pg_stat_activity WHERE application_name = 'load' ORDER BY pid");

				kill(9, pick(@pids)) == 1 or die 'no backend to kill';
			});
		} ],
	'the postmaster is killed' => [ 1, sub { stop_and_start($_[0], sub { crash($primary) }) } ],
	'an immediate stop' => [ 1, sub { stop_and_start($_[0], sub { $primary->stop('immediate') }) } ],
	'a fast stop' => [ 1, sub { stop_and_start($_[0], sub { $primary->stop('fast') }) } ],
	'a promotion' => [ 1, sub { replace_by($_[0], $standby) } ],
	'a promotion of a standby that was cut off' => [ 1, \&promote_cut_off ],
	'a backup in place of the primary' => [ 1, \&start_backup ],
	'the standby' => [ 1, sub { rows_are_reserved($standby, $_[0]) } ],
	'a restart of the standby' => [ 1, sub { $standby->stop(pick(qw(immediate fast))); step_clock($standby, any_step()); start($standby) } ]);

seed_random();
my %settings = (
	'sno.partition' => 7,
	'sno.partition_count' => pick(1, 3),
	'sno.sequence_max' => pick(255, 1023),
	'sno.lease_limit' => pick(64, 1, 4096));
note join(', ', map { "$_ = $settings{$_}" } sort keys %settings);
my $clock = SnoClock->new('server' . ++$servers);
$primary = new_server("server$servers",
	clock => $clock,
	init => { allows_streaming => 1 },
	settings => preload(%settings, restart_after_crash => 'on', wal_writer_delay => '10s', wal_keep_size => '512MB'));
$primary->{clock} = $clock;
$standby = new_standby();
begin_life();
do
{
	foreach my $name (shuffle(map { ($_) x $acts{$_}[0] } sort keys %acts))
	{
		note sprintf('%.1f s: %s', time - $begin_s, $name);
		$acts{$name}[1]->($name);
		goes_on_at_once($name);
		wait_for_ids($primary, ACT_IDS);
	}
} while (time - $begin_s < 60 * ($ENV{MINUTES} || 0));
stop_load($primary, @sessions);
query($primary, "COPY made (id) TO '" . ids_file('rows') . "'");
end_life(@files, $own_ids, ids_file('rows'));
no_duplicates("$life lives: no id is duplicated", @kept);
unlink @kept;
unlike(slurp_file($_->logfile), qr/PANIC|TRAP/, $_->name . ' never failed') foreach $primary, $standby;

done_testing();
