# settings.pl
#	Settings of the cluster are what the server's start says they are, or keep
#	it from starting; no client can choose them, with sno preloaded or not.
#
# What a session may set is for sql/settings.sql.
use strict;
use warnings FATAL => 'all';

use SnoTest;

# A value other than the default, for each setting of the cluster
my %other = ('sno.partition' => 9, 'sno.partition_count' => 2, 'sno.sequence_min' => 100,
	'sno.sequence_max' => 200, 'sno.max_lead' => '1h');

my $shown =
	'SELECT partition, partition_source, partition_count, sequence_min, sequence_max, capacity, max_lead FROM sno_stat()';
my $defaults = 'automatic|1|0|65535|65536|90000000';
my @app = (extra_params => [ '-U', 'app' ]);
my $to_preload = qr/is set, but sno is not preloaded.*HINT: +Add "sno" to shared_preload_libraries/s;

my $server = new_server('settings', databases => [ 'postgres', 'other' ],
	settings => { restart_after_crash => 'on' });
query($server, 'CREATE ROLE app LOGIN');

# Without preloading
{
	my $automatic;

	{
		local $ENV{PGOPTIONS} = '-c sno.sequence_max=200';

		# No one has used sno since this start: the shared memory is not there yet
		is_error($server, 'postgres', $_, '55P02', qr/"sno.sequence_max" $to_preload/,
			"a client that chooses is told to preload: $_", @app)
		  foreach 'SELECT sno_generate()', 'SELECT * FROM sno_stat()';
		is(query($server, "SELECT sno_meta('2222222222222222'::sno)"), '0', 'ids can be read');
	}
	like(query($server, $shown), qr/^\d+\|\Q$defaults\E$/, 'the first client decides nothing');
	$automatic = query($server, $shown);
	is($server->safe_psql('other', $shown), $automatic, 'databases of a cluster have the same automatic partition');
	configure($server, preload());
	is(query($server, $shown), $automatic, 'a restart leaves it, and preloading does');
	configure($server, {});

	is_error($server, 'postgres', 'SET sno.partition = 9; SELECT sno_generate()',
		'55P02', $to_preload, 'before the library is loaded, SET is refused by it');
	is_error($server, 'postgres', 'SELECT sno_generate(); SET sno.partition = 9',
		'42602', qr/"sno" is a reserved prefix/, 'after it is loaded, by the server');

	configure($server, { 'sno.sequence_max' => 200 });
	is_error($server, 'postgres', 'SELECT sno_generate()', '55P02',
		$to_preload, 'a setting in postgresql.conf is refused without preloading');
	write_settings($server, {});
	$server->reload;
	wait_until($server, "coalesce(current_setting('sno.sequence_max', true), '') = ''");
	is(query($server, $shown), $automatic, 'once it is taken back, the defaults hold without a restart');
}

configure($server, preload(%other));
like(query($server, $shown), qr/^9\|configured\|2\|100\|200\|202\|3600000$/, 'preloaded: every setting is in effect');

# With preloading; the server runs with the others now.  The ends of their ranges are
# the reference's, with which test/checks/doc compares them.
{
	my $together = qr/sno.sequence_min and sno.sequence_max do not fit together/;
	my $fixed = qr/parameter "sno\.\w+" cannot be changed without restarting the server/;

	is(query($server, "SELECT $_ FROM sno_generate() AS id"), 't', "ids are those of the settings: $_")
	  foreach 'sno_partition(id) = 9', 'sno_sequence(id) >= 100';
	is_error($server, 'postgres', "SET $_ = 5", '55P02', $fixed, "no one changes $_ in a session")
		foreach sort keys %other;
	foreach ((map { [ 'sno.sequence_min' => $_, 'sno.sequence_max' => 22 - $_ ] } 10, 12),
		[ 'sno.partition' => 65409, 'sno.partition_count' => 128 ])
	{
		my $offset = -s $server->logfile;

		$server->stop;
		write_settings($server, preload(@$_));
		$server->start(fail_ok => 1);
		like(slurp_file($server->logfile, $offset), qr/FATAL:.*$together/, "the server does not start with @$_");
	}
}

done_testing();
