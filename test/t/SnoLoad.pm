# SnoLoad.pm
#	Sessions that make ids until they are stopped, or the server dies, and what
#	is checked on all that they received.
package SnoLoad;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Test::More;
use Time::HiRes qw(usleep);

use PostgreSQL::Test::Utils;

use SnoTest;

our @EXPORT = qw(
  load_files start_load start_endless wait_for_ids stop_load load
  start_batches surviving_ids
  no_duplicates goes_on
);

use constant {
	SESSIONS => 8,
	LOAD_IDS => 300_000,
	BATCH_IDS => 2000,			# that a client receives in a transaction
	BATCH_ROWS => 20,			# with an id each, that are inserted in it
};

# load_files(NAME): where the ids of each session of a load go
sub load_files
{
	my ($name) = @_;

	return map { ids_file("${name}_$_") } 1 .. SESSIONS;
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

# start_endless(SERVER, [FILE, SCRIPT], ...): the same with other scripts
sub start_endless
{
	my ($server, @scripts) = @_;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;
	my @sessions = start_sessions(
		map {
			my ($file, $sql) = @$_;

			{   server => $server,
				options => '-c sno.wait_timeout=0',
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

# wait_for_ids(SERVER, [IDS]): until that number more is made, or that of a load
sub wait_for_ids
{
	my ($server, $ids) = @_;
	my $until = ($ids // LOAD_IDS) + query($server, 'SELECT slots_claimed FROM sno_stat');

	$server->poll_query_until('postgres', "SELECT slots_claimed >= $until FROM sno_stat")
	  or die 'no more ids are made';
	return;
}

# Ends the sessions of start_load(); dies if one had failed.  A session that is
# blocked, because the client is slow, is not told why it ends.
sub stop_load
{
	my ($server, @sessions) = @_;

	query($server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'load'");
	end_sessions(@sessions);
	foreach my $session (@sessions)
	{
		die "a session failed: $session->{errors}"
		  if $session->{errors} ne '' && $session->{errors} !~ /FATAL:  57P01: |server closed the connection unexpectedly/;
	}
	return;
}

# load(SERVER, NAME): a load from its start to its end; returns the files
sub load
{
	my ($server, $name) = @_;
	my @files = load_files($name);
	my @sessions = start_load($server, @files);

	wait_for_ids($server);
	stop_load($server, @sessions);
	return @files;
}

# start_batches(SERVER, FILE, ...): as start_load(), but each session makes its
# ids in transactions that insert a row for each batch the client received, and
# some rows with ids of their own.  They go on until stop_load() or the end of
# the server.
sub start_batches
{
	my ($server, @files) = @_;
	my $ids = BATCH_IDS;
	my $rows = BATCH_ROWS;

	query($server, <<'EOF');
CREATE TABLE IF NOT EXISTS made (id sno NOT NULL DEFAULT sno_generate(), n int);
CREATE TABLE IF NOT EXISTS batches (file text, batch int);
EOF
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
			sql => "COPY (SELECT id FROM made) TO STDOUT;\n",
			output => $survivors[0] });
	foreach my $line (split /\n/, query($server, 'SELECT file, max(batch) FROM batches GROUP BY file'))
	{
		my ($file, $batch) = split /\|/, $line;
		my $ids = $batch * BATCH_IDS;
		my $survivor = ids_file("${name}_" . ++$number);

		output_of("head -n $ids $file > $survivor");
		die "$file: $ids ids are missing" if id_count($survivor) != $ids;
		push @survivors, $survivor;
	}
	return @survivors;
}

# no_duplicates(NAME, FILE, ...): a test that no id is duplicated, in one file or
# in several, where none is cut off
sub no_duplicates
{
	my ($name, @files) = @_;

	note id_count(@files) . ' ids to check';
	die 'something else than ids was received'
	  if output_of("cat @files | grep -cvxE '[2-9a-x]{16}' || true") != 0;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(duplicates(@files), 0, $name);
	return;
}

# goes_on(SERVER, NAME, FILE, ...): tests that a server, however far its clock is
# behind, makes an id at once, and none of those in the files.  Returns the plane
# of the first one.
sub goes_on
{
	my ($server, $name, @old) = @_;
	my ($id, $tick_tock, $s) = first_id($server);
	my @new = load($server, 'new');

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is_quick($s, "$name: the first id comes");
	append_to_file($new[0], "$id\n");
	no_duplicates("$name: no id is made again", @old, @new);
	unlink @new;
	return $tick_tock;
}

1;
