# migrating.pl
#	The steps of doc/migrating.md from bigserial, in both ways, while a program writes
#	to both tables: no write fails, and every reference leads where it led.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;

use PostgreSQL::Test::Utils;

use constant ATTEMPTS => 100;		# of a transaction that has a lock_timeout

my $page = slurp_file("$ENV{TESTDIR}/doc/migrating.md");
my $server = new_server('migrating', databases => []);

# sql_between(START, END): the SQL of the page between two lines that begin so
sub sql_between
{
	my ($start, $end) = @_;
	my ($part) = $page =~ /^(\Q$start\E.*?)^\Q$end\E/ms or die "nothing from $start to $end";

	return join '', $part =~ /^```sql\n(.*?)^```$/msg;
}

# migrate(SQL): as the page says, so what fails by its lock_timeout is run again
sub migrate
{
	foreach my $piece (split /^(BEGIN;\nSET LOCAL lock_timeout.*?^COMMIT;\n)/ms, $_[0])
	{
		my ($code, $said);

		foreach my $attempt (1 .. ATTEMPTS)
		{
			$code = $server->psql('postgres', $piece, stderr => \$said, on_error_stop => 1);
			last if $said !~ /ERROR: .* lock timeout/;
			note 'run again';
		}
		die $said if $code;
	}
	return;
}

# writer(NAME, TYPE, STATEMENTS): a program that writes rows of that note until
# end_writer().  Between its transactions it pauses: what never lets go of its locks
# leaves no moment for another one that needs both tables.
sub writer
{
	my ($name, $type, $statements) = @_;
	my ($session) = start_sessions({ server => $server, name => $name, sql => <<"EOSQL" });
DO \$\$
DECLARE
	given $type;
BEGIN
	WHILE NOT EXISTS (SELECT FROM ended WHERE name = '$name') LOOP
		$statements
		INSERT INTO written VALUES ('$name');
		COMMIT;
		PERFORM pg_sleep(0.002);
	END LOOP;
END
\$\$;
EOSQL

	is_writing($session);
	return $session;
}

# Waits until that writer has written more; dies if one of its writes has failed
sub is_writing
{
	my ($session) = @_;
	my $rows = "FROM written WHERE name = '$session->{name}'";
	my $until = 20 + query($server, "SELECT count(*) $rows");

	while (query($server, "SELECT count(*) > $until $rows") ne 't')
	{
		$session->{psql}->pump_nb if $session->{psql}->pumpable;
		die "$session->{name} has failed: $session->{errors}" if !$session->{psql}->pumpable;
	}
	return;
}

# Ends it, and sees that none has
sub end_writer
{
	my ($session) = @_;

	is_writing($session);
	query($server, "INSERT INTO ended VALUES ('$session->{name}')");
	finish_sessions($session);
	return pass("$session->{name}: no write has failed");
}

# The tables, with a program that writes to both, and what both ways have in common.
# It treats ids as text.  Returns the program.
sub prepare_tables
{
	my ($name) = @_;
	my $program;

	query($server, sql_between('Suppose you have two tables', '**1. New rows**'));
	$program = writer($name, 'text', <<'EOSQL');
INSERT INTO event (note) VALUES ('new') RETURNING id INTO given;
EXECUTE format('INSERT INTO attachment (event_id, name) VALUES (%L, ''new'')', given);
COMMIT;
UPDATE attachment SET event_id = (SELECT id FROM event ORDER BY created_at LIMIT 1) WHERE event_id::text = given;
EOSQL
	migrate(sql_between('**1. New rows**', '### One program after the other'));
	is_writing($program);
	return $program;
}

query($server, 'CREATE TABLE ended (name text); CREATE TABLE written (name text)');
query($server, sql_between("```sql\nCREATE EXTENSION", '## What it takes'));

# One program after the other
{
	my $old = prepare_tables('the old program');
	my $new = writer('the new program', 'sno', <<'EOSQL');
INSERT INTO event (note) VALUES ('new') RETURNING sno_id INTO given;
INSERT INTO attachment (event_sno_id, name) VALUES (given, 'new');
UPDATE attachment SET event_sno_id = (SELECT min(sno_id) FROM event) WHERE event_sno_id = given;
EOSQL

	is(query($server, <<'EOSQL'), '0|t', 'every attachment has both references, to the same event');
SELECT count(*) FILTER (WHERE e.id IS DISTINCT FROM a.event_id), count(*) = (SELECT count(*) FROM attachment)
FROM attachment AS a JOIN event AS e ON e.sno_id = a.event_sno_id
EOSQL
	end_writer($old);
	migrate(sql_between('### One program after the other', '### All programs at once'));
	end_writer($new);
	query($server, 'DROP TABLE attachment, event');
}

# All programs at once
{
	my $program = prepare_tables('the same program');

	migrate(sql_between('### All programs at once', 'New and old rows'));
	is_writing($program);
	is(query($server, <<'EOSQL'), '0|t', 'every old attachment refers to the event that it referred to');
SELECT count(*) FILTER (WHERE e.old_id <> a.old_event_id), count(*) = (SELECT count(*) FROM attachment WHERE name <> 'new')
FROM attachment AS a JOIN event AS e ON e.id = a.event_id WHERE name <> 'new'
EOSQL
	migrate(sql_between('New and old rows', '## From uuid, version 4'));
	end_writer($program);
}

done_testing();
