# SnoLoad.pm
#	Sessions that make ids until they are stopped, or the server dies, and readers of
#	new rows, who poll as doc/reading-new-rows.md says, by its own SQL; and what is
#	checked on all that either received.
package SnoLoad;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Time::HiRes qw(usleep);

use SnoTest;
use SnoTrouble;

our @EXPORT = qw(
  start_endless wait_for_ids stop_load load no_duplicates goes_on pause transaction
  new_readers page_sql poll noted group_poll polls read_all read_rest misses_none
);

# What the sessions of a load do until they are stopped: many in a call, a call for each,
# arrays, and a statement for each.  A subquery whose rows come from its select list yields
# them one at a time.
my @loads = (
	'COPY (SELECT sno_generate_many(2000000000)) TO STDOUT;',
	'COPY (SELECT sno_generate() FROM (SELECT generate_series(1, 2000000000)) AS n) TO STDOUT;',
	'COPY (SELECT unnest(sno_generate_array(50)) FROM (SELECT generate_series(1, 2000000000)) AS n) TO STDOUT;',
	"SELECT 'SELECT sno_generate()' FROM generate_series(1, 50000) \\gexec\n" x 1000);

# start_endless(SERVER, [FILE, SCRIPT], ...): a session for each script, which is to make ids
# until stop_load() or the end of the server, and leaves in the file what it received.
# Returns when all have begun.
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

# wait_for_ids(SERVER, IDS): until that number more is made
sub wait_for_ids
{
	my ($server, $ids) = @_;
	my $until = $ids + query($server, 'SELECT slots_claimed FROM sno_stat()');

	wait_until($server, "slots_claimed >= $until FROM sno_stat()");
	return;
}

# Ends the sessions of start_endless(); dies if one had failed.  A session that is
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

# load(SERVER, NAME): eight sessions make ids for a while; returns the files
sub load
{
	my ($server, $name) = @_;
	my @files = map { ids_file("${name}_$_") } 1 .. 2 * @loads;
	my @sessions = start_endless($server, map { [ $files[$_], $loads[ $_ % @loads ] ] } 0 .. $#files);

	wait_for_ids($server, 100_000);
	stop_load($server, @sessions);
	return @files;
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
# behind, makes ids, and none of those in the files.  Returns the plane of the first.
sub goes_on
{
	my ($server, $name, @old) = @_;
	my ($id, $tick_tock) = first_id($server);
	my @new = load($server, 'new');

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	append_to_file($new[0], "$id\n");
	no_duplicates("$name: no id is made again", @old, @new);
	unlink @new;
	return $tick_tock;
}

sub pause { return pick('', '', map { "\\! sleep 0.00$_\n" } 1 .. 9) }

# transaction(GID, STATEMENT, STATEMENT, STATEMENT): one of the kinds that there are, with some
# of these, each of which inserts rows
sub transaction
{
	my ($gid, @rows) = @_;
	my $end = pick(qw(COMMIT COMMIT COMMIT ROLLBACK));

	return pick(
		$rows[0],
		"BEGIN;\n$rows[0]" . pause() . $rows[1] . pause() . "$end;\n",
		"BEGIN;\n$rows[0]SAVEPOINT s;\n$rows[1]" . pause() . "ROLLBACK TO s;\n$rows[2]$end;\n",
		"BEGIN;\nSAVEPOINT s;\n$rows[0]ROLLBACK TO s;\n$rows[1]" . pause() . "$end;\n",
		"DO \$\$ BEGIN $rows[0]COMMIT; $rows[1]END \$\$;\n" =~ s/SELECT/PERFORM/gr,
		"BEGIN;\n$rows[0]" . pause() . "PREPARE TRANSACTION '$gid';\n" . pause() . "$end PREPARED '$gid';\n");
}

# page_sql(BEGIN): the block of the page that begins like this
sub page_sql
{
	my ($begin) = @_;

	return page_block('doc/reading-new-rows.md', $begin);
}

# new_readers(SERVER, READER, ...): makes the tables, and readers that begin with the
# first row.  Each poll notes the rows it reads in the table "got", in its transaction:
# so no reader is to have read a row twice, or to have missed one, however it ended.
sub new_readers
{
	my ($server, @readers) = @_;

	query($server, 'CREATE TABLE got (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, reader text, id sno)');
	query($server, page_sql('CREATE TABLE reader (') =~ s/^INSERT.*//mr);
	query($server, "INSERT INTO reader VALUES ('$_')") foreach @readers;
	return;
}

# poll(RECIPE, READER, [LIMIT]): the SQL of a poll of "mailer", as the page shows it,
# becomes a script for psql of that reader, which notes the rows and moves the cursor
sub poll
{
	my ($name, $reader, $limit) = @_;
	my $sql = noted(page_sql("-- $name"), $reader);

	$sql =~ s/\bLIMIT 1000\b/LIMIT $limit/ if defined $limit;
	return $sql;
}

# noted(SQL, READER): the same with SQL of another page
sub noted
{
	my ($sql, $reader) = @_;

	$sql =~ s/^--.*\n//mg;
	$sql =~ s/'mailer'/'$reader'/g;
	$sql =~ s{^(SELECT (?:(?!\bLIMIT)[^;])*LIMIT \d+);\n(UPDATE [^;]*;\n)}{work($reader, $1, $2)}mse
		or die "nothing is read: $sql";
	return $sql;
}

# The rows of a SELECT are noted; if there are any, the cursor moves
sub work
{
	my ($reader, $select, $move) = @_;
	my $last = $select =~ /AS since\b/ ? 'since' : 'id';

	$move =~ s/'\w{16}'/:'last'/g;
	$move =~ s/'\{\w{16}\}'/:'ids'/;
	return <<"EOF";
\\set found false
WITH new AS ($select), noted AS (INSERT INTO got (reader, id) SELECT '$reader', id FROM new ORDER BY id)
SELECT count(*) > 0 AS found, (array_agg($last ORDER BY id DESC))[1] AS last, array_agg(id) AS ids FROM new \\gset
\\if :found
$move\\endif
EOF
}

# group_poll(READER): the poll of a member, as poll(); it takes the cursor that waits
sub group_poll
{
	my ($reader) = @_;
	my $sql = poll('At once', $reader);
	my $take = page_sql('-- The bucket') =~ s/^--.*\n//mr =~ s/;\n\z/ \\gset\n/r;

	$sql =~ s/^UPDATE .*?;\n/\\set name none\n\\set bucket 0\n$take/ms;
	$sql =~ s/name = '$reader'/name = :'name'/g;
	$sql =~ s/(?= AND id <= )/ AND sno_meta(id) = :bucket/;
	return $sql;
}

# polls(NUMBER, PAUSE_S, POLL, ...): a script for psql; what fails is tried again by
# the next poll
sub polls
{
	my ($number, $pause_s, @polls) = @_;

	return "\\set ON_ERROR_STOP 0\n" . (join('', @polls) . "\\! sleep $pause_s\n") x $number;
}

# read_all(SERVER, POLL, ...): when all transactions have ended; dies if one fails
sub read_all
{
	my ($server, @polls) = @_;

	run_sessions({ server => $server, sql => join '', @polls });
	return;
}

# read_rest(SERVER, POLL, NUMBER): the same, until so many polls find nothing more
sub read_rest
{
	my ($server, $poll, $number) = @_;
	my ($before, $read) = (-1, 0);

	while ($read > $before)
	{
		read_all($server, ($poll) x $number);
		($before, $read) = ($read, query($server, 'SELECT count(*) FROM got'));
	}
	return;
}

# misses_none(SERVER, READER, NAME, [ORDER]): tests that the reader has missed no row of the
# table; and with an order, that it has read none twice, and none that is not there, and that
# in the order of the ids of all rows ("true"), or of those that have the same value of an
# expression
sub misses_none
{
	my ($server, $reader, $name, $order) = @_;
	my $is_late = 'id < lag(id) OVER (PARTITION BY ' . ($order // 'true') . ' ORDER BY n)';
	my ($missed, $twice, $others, $late) = split /\|/, query($server, <<"EOF");
WITH mine AS MATERIALIZED (SELECT id, $is_late AS is_late FROM got LEFT JOIN event USING (id) WHERE reader = '$reader')
SELECT (SELECT count(*) FROM event WHERE NOT EXISTS (SELECT FROM mine WHERE mine.id = event.id)),
	count(*) - count(DISTINCT id),
	(SELECT count(*) FROM mine WHERE NOT EXISTS (SELECT FROM event WHERE mine.id = event.id)),
	count(*) FILTER (WHERE is_late)
FROM mine
EOF

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($missed, 0, "$name: no row is missed");
	return if !defined $order;
	is($twice, 0, "$name: no row is read twice");
	is($others, 0, "$name: all rows are there");
	return is($late, 0, "$name: rows are in order");
}

1;
