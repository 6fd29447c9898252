# settings.pl
#	Settings of the cluster are what the server's start says they are, or keep
#	it from starting; no client can choose them, with sno preloaded or not.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Utils;

# A value other than the default, for each setting of the cluster
my %other = (
	'sno.partition' => 9,
	'sno.partition_count' => 2,
	'sno.sequence_min' => 100,
	'sno.sequence_max' => 200,
	'sno.lease_limit' => 1);

my @shown = qw(partition_source partition_count sequence_min sequence_max capacity lease_limit);
my $shown = join(', ', @shown);
my $defaults = 'automatic|1|0|65535|65536|64';

my $server = new_server('settings', databases => [ 'postgres', 'other' ]);
$server->append_conf('postgresql.conf', 'restart_after_crash = on');
$server->safe_psql('postgres', <<'EOF');
CREATE ROLE app LOGIN;
CREATE ROLE configured LOGIN;
EOF

sub stat_of
{
	my ($database, $columns) = @_;

	return $server->safe_psql($database, "SELECT $columns FROM sno_stat");
}

# Tries to start the server; what its log said if it did not
sub refusal
{
	my (%settings) = @_;
	my $offset = -s $server->logfile;
	my $log;

	$server->stop;
	SnoTest::write_settings($server, preload(%settings));
	if ($server->start(fail_ok => 1))
	{
		return 'it started';
	}
	$log = slurp_file($server->logfile, $offset);
	SnoTest::write_settings($server, preload());
	$server->start;
	return $log;
}

# Without preloading
{
	my $automatic;
	my $role = [ '-U', 'app' ];
	my $to_preload = qr/HINT: +Add "sno" to shared_preload_libraries/;

	foreach my $setting (sort keys %other)
	{
		my $refused = qr/parameter "$setting" is set, but sno is not preloaded.*$to_preload/s;

		local $ENV{PGOPTIONS} = "-c $setting=$other{$setting}";

		# Nobody has used sno since this start: the shared memory is not there yet
		$server->restart;
		is_error($server, 'postgres', 'SELECT sno_generate()', '55P02', $refused,
			"a client that sets $setting is told to preload", extra_params => $role);
		is_error($server, 'postgres', 'SELECT sno_generate()', '55P02', $refused,
			"so is a superuser's that sets $setting");
		is_error($server, 'postgres', 'SELECT * FROM sno_stat', '55P02', $refused,
			"nor does sno_stat ignore $setting");
		is($server->safe_psql('postgres', "SELECT sno_meta('2222222222222222'::sno)"), '0',
			"ids can be read with $setting set");

		delete $ENV{PGOPTIONS};
		is(stat_of('postgres', $shown), $defaults,
			"$setting of the first client decides nothing");
	}

	$server->restart;
	$automatic = stat_of('postgres', 'partition');
	is(stat_of('other', 'partition'), $automatic,
		'databases of a cluster have the same automatic partition');
	$server->restart;
	is($server->safe_psql('other', 'SELECT sno_partition(sno_generate())'),
		$automatic, 'a restart leaves the automatic partition');
	configure($server, preload());
	is(stat_of('postgres', 'partition'), $automatic,
		'preloading leaves the automatic partition');
	configure($server, {});

	foreach my $set (
		'SET sno.partition = 9',
		'BEGIN; SET LOCAL sno.partition = 9',
		"SELECT set_config('sno.partition', '9', false)")
	{
		is_error($server, 'postgres', "$set; SELECT sno_generate()", '55P02',
			$to_preload, "before the library is loaded, $set is refused by it");
		is_error($server, 'postgres', "SELECT sno_generate(); $set", '42602',
			qr/"sno" is a reserved prefix/, "after it is loaded, $set is refused by the server");
	}

	foreach my $target ('ROLE configured', 'DATABASE other')
	{
		my $database = $target =~ /DATABASE/ ? 'other' : 'postgres';
		my $user = $target =~ /ROLE/ ? 'configured' : 'app';

		$server->safe_psql('postgres', "ALTER $target SET sno.partition = 9");
		$server->restart;
		is_error($server, $database, 'SELECT sno_generate()', '55P02', $to_preload,
			"a setting of $target is refused", extra_params => [ '-U', $user ]);
		is(stat_of('postgres', "partition, $shown"), "$automatic|$defaults",
			"a setting of $target decides nothing for others");
		$server->safe_psql('postgres', "ALTER $target RESET sno.partition");
	}

	# A worker goes by what its session is told, by the client or of its role,
	# whichever of the two loads the library first
	$server->safe_psql('postgres', <<'EOF');
ALTER ROLE configured SET sno.partition = 9;
CREATE TABLE spread WITH (parallel_workers = 2) AS SELECT n FROM generate_series(1, 100) AS n;
GRANT SELECT ON spread TO PUBLIC;
CREATE FUNCTION generate_anywhere() RETURNS integer
	LANGUAGE plpgsql PARALLEL SAFE AS 'BEGIN RETURN sno_partition(sno_generate()); END';
CREATE FUNCTION stat_anywhere() RETURNS integer
	LANGUAGE plpgsql PARALLEL SAFE AS 'BEGIN RETURN partition FROM sno_stat; END';
EOF
	foreach my $call ('generate_anywhere()', 'stat_anywhere()')
	{
		my $options = join(' ', map { "-c $_" }
			qw(parallel_setup_cost=0 min_parallel_table_scan_size=0 parallel_leader_participation=off));
		my $query = "SELECT min($call) FROM spread";
		my $refused = qr/parameter "sno.partition" is set, .*$to_preload.*CONTEXT:.*\bparallel worker\b/s;

		local $ENV{PGOPTIONS} = $options;
		is($server->safe_psql('postgres',
				"ALTER ROLE CURRENT_USER SET sno.partition = 9; $query; ALTER ROLE CURRENT_USER RESET sno.partition"),
			$automatic, "$call in a worker, when a later session would be told otherwise");
		foreach my $user ('app', 'configured')
		{
			local $ENV{PGOPTIONS} = "$options -c sno.partition=9" if $user eq 'app';
			foreach my $before ('', "SELECT sno_meta('2222222222222222'); ")
			{
				is_error($server, 'postgres', "$before$query", '55P02', $refused,
					"$before$call in a worker of $user", extra_params => [ '-U', $user ]);
			}
		}
	}
	$server->safe_psql('postgres', 'ALTER ROLE configured RESET sno.partition');

	foreach my $setting (sort keys %other)
	{
		configure($server, { $setting => $other{$setting} });
		is_error($server, 'postgres', 'SELECT sno_generate()', '55P02', $to_preload,
			"$setting in postgresql.conf is refused without preloading");
	}
	SnoTest::write_settings($server, {});
	$server->reload;
	ok($server->poll_query_until('postgres', "SELECT current_setting('sno.sequence_max', true) IS NULL"),
		'the setting is taken back');
	is(stat_of('postgres', "partition, $shown"), "$automatic|$defaults",
		'and the defaults hold without a restart');
}

# Settings of a session
foreach my $settings ({}, preload())
{
	my $how = %$settings ? 'preloaded' : 'not preloaded';
	my $role = [ '-U', 'app' ];
	my $show = sub {
		my ($setting, $options, $user) = @_;
		my ($code, $output, $errors);

		local $ENV{PGOPTIONS} = $options;
		($code, $output, $errors) = $server->psql('postgres',
			"DO 'BEGIN PERFORM sno_generate(); END'; SHOW $setting",
			extra_params => [ '-U', $user ]);
		return $output;
	};
	my $superuser = $server->safe_psql('postgres', 'SELECT current_user');

	configure($server, $settings);
	is($show->('sno.wait_timeout', '', 'app'), '10s',
		"$how: sno.wait_timeout has its default");
	is($show->('sno.wait_timeout', '-c sno.wait_timeout=123', 'app'), '123ms',
		"$how: any client sets sno.wait_timeout");
	is($show->('sno.codec', '-c sno.codec=scalar', $superuser), 'scalar',
		"$how: a superuser sets sno.codec");
	isnt($show->('sno.codec', '-c sno.codec=scalar', 'app') // '', 'scalar',
		"$how: an ordinary client's options do not set sno.codec");
	is_error($server, 'postgres', 'SELECT sno_generate(); SET sno.codec = scalar',
		'42501', qr/permission denied to set parameter "sno.codec"/,
		"$how: an ordinary user does not set sno.codec",
		extra_params => $role);
	is_error($server, 'postgres', 'SELECT sno_generate(); SET sno.codec = abacus',
		'22023', qr/invalid value for parameter "sno.codec": "abacus"/,
		"$how: sno.codec takes only a codec that there is");
	is_error($server, 'postgres', 'SELECT sno_generate(); SET sno.wait_timeout = -2',
		'22023', qr/-2 ms is outside the valid range/, "$how: sno.wait_timeout has a range");
}

# With preloading
{
	my $fixed = qr/parameter "sno\.\w+" cannot be changed without restarting the server/;

	is(stat_of('postgres', $shown), $defaults, 'preloaded, the defaults are the same');
	configure($server, preload(%other));
	is(stat_of('postgres', "partition, $shown"),
		'9|configured|2|100|200|202|1', 'every setting is in effect');
	is($server->safe_psql('postgres', 'SELECT array_agg(sno_partition(id)), array_agg(sno_sequence(id))'
			. ' FROM (SELECT sno_generate_many(1) AS id) AS t'),
		'{9}|{100}', 'ids have the partition and the sequence of the settings');

	foreach my $setting (sort keys %other)
	{
		is_error($server, 'postgres', "SET $setting = 5", '55P02', $fixed,
			"nobody changes $setting in a session");

		local $ENV{PGOPTIONS} = "-c $setting=5";
		my ($code, $output, $message) = $server->psql('postgres', 'SELECT sno_generate()');
		ok($code == 2 && $message =~ $fixed, "a client that sets $setting is refused");
	}
	is(stat_of('postgres', "partition, $shown"),
		'9|configured|2|100|200|202|1', 'and nothing has changed');

	foreach my $case (
		[ 'the last partition', { 'sno.partition' => 65535 }, '65535|configured|1|0|65535|65536|64' ],
		[ 'as many partitions as there can be', { 'sno.partition' => 65408, 'sno.partition_count' => 128 },
			'65408|configured|128|0|65535|8388608|64' ],
		[ 'the first four sequences', { 'sno.partition' => 0, 'sno.sequence_max' => 3 },
			'0|configured|1|0|3|4|64' ],
		[ 'the last four, in the other order',
			{ 'sno.partition' => 0, 'sno.sequence_min' => 65535, 'sno.sequence_max' => 65532 },
			'0|configured|1|65532|65535|4|64' ],
		[ 'the longest leases', { 'sno.partition' => 1, 'sno.lease_limit' => 4096 },
			'1|configured|1|0|65535|65536|4096' ])
	{
		my ($name, $settings, $expected) = @$case;

		configure($server, preload(%$settings));
		is(stat_of('postgres', "partition, $shown"), $expected, "$name can be set");
	}

	foreach my $case (
		[ 'sno.partition', -2 ], [ 'sno.partition', 65536 ],
		[ 'sno.partition_count', 0 ], [ 'sno.partition_count', 129 ],
		[ 'sno.sequence_min', -1 ], [ 'sno.sequence_min', 65536 ],
		[ 'sno.sequence_max', -1 ], [ 'sno.sequence_max', 65536 ],
		[ 'sno.lease_limit', 0 ], [ 'sno.lease_limit', 4097 ],
		[ 'sno.partition', 'nine' ])
	{
		my ($setting, $value) = @$case;

		like(refusal($setting => $value), qr/FATAL:.*"$setting"/,
			"the server does not start with $setting = $value");
	}
	like(refusal('sno.sequence_min' => 10, 'sno.sequence_max' => 12),
		qr/FATAL:.*sno.sequence_min and sno.sequence_max leave too few sequences: 3/,
		'nor with a pool of three');
	like(refusal('sno.sequence_min' => 12, 'sno.sequence_max' => 10),
		qr/FATAL:.*sno.sequence_min and sno.sequence_max leave too few sequences: 3/,
		'nor with a pool of three in the other order');
	like(refusal('sno.partition' => 65409, 'sno.partition_count' => 128),
		qr/FATAL:.*sno.partition and sno.partition_count reach beyond the last partition/,
		'nor with more partitions than there are');
}

# After a crash of a session
foreach my $settings ({}, preload(%other))
{
	my $how = %$settings ? 'preloaded' : 'not preloaded';
	my ($victim, $pid, $offset, $before, $stat);

	configure($server, $settings);
	$stat = stat_of('postgres', "partition, $shown");
	$before = $server->safe_psql('postgres', 'SELECT sno_generate()');
	$victim = $server->background_psql('postgres', on_error_stop => 0);
	$pid = $victim->query_safe("SELECT pg_backend_pid()");
	$offset = -s $server->logfile;
	system_or_bail('pg_ctl', 'kill', 'KILL', $pid);
	$server->wait_for_log(qr/reinitializing.*ready to accept connections/s, $offset);
	eval { $victim->quit };

	is($server->safe_psql('postgres', "SELECT sno_generate() > '$before'"),
		't', "$how: after a crash ids are generated again, above those of before");
	is(stat_of('postgres', "partition, $shown"), $stat, "$how: with the same settings");
}

done_testing();
