# SnoTest.pm
#	What the cluster tests share: servers with sno, sessions that run at the same
#	time, and the checks on the ids these received; and all that Test::More and
#	PostgreSQL::Test have for tests.
#
# The checks on large numbers of ids are made of sort and uniq on the text form,
# whose order as bytes is the order of the ids: they rely on nothing of what is tested.
package SnoTest;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use File::Basename qw(basename);
use IPC::Run;
use Test::More;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(
  new_server new_standby write_settings configure preload
  query answer_of error_of is_error wait_until wait_for_lock
  run_sessions race_sessions start_sessions start_waiting finish_sessions end_sessions
  ids_file set_file page_block seed_random pick output_of id_count duplicates
);
push @EXPORT, @Test::More::EXPORT, @PostgreSQL::Test::Utils::EXPORT;

# Text forms are compared as bytes, whatever the locale
$ENV{LC_ALL} = 'C';

# new_server(NAME, [settings => {...}], [databases => [...]], [init => {...}],
#	[clock => that of new_clock()], [cluster => {...}])
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

# new_standby(PRIMARY, NAME, [CLOCK]): running, and streaming
sub new_standby
{
	my ($primary, $name, $clock) = @_;
	my $standby = PostgreSQL::Test::Cluster->new($name);

	$primary->backup($name);
	$standby->init_from_backup($primary, $name, has_streaming => 1);
	$clock ? $clock->run(sub { $standby->start }) : $standby->start;
	return $standby;
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

# preload(SETTING => VALUE, ...): these settings, which take effect where sno is preloaded
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

# pick(VALUE, ...): one of them, at random
sub pick
{
	return $_[ rand(@_) ];
}

# query(SERVER, SQL, [psql parameters]): what the statements return in the database "postgres"
sub query
{
	my ($server, $sql, %params) = @_;

	return $server->safe_psql('postgres', $sql, %params);
}

# answer_of(SESSION, SQL): what the statements return in a session of
# background_psql, without what the one of 16.2 leaves over: ends of lines, and after
# no row its separator; dies if one failed
sub answer_of
{
	my ($session, $sql) = @_;

	return $session->query_safe($sql) =~ s{\A\n?(background_psql: QUERY_SEPARATOR\n?\z)?|\n\z}{}gr;
}

# wait_until(SERVER, CONDITION): for what comes without our doing
sub wait_until
{
	my ($server, $condition) = @_;

	return $server->poll_query_until('postgres', "SELECT $condition") || die "in vain: $condition";
}

# wait_for_lock(SERVER, [SESSIONS]): until so many, one by default, wait for a lock
sub wait_for_lock
{
	my ($server, $sessions) = @_;

	return wait_until($server, 'count(*) = ' . ($sessions // 1) . ' FROM pg_locks WHERE NOT granted');
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

# start_sessions({server =>, sql =>, [output =>], [options =>]}, ...)
# Runs each script in a psql of its own, all at the same time; returns what was given,
# with the running psql.  The output goes to the file, if there is one.
sub start_sessions
{
	my @sessions = @_;
	my $number = 0;

	foreach my $session (@sessions)
	{
		my $script = ids_file('session_' . $number++) . '.sql';
		my $options = $session->{options} // $ENV{PGOPTIONS} // '';

		set_file($script, $session->{sql});
		$session->{errors} = '';
		$session->{psql} = IPC::Run::start(
			[
				'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose', '-f', $script,
				'-d', $session->{server}->connstr('postgres') . " options='$options'"
			],
			'<', '/dev/null', '>', $session->{output} // '/dev/null', '2>', \$session->{errors});
	}
	return @sessions;
}

# start_waiting(SERVER, EVENT, SQL): a session whose script waits, and the process that does.
# Before 17, the events of extensions have no names.
sub start_waiting
{
	my ($server, $event, $sql) = @_;
	my ($session) = start_sessions(
		{ server => $server, output => ids_file($event), sql => "SET application_name = '$event';\n$sql\n" });
	my $waiting = "FROM pg_stat_activity WHERE application_name = '$event'";
	my $name = $server->pg_version < 17 && $event =~ /^Sno/ ? 'Extension' : $event;

	wait_until($server, "count(*) = 1 $waiting AND wait_event ILIKE '$name'");
	return ($session, query($server, "SELECT pid $waiting"));
}

# Waits until all have ended, in success or not
sub end_sessions
{
	my @sessions = @_;

	$_->{psql}->finish foreach @sessions;
	return;
}

# The same, and dies if one failed
sub finish_sessions
{
	my @sessions = @_;

	end_sessions(@sessions);
	$_->{psql}->result == 0 or die "a session failed: $_->{errors}" foreach @sessions;
	return;
}

sub run_sessions
{
	return finish_sessions(start_sessions(@_));
}

# race_sessions(...): as run_sessions(), but no script begins before all the sessions, of one
# server, are connected
sub race_sessions
{
	my @sessions = @_;
	my $server = $sessions[0]{server};
	my $gate = $server->background_psql('postgres');

	$gate->query_safe('SELECT pg_advisory_lock(0)');
	$_->{sql} = "DO 'BEGIN PERFORM pg_advisory_lock_shared(0); END';\n$_->{sql}"
	  foreach @sessions;
	start_sessions(@sessions);
	wait_for_lock($server, scalar @sessions);
	$gate->quit;
	return finish_sessions(@sessions);
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

# How many ids are duplicated, in one file or in several
sub duplicates
{
	output_of("sort -c $_ 2>/dev/null || sort -o $_ $_") foreach @_;
	return output_of("sort -m @_ | uniq -d | wc -l") + 0;
}

1;
