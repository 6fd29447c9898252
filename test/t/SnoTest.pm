# SnoTest.pm
#	What the cluster tests share: servers with sno, sessions that run at the
#	same time, and the checks on the ids these received.
#
# The checks on large numbers of ids are made of sort and uniq on the text
# form, whose order as bytes is the order of the ids, so that they rely on
# nothing of what is tested.
package SnoTest;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use File::Basename qw(basename);
use IPC::Run;
use Test::More;
use Time::HiRes qw(usleep);

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(
  new_server write_settings configure preload
  query answer_of error_of is_error ends_in_error is_ended
  run_sessions race_sessions start_sessions start_waiting finish_sessions end_sessions
  ids_file set_file page_block seed_random
  output_of id_count disorders duplicates overlap
  crash crash_and_start first_id is_quick is_reserved log_lines
);

my $waiting = 0;

# Text forms are compared as bytes, whatever the locale
$ENV{LC_ALL} = 'C';

# new_server(NAME, [settings => {...}], [databases => [...]], [init => {...}],
#	[clock => SnoClock], [cluster => {...}])
# A running server with sno in the databases, by default only "postgres".  The
# settings can be exchanged later by configure().  The limit of a statement is
# there so that a test fails rather than waits for ever.
sub new_server
{
	my ($name, %params) = @_;
	my $server = PostgreSQL::Test::Cluster->new($name, %{ $params{cluster} // {} });

	$server->init(%{ $params{init} // {} });
	$server->append_conf('postgresql.conf', <<'EOF');
log_statement = none
autovacuum = off
max_connections = 40
statement_timeout = '180s'
include = 'test.conf'
EOF
	# The handler of an alarm reads the clock, for which libfaketime allocates memory
	$server->append_conf('postgresql.conf', "deadlock_timeout = '10min'") if $params{clock};
	write_settings($server, $params{settings} // {});
	$params{clock} ? $params{clock}->run(sub { $server->start }) : $server->start;
	foreach my $database (@{ $params{databases} // ['postgres'] })
	{
		query($server, "CREATE DATABASE $database") if $database ne 'postgres';
		$server->safe_psql($database, 'CREATE EXTENSION sno');
	}
	return $server;
}

# write_settings(SERVER, SETTINGS): for the next start; these alone
sub write_settings
{
	my ($server, $settings) = @_;

	return set_file($server->data_dir . '/test.conf',
		join('', map { "$_ = '$settings->{$_}'\n" } sort keys %$settings));
}

# configure(SERVER, SETTINGS): restarts it with these settings alone
sub configure
{
	my ($server, $settings) = @_;

	write_settings($server, $settings);
	$server->restart;
	return;
}

# preload(SETTING => VALUE, ...): these settings, and what makes them settings
sub preload
{
	return { shared_preload_libraries => 'sno', @_ };
}

# seed_random(): seeds rand() by SEED of the environment, or by a number of its
# own.  It is printed: test/run says how to repeat a run that failed.
sub seed_random
{
	my $seed = $ENV{SEED} // int(rand(2**31));

	srand($seed);
	note "SEED=$seed";
	return;
}

# query(SERVER, SQL, [psql parameters]): what the statements return in the
# database "postgres"
sub query
{
	my ($server, $sql, %params) = @_;

	return $server->safe_psql('postgres', $sql, %params);
}

# answer_of(SESSION, SQL): what the statements return in a session of
# background_psql, without the ends of lines that the one of 16.2 leaves over; dies if
# one failed
sub answer_of
{
	my ($session, $sql) = @_;

	return $session->query_safe($sql) =~ s/\A\n|\n\z//gr;
}

# error_of(SERVER, DATABASE, SQL, [psql parameters])
# The SQLSTATE of the error of the statements, and all that was said about it;
# '' if there was none.
sub error_of
{
	my ($server, $database, $sql, %params) = @_;
	my $extra = delete $params{extra_params} // [];
	my ($code, $output, $message) = $server->psql(
		$database, $sql, %params,
		extra_params => [ '-v', 'VERBOSITY=verbose', @$extra ]);

	return ('', $output) if $code == 0;
	return ("exit code $code", $message)
	  unless $message =~ /(?:ERROR|FATAL):  (\w{5}): /;
	return ($1, $message);
}

# is_error(SERVER, DATABASE, SQL, SQLSTATE, PATTERN, NAME, [psql parameters])
sub is_error
{
	my ($server, $database, $sql, $expected, $pattern, $name, %params) = @_;
	my ($sqlstate, $message) = error_of($server, $database, $sql, %params);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return ok($sqlstate eq $expected && $message =~ $pattern, $name)
	  || diag("SQLSTATE '$sqlstate' instead of '$expected', or not $pattern:\n$message");
}

# ends_in_error(SESSION, SQLSTATE, PATTERN, NAME): of start_sessions()
sub ends_in_error
{
	my ($session, $expected, $pattern, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	$session->{psql}->finish;
	return like($session->{errors}, qr/(ERROR|FATAL):  $expected: .*$pattern/s, $name);
}

# run_sessions({server =>, sql =>, [database =>], [output =>], [options =>]}, ...)
# Runs each script in a psql of its own, all at the same time; returns when all
# have ended and dies if one failed.  The database is "postgres" by default, the
# output goes to the file, if there is one, and the options are PGOPTIONS.
sub run_sessions
{
	finish_sessions(start_sessions(@_));
	return;
}

# The first half of run_sessions(): what was given, with the running psql
sub start_sessions
{
	my @sessions = @_;
	my $number = 0;

	foreach my $session (@sessions)
	{
		my $script = ids_file('session_' . $number++) . '.sql';
		my $output = $session->{output} // '/dev/null';
		my $options = $session->{options} // '';

		$session->{database} //= 'postgres';
		unlink $script;
		append_to_file($script, $session->{sql});
		$session->{errors} = '';
		$session->{psql} = IPC::Run::start(
			[
				'psql', '-XAtq',
				'-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose',
				'-d', $session->{server}->connstr($session->{database})
				  . " options='$options'",
				'-f', $script
			],
			'<', '/dev/null', '>', $output, '2>', \$session->{errors});
	}
	return @sessions;
}

# start_waiting(SERVER, EVENT, SQL, [PGOPTIONS]): a session whose statement may
# wait without end, and does: returns it and its process.  Before 17 events have
# no names.
sub start_waiting
{
	my ($server, $event, $sql, $options) = @_;
	my $name = 'waiting_' . $waiting++;
	my ($session) = start_sessions(
		{   server => $server,
			options => $options,
			sql => "SET application_name = '$name';\nSET sno.wait_timeout = 0;\n$sql;\n" });

	$event = 'Extension' if $server->pg_version < 17;
	$server->poll_query_until('postgres', <<"EOF") or die 'the session does not wait';
SELECT count(*) = 1 FROM pg_stat_activity
WHERE application_name = '$name' AND wait_event_type = 'Extension' AND wait_event = '$event'
EOF
	return ($session, query($server, "SELECT pid FROM pg_stat_activity WHERE application_name = '$name'"));
}

# is_ended(SERVER, EVENT, SQL, NAME, [PGOPTIONS]): tests that a statement which
# waits without end, and is to be seen to, ends when it is told to
sub is_ended
{
	my ($server, $event, $sql, $name, $options) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is_error($server, 'postgres', "SET sno.wait_timeout = 0; SET statement_timeout = '200ms'; $sql",
		'57014', qr/statement timeout/, "$name: statement_timeout ends it");
	foreach my $way ([ 'cancel', '57014', 'user request' ], [ 'terminate', '57P01', 'terminating connection' ])
	{
		my ($verb, $sqlstate, $message) = @$way;
		my ($session, $pid) = start_waiting($server, $event, $sql, $options);

		query($server, "SELECT pg_${verb}_backend($pid)");
		ends_in_error($session, $sqlstate, $message, "$name: pg_${verb}_backend ends it");
	}
	return;
}

# Waits until all have ended, in success or not
sub end_sessions
{
	my @sessions = @_;

	$_->{psql}->finish foreach @sessions;
	return;
}

# The second half of run_sessions()
sub finish_sessions
{
	my @sessions = @_;

	end_sessions(@sessions);
	$_->{psql}->result == 0 or die "a session failed: $_->{errors}" foreach @sessions;
	return;
}

# race_sessions(...): as run_sessions(), but no script begins before all the
# sessions are connected.  They must be of one server.
sub race_sessions
{
	my @sessions = @_;
	my $server = $sessions[0]{server};
	my %databases = map { $_->{database} // 'postgres' => 1 } @sessions;
	my @gates = map { $server->background_psql($_) } keys %databases;

	# An advisory lock for each database
	$_->query_safe('SELECT pg_advisory_lock(0)') foreach @gates;
	$_->{sql} = "DO 'BEGIN PERFORM pg_advisory_lock_shared(0); END';\n$_->{sql}"
	  foreach @sessions;
	start_sessions(@sessions);
	$server->poll_query_until('postgres',
		"SELECT count(*) = ${\scalar @sessions} FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
	  or die 'the sessions did not come to the gate';
	$_->quit foreach @gates;
	finish_sessions(@sessions);
	return;
}

# ids_file(NAME): where the ids of a session go; other tests run at the same time
sub ids_file
{
	my ($name) = @_;

	return "${PostgreSQL::Test::Utils::tmp_check}/" . basename($0, '.pl') . "_$name";
}

# set_file(FILE, CONTENT): exchanges it, so that no reader gets half of either
sub set_file
{
	my ($file, $content) = @_;

	unlink "$file.new";
	append_to_file("$file.new", $content);
	rename("$file.new", $file) or die "$file: $!";
	return;
}

# page_block(PAGE, LINE): the block of code in the page that begins with this line,
# or comes after it
sub page_block
{
	my ($page, $line) = @_;
	my ($block) = slurp_file("$ENV{TESTDIR}/$page") =~ /^(?:\Q$line\E\n+```\w+\n|```\w+\n(?=\Q$line\E))(.*?)^```$/ms;

	return $block // die "$page has no $line";
}

# What a shell command prints; dies if it fails
sub output_of
{
	my ($command) = @_;
	my $output = qx(set -e; $command);

	die "failed: $command" if $? != 0;
	chomp $output;
	return $output;
}

# All ids in the files
sub id_count
{
	return output_of("cat @_ | wc -l") + 0;
}

# How many of the files, of one session each, do not ascend
sub disorders
{
	return scalar grep { system("sort -cu $_ 2>/dev/null") != 0 } @_;
}

# How many ids are duplicated, in one file or in several
sub duplicates
{
	foreach my $file (@_)
	{
		output_of("sort -c $file 2>/dev/null || sort -o $file $file");
	}
	return output_of("sort -m @_ | uniq -d | wc -l") + 0;
}

# Were all these sessions generating at the same time, for a while?
# The files are those of ascending sessions.
sub overlap
{
	my @first = sort map { output_of("head -n 1 $_") } @_;
	my @last = sort map { output_of("tail -n 1 $_") } @_;

	return $first[-1] lt $last[0];
}

# crash(SERVER): kills the postmaster, which is stopped first so that it gets no more
# children, and then these, which may not notice for long; returns when they are gone
sub crash
{
	my ($server) = @_;
	my ($postmaster) = slurp_file($server->data_dir . '/postmaster.pid') =~ /^(\d+)/;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;
	my @children;

	kill 'STOP', $postmaster;
	while ((process($postmaster))[0] ne 'T')
	{
		die 'a postmaster does not stop' if $attempts-- == 0;
		usleep(1000);
	}
	@children = grep { (process($_))[1] == $postmaster } map { /(\d+)/ } glob '/proc/[0-9]*';
	$server->kill9;
	kill 9, @children;
	while (kill(0, $postmaster) || grep { (process($_))[0] ne 'Z' } @children)
	{
		die 'a server that was killed stays' if $attempts-- == 0;
		usleep(10_000);
	}
	return;
}

# crash_and_start(SERVER, CLOCK, [SECONDS]): starts again, as if at the moment of
# the crash, or this much earlier
sub crash_and_start
{
	my ($server, $clock, $back_s) = @_;

	$clock->stand_still(sub { crash($server) });
	$clock->set($clock->offset_s - ($back_s // 0));
	$clock->run(sub { $server->start });
	return;
}

# State and parent of a process; of one that is gone, as of one whose parent has not
# asked for its end yet
sub process
{
	my ($pid) = @_;
	my $line = '';

	if (open(my $file, '<', "/proc/$pid/stat"))
	{
		$line = <$file> // '';
	}
	return $line =~ /\) (\S) (\d+) / ? ($1, $2) : ('Z', 0);
}

# first_id(SERVER): as soon as the server accepts connections, an id, its plane, and
# the seconds this took from the start of the connection
sub first_id
{
	my ($server) = @_;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;

	while ($attempts-- > 0)
	{
		my ($code, $output, $message) = $server->psql('postgres', <<'EOF');
WITH made AS MATERIALIZED (SELECT sno_generate() AS id)
SELECT id, sno_tick_tock(id), extract(epoch FROM clock_timestamp() -
	(SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()))
FROM made
EOF
		return split /\|/, $output if $code == 0;
		die "no first id: $message" if $message =~ /ERROR:/;
		usleep(10_000);
	}
	die 'the server does not accept connections';
}

# is_quick(SECONDS, NAME): within the bound that is promised for a first id
sub is_quick
{
	my ($s, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return cmp_ok($s, '<', 2, "$name (within 2 s)");
}

# log_lines(SERVER, PATTERN): how many messages of the server's log match that
# are not errors of a session
sub log_lines
{
	my ($server, $pattern) = @_;

	return scalar grep { /LOG:  .*$pattern/ } split /\n/, slurp_file($server->logfile);
}

# is_reserved(SERVER, NAME, ID, ...): are these ids covered by the record?
sub is_reserved
{
	my ($server, $name, @ids) = @_;
	my $values = join ', ', map { "(sno '$_')" } @ids;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($server->safe_psql('postgres', <<"EOF"), '', $name);
SELECT id, ticks, plane, sno_snapshot()
FROM (VALUES $values) AS ids (id),
	LATERAL (SELECT (extract(epoch FROM sno_timestamp(id)) - 1262304000) * 250, sno_tick_tock(id)::int) AS parts (ticks, plane)
WHERE ticks > (sno_snapshot()->'planes'->plane->>'reserved')::bigint
EOF
}

1;
