# migrating.pl
#	The steps of doc/migrating.md from bigserial, while two programs write: no
#	write fails, the switch reads no table, and what others can do meanwhile tells
#	them no ids.  The same where one program changes after the other.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant ATTEMPTS => 100;		# of a transaction that has a lock_timeout

my $page = slurp_file("$FindBin::RealBin/../../doc/migrating.md");
my $server = new_server('migrating', databases => []);

# sql_between(START, END): the SQL of the page between two lines that begin so
sub sql_between
{
	my ($start, $end) = @_;
	my ($part) = $page =~ /^(\Q$start\E.*?)^\Q$end\E/ms or die "nothing from $start to $end";

	return join '', $part =~ /^```sql\n(.*?)^```$/msg;
}

# migrate(SQL): as the page says, so what fails by its lock_timeout is run again.
# Returns the messages.
sub migrate
{
	my ($sql) = @_;
	my $messages = '';

	foreach my $piece (split /^(BEGIN;\nSET LOCAL lock_timeout.*?^COMMIT;\n)/ms, $sql)
	{
		my ($code, $said);

		foreach my $attempt (1 .. ATTEMPTS)
		{
			$code = $server->psql('postgres', "SET client_min_messages = debug1;\n$piece", stderr => \$said, on_error_stop => 1);
			last if $said !~ /ERROR: .* lock timeout/;
			note 'run again';
		}
		die $said if $code;
		$messages .= $said;
	}
	return $messages;
}

# writer(ROWS, VARIABLE, STATEMENTS): a session that writes such rows until it is
# told to end.  Between its transactions it pauses as a program does: what never
# lets go of its locks leaves no moment for another one that needs both tables.
sub writer
{
	my ($rows, $variable, $statements) = @_;
	my ($session) = start_sessions({ server => $server, sql => <<"EOSQL" });
DO \$\$
DECLARE
	$variable;
BEGIN
	WHILE NOT EXISTS (SELECT FROM ended WHERE rows = \$rows\$$rows\$rows\$) LOOP
		$statements
		COMMIT;
		PERFORM pg_sleep(0.002);
	END LOOP;
END
\$\$;
EOSQL

	$session->{rows} = $rows;
	is_writing($session);
	return $session;
}

# Waits until that writer has written more
sub is_writing
{
	my ($session) = @_;
	my $count = query($server, "SELECT count(*) FROM $session->{rows}");

	return wait_until($server, "count(*) > $count + 20 FROM $session->{rows}");
}

# Ends it, and dies if one of its writes has failed
sub end_writer
{
	my ($session) = @_;

	is_writing($session);
	query($server, "INSERT INTO ended VALUES (\$\$$session->{rows}\$\$)");
	finish_sessions($session);
	return;
}

query($server, 'CREATE TABLE ended (rows text)');

# The tables, with a program that writes to both of them, and one that writes only
# to the table with the references: they lock the tables in different orders.
# Returns both programs.
sub create_and_prepare
{
	query($server, sql_between('Suppose you have two tables', '**1. New rows**'));

	my @programs = (
		writer("attachment WHERE name = 'both'", 'given text', <<'EOSQL'),
INSERT INTO event (note) VALUES ('both') RETURNING id INTO given;
EXECUTE format('INSERT INTO attachment (event_id, name) VALUES (%L, ''both'')', given);
EOSQL
		writer("attachment WHERE name = 'reference'", 'last_id bigint', <<'EOSQL'));
INSERT INTO attachment (event_id, name) SELECT id, 'reference' FROM event ORDER BY created_at LIMIT 1 RETURNING id INTO last_id;
COMMIT;
UPDATE attachment SET event_id = (SELECT id FROM event ORDER BY created_at DESC LIMIT 1) WHERE id = last_id;
EOSQL

	migrate(sql_between('**1. New rows**', '### One program after the other'));
	return @programs;
}

query($server, sql_between("```sql\nCREATE EXTENSION", '## What it takes'));

# One program after the other
my @old = create_and_prepare();
my $new = writer("attachment WHERE name = 'new'", 'given sno', <<'EOSQL');
INSERT INTO event (note) VALUES ('new') RETURNING sno_id INTO given;
INSERT INTO attachment (event_sno_id, name) VALUES (given, 'new');
UPDATE attachment SET event_sno_id = (SELECT min(sno_id) FROM event) WHERE event_sno_id = given;
EOSQL
is_writing($_) foreach @old;
is(query($server, <<'EOSQL'), '0|t', 'every attachment has both references, to the same event');
SELECT count(*) FILTER (WHERE e.id IS DISTINCT FROM a.event_id), count(*) = (SELECT count(*) FROM attachment)
FROM attachment AS a JOIN event AS e ON e.sno_id = a.event_sno_id
EOSQL
end_writer($_) foreach @old;
pass('no write of the old programs has failed');

migrate(sql_between('### One program after the other', '### All programs at once'));
end_writer($new);
pass('nor of the new one, while the old columns were dropped');
is(query($server, <<'EOSQL'), 'event_sno_id|sno_id|sno_id', 'a reference and a primary key are left');
SELECT (SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = 'attachment'::regclass AND attnum > 1 AND attname ~ 'id$' AND NOT attisdropped),
	(SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = 'event'::regclass AND attnum > 0 AND attname ~ 'id$' AND NOT attisdropped),
	(SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] WHERE indrelid = 'event'::regclass AND indisprimary)
EOSQL
query($server, 'DROP TABLE attachment, event; TRUNCATE ended');

# All programs at once
my @programs = create_and_prepare();

# Some may write to attachment, and read nothing else
query($server, <<'EOT');
CREATE ROLE writer;
GRANT SELECT, INSERT ON attachment TO writer;
GRANT USAGE ON SEQUENCE attachment_id_seq TO writer;
EOT
is(query($server, <<'EOT'), 1, 'the trigger works for those who may not read what is referred to');
SET ROLE writer;
INSERT INTO attachment (event_id, name) VALUES (7, 'new');
RESET ROLE;
SELECT count(*) FROM attachment JOIN event ON event_sno_id = sno_id AND event_id = event.id WHERE name = 'new';
EOT
is_error($server, 'postgres', <<'EOT', '42501', qr/permission denied for function attachment_event/,
SET ROLE writer;
CREATE TEMP TABLE asked (event_id bigint, event_sno_id sno);
CREATE TRIGGER ask BEFORE INSERT ON asked FOR EACH ROW EXECUTE FUNCTION attachment_event();
EOT
	'who may not read the table cannot ask its function for the ids');

# The server says which tables it reads to check a constraint
my ($index, $switch) = split /^(BEGIN;.*?^COMMIT;\n)/ms, sql_between('### All programs at once', 'New and old rows');

migrate($index);
unlike(migrate($switch), qr/DEBUG: +(?:verifying|rewriting|validating)/, 'the switch reads no table');
is_writing($_) foreach @programs;
is(query($server, <<'EOSQL'), '0|t', 'every old attachment refers to the event that it referred to');
SELECT count(*) FILTER (WHERE e.old_id <> a.old_event_id), count(*) = (SELECT count(*) FROM attachment WHERE old_event_id IS NOT NULL AND name <> 'reference')
FROM attachment a JOIN event e ON e.id = a.event_id WHERE old_event_id IS NOT NULL AND name <> 'reference'
EOSQL
migrate(sql_between('New and old rows', '## From uuid, version 4'));
end_writer($_) foreach @programs;
pass('no write of two programs has failed');
is(query($server, <<'EOSQL'), 'created_at note id|id name event_id|attachment_id_seq', 'the old columns and their sequence are gone');
SELECT (SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'event'::regclass AND attnum > 0 AND NOT attisdropped),
	(SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'attachment'::regclass AND attnum > 0 AND NOT attisdropped),
	(SELECT string_agg(relname, ' ') FROM pg_class WHERE relkind = 'S')
EOSQL

done_testing();
