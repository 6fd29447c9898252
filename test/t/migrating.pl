# migrating.pl
#	The steps of doc/migrating.md, with 200,000 rows and each kind of key, while
#	programs write to both tables: no write fails, every reference leads where it led,
#	and every old row gets an id of its time.
use strict;
use warnings FATAL => 'all';

use SnoTest;

use constant ROWS => 200_000;

# The keys that are no bigserial: their types, the key of the row that the page gives
# the number i, how its default on the page begins, and between which lines its view is
my %keys = (
	'uuid of version 7' => {
		type => 'uuid',
		make => "(lpad(to_hex(ms(i)), 12, '0') || '7' || substr(md5(i::text), 1, 3) "
		  . "|| '8' || substr(md5(i::text), 1, 15))::uuid",
		default => 'gen_random_uuid()',
		view => [ 'With a `uuid` of version 7', 'With a ULID' ] },
	'ULID' => {
		type => 'char(26)',
		make => <<'EOSQL',
(SELECT string_agg(
		substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (ms(i) >> 5 * digit & 31)::int + 1, 1), '' ORDER BY digit DESC)
	FROM generate_series(0, 9) AS digit) || upper(substr(md5(i::text), 1, 16))
EOSQL
		default => 'upper(',
		view => [ 'With a ULID', 'Look for rows' ] });

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

		foreach my $attempt (1 .. 100)
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

# Waits until that writer has written more, which it does not after a write has failed
sub is_writing
{
	my ($session) = @_;
	my $rows = "FROM written WHERE name = '$session->{name}'";

	wait_until($server, (20 + query($server, "SELECT count(*) $rows")) . " < count(*) $rows");
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

# The tables of the page, with more rows and that kind of key
sub create_tables
{
	my ($key) = @_;
	my $sql = sql_between('Suppose you have two tables', '**1. New rows**');

	$sql =~ s/^CREATE EXTENSION.*//;
	$sql =~ s/generate_series\(1, \K1000\b/ROWS/eg == 2 or die 'no rows on the page';
	query($server, "DROP TABLE IF EXISTS attachment, event; DROP FUNCTION IF EXISTS old_key; $sql");
	query($server, <<"EOSQL") if $key;
CREATE OR REPLACE FUNCTION ms(i bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
	RETURN extract(epoch FROM timestamptz '2026-01-01 00:00+00')::bigint * 1000 + i / 3 * 1000;
CREATE FUNCTION old_key(i bigint) RETURNS $key->{type} LANGUAGE sql IMMUTABLE RETURN $key->{make};
ALTER TABLE attachment DROP CONSTRAINT attachment_event_id_fkey;
ALTER TABLE event ALTER COLUMN id DROP DEFAULT, ALTER COLUMN id TYPE $key->{type} USING old_key(id),
	ALTER COLUMN id SET DEFAULT old_key(nextval('event_id_seq'));
ALTER TABLE attachment ALTER COLUMN event_id TYPE $key->{type} USING old_key(event_id),
	ADD CONSTRAINT attachment_event_id_fkey FOREIGN KEY (event_id) REFERENCES event;
EOSQL
	query($server, 'CREATE INDEX ON event (note); ANALYZE event, attachment');
	return;
}

# The tables, with a program that writes to both, through the steps that all ways have
# in common.  It treats ids as text, and keeps none after a transaction.  Returns the
# program.
sub prepare_tables
{
	my ($name, $key) = @_;
	my $program;

	create_tables($key);
	$program = writer($name, 'text', <<'EOSQL');
INSERT INTO event (note) VALUES ('new') RETURNING id INTO given;
EXECUTE format('INSERT INTO attachment (event_id, name) VALUES (%L, ''new'')', given);
COMMIT;
UPDATE attachment SET event_id = (SELECT id FROM event WHERE note = 'event 1')
	WHERE id = (SELECT max(id) FROM attachment);
EOSQL
	migrate(sql_between('**1. New rows**', 'If programs make the keys'));
	if ($key)
	{
		my $defaults = sql_between('If programs make the keys', '**2. Old rows**');

		$defaults =~ /^(.* SET DEFAULT \Q$key->{default}\E.*)$/m or die "no default of $key->{default}";
		migrate($1);
	}
	migrate(sql_between($key ? @{ $key->{view} } : ('**2. Old rows**', 'With a `uuid` of version 7')));
	migrate(sql_between('Look for rows without a time', '### One program after the other'));
	is_writing($program);
	is(query($server, <<"EOSQL"), ROWS, "$name: every old row has an id of its time");
SELECT count(*) FROM event WHERE sno_id::timestamptz = created_at AND note LIKE 'event %'
EOSQL
	return $program;
}

# change_at_once(KIND): all programs at once
sub change_at_once
{
	my ($kind) = @_;
	my $program = prepare_tables("$kind, the same program", $keys{$kind});

	migrate(sql_between('### All programs at once', 'Drop the old columns'));
	is_writing($program);
	is(query($server, <<'EOSQL'), '0|t', "$kind: every old attachment refers to the event that it referred to");
SELECT count(*) FILTER (WHERE e.old_id <> a.old_event_id),
	count(*) = (SELECT count(*) FROM attachment WHERE name <> 'new')
FROM attachment AS a JOIN event AS e ON e.id = a.event_id WHERE name <> 'new'
EOSQL
	migrate(sql_between('Drop the old columns', '## To keep uuids'));
	end_writer($program);
	return;
}

query($server, 'CREATE EXTENSION sno; CREATE TABLE ended (name text); CREATE TABLE written (name text)');

# Each way to change programs, and each key: pairs of them show nothing more, nor does a
# uuid of version 4, whose rows have the time that those of a bigserial have
change_at_once('bigserial');
change_at_once('ULID');
{
	my $kind = 'uuid of version 7';
	my $old = prepare_tables("$kind, the old program", $keys{$kind});
	my $new = writer("$kind, the new program", 'sno', <<'EOSQL');
INSERT INTO event (note) VALUES ('new') RETURNING sno_id INTO given;
INSERT INTO attachment (event_sno_id, name) VALUES (given, 'new');
UPDATE attachment SET event_sno_id = (SELECT min(sno_id) FROM event) WHERE event_sno_id = given;
EOSQL

	is(query($server, <<'EOSQL'), '0|t', "$kind: every attachment has both references, to the same event");
SELECT count(*) FILTER (WHERE e.id IS DISTINCT FROM a.event_id), count(*) = (SELECT count(*) FROM attachment)
FROM attachment AS a JOIN event AS e ON e.sno_id = a.event_sno_id
EOSQL
	end_writer($old);
	migrate(sql_between('### One program after the other', '### All programs at once'));
	end_writer($new);
}

done_testing();
