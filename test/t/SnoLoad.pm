# SnoLoad.pm
#	Sessions that make ids until they are stopped, or the server dies, and what
#	is checked on all that they received.
#
# IDS=n in the environment makes the loads n times as large.
package SnoLoad;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Test::More;
use Time::HiRes qw(usleep);

use PostgreSQL::Test::Utils;

use SnoTest;

our @EXPORT = qw(
  load_size start_load wait_for_ids stop_load
  create_batches start_batches surviving_ids
  no_duplicates
);

use constant {
	BATCH_IDS => 2000,			# that a client receives in a transaction
	BATCH_ROWS => 20,			# with an id each, that are inserted in it
};

# load_size(IDS): how many ids are asked for where IDS are by default
sub load_size
{
	my ($ids) = @_;

	return $ids * ($ENV{IDS} // 1);
}

# What the sessions of a load do until they are stopped.  A subquery whose rows
# come from its select list yields them one at a time.
my @loads = (
	'COPY (SELECT sno_generate_many(2000000000)) TO STDOUT;',
	'COPY (SELECT sno_generate() FROM (SELECT generate_series(1, 2000000000)) AS n) TO STDOUT;',
	'COPY (SELECT unnest(sno_generate_array(50)) FROM (SELECT generate_series(1, 2000000000)) AS n) TO STDOUT;',
	"SELECT 'SELECT sno_generate()' FROM generate_series(1, 50000) \\gexec\n" x 1000);

# start_load(SERVER, FILE, ...): a session for each file that makes ids: many in
# a call, a call for each, arrays, and a statement for each, in turn.  They go
# on until stop_load() or the end of the server, and leave in the files what
# they received.  Returns when all have begun.
sub start_load
{
	my ($server, @files) = @_;
	my $number = 0;

	return start_endless($server, map { [ $_, $loads[ $number++ % @loads ] ] } @files);
}

# The same for files with a script each
sub start_endless
{
	my ($server, @scripts) = @_;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;
	my @sessions = start_sessions(
		map {
			my ($file, $sql) = @$_;

			{   server => $server,
				database => 'postgres',
				options => '-c sno.wait_timeout=-1',
				output => $file,
				sql => "SET application_name = 'load';\n$sql\n" }
		} @scripts);

	while (my @waiting = grep { -z $_->{output} } @sessions)
	{
		$_->{psql}->pump_nb foreach grep { $_->{psql}->pumpable } @waiting;
		die 'not all sessions make ids: ' . join('', map { $_->{errors} } @waiting)
		  if $attempts-- == 0 || grep { $_->{errors} ne '' } @waiting;
		usleep(10_000);
	}
	return @sessions;
}

# wait_for_ids(SERVER, IDS): until so many more were made
sub wait_for_ids
{
	my ($server, $ids) = @_;
	my $until = $ids + $server->safe_psql('postgres', 'SELECT slots_claimed FROM sno_stat');

	$server->poll_query_until('postgres', "SELECT slots_claimed >= $until FROM sno_stat")
	  or die "there are no $ids ids";
	return;
}

# Ends the sessions of start_load(); dies if one had failed.  A session that is
# blocked, because the client is slow, is not told why it ends.
sub stop_load
{
	my ($server, @sessions) = @_;

	$server->safe_psql('postgres',
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'load'");
	end_sessions(@sessions);
	foreach my $session (@sessions)
	{
		die "a session failed: $session->{errors}"
		  if $session->{errors} ne '' && $session->{errors} !~ /FATAL:  57P01: |server closed the connection unexpectedly/;
	}
	return;
}

# create_batches(SERVER): the tables for what follows
sub create_batches
{
	my ($server) = @_;

	$server->safe_psql('postgres', <<'EOF');
CREATE TABLE made (id sno NOT NULL DEFAULT sno_generate(), n int);
CREATE TABLE batches (file text, batch int);
EOF
	return;
}

# start_batches(SERVER, FILE, ...): as start_load(), but each session makes its
# ids in transactions that insert a row for each batch the client received, and
# some rows with ids of their own.  They go on until stop_load() or the end of
# the server.
sub start_batches
{
	my ($server, @files) = @_;
	my $ids = load_size(BATCH_IDS);
	my $rows = BATCH_ROWS;

	return start_endless(
		$server,
		map {
			my $file = $_;

			[   $file,
				join '', map { <<"EOF" } 1 .. 5000 ]
BEGIN;
COPY (SELECT sno_generate_many($ids)) TO STDOUT;
INSERT INTO made (n) SELECT generate_series(1, $rows);
INSERT INTO batches VALUES ('$file', $_);
COMMIT;
EOF
		} @files);
}

# surviving_ids(SERVER, NAME): files with all the ids that were made by the
# transactions of start_batches() which this server has: those of its rows, and
# those that clients received
sub surviving_ids
{
	my ($server, $name) = @_;
	my $number = 0;
	my @survivors = (ids_file("${name}_rows"));

	run_sessions(
		{   server => $server,
			database => 'postgres',
			sql => "COPY (SELECT id FROM made) TO STDOUT;\n",
			output => $survivors[0] });
	foreach my $line (split /\n/,
		$server->safe_psql('postgres', 'SELECT file, max(batch) FROM batches GROUP BY file'))
	{
		my ($file, $batch) = split /\|/, $line;
		my $ids = $batch * load_size(BATCH_IDS);
		my $survivor = ids_file("${name}_" . ++$number);

		output_of("head -n $ids $file > $survivor");
		die "$file: $ids ids are missing" if id_count($survivor) != $ids;
		push @survivors, $survivor;
	}
	return @survivors;
}

# no_duplicates(NAME, FILE, ...): a test that no id comes twice, in one file or
# in several, where none is cut off.  The files go.
sub no_duplicates
{
	my ($name, @files) = @_;

	note id_count(@files) . ' ids to check';
	die 'something else than ids was received'
	  if output_of("cat @files | grep -cvxE '[2-9a-x]{16}' || true") != 0;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(duplicates(@files), 0, $name);
	unlink @files;
	return;
}

1;
