# migrating.pl
#	The steps of doc/migrating.md from bigserial: the switch reads no table, and
#	what others can do meanwhile tells them no ids.  Where one program changes
#	after the other, an old one and a new one write meanwhile, and no write fails.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

my $page = slurp_file("$FindBin::RealBin/../../doc/migrating.md");
my ($steps) = $page =~ /^(```sql\nCREATE EXTENSION sno;.*?)^New and old rows/ms or die 'no steps';
my ($switch) = $steps =~ /^(BEGIN;\nSET LOCAL lock_timeout.*?^COMMIT;)$/ms or die 'no switch';
my $server = new_server('migrating', databases => []);
my ($said, $debug) = '';

$server->safe_psql('postgres', join '', substr($steps, 0, index $steps, $switch) =~ /^```sql\n(.*?)(?:^```$|\z)/msg);

# Some may write to attachment, and read nothing else
$server->safe_psql('postgres', <<'EOT');
CREATE ROLE writer;
GRANT SELECT, INSERT ON attachment TO writer;
GRANT USAGE ON SEQUENCE attachment_id_seq TO writer;
EOT
is($server->safe_psql('postgres', <<'EOT'), 1, 'the trigger works for those who may not read what is referred to');
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
$server->psql('postgres', "SET client_min_messages = debug1; $switch", stderr => \$debug, on_error_stop => 1);
$said .= "$1\n" while $debug =~ /DEBUG: +((?:existing constraints|verifying|rewriting|validating).*)$/mg;
is($said, <<'EOT', 'the switch reads no table: constraints prove what it asks for') or diag($debug);
existing constraints on column "event.sno_id" are sufficient to prove that it does not contain nulls
existing constraints on column "attachment.event_sno_id" are sufficient to prove that it does not contain nulls
EOT

# One program after the other, in tables of their own
my ($section) = $page =~ /^### One program after the other\n(.*?)^## /ms or die 'no such section';
my ($before, $expand, undef, $contract) = split /^\*\*\d\. /m, $section;

sub sql_of { return join '', $_[0] =~ /```sql\n(.*?)```/gs }

# writer(NAME, VARIABLE, STATEMENTS): a session that writes until it is told to end
sub writer
{
	my ($name, $variable, $statements) = @_;
	my ($session) = start_sessions({ server => $server, sql => <<"EOSQL" });
DO \$\$
DECLARE
	$variable;
BEGIN
	WHILE NOT EXISTS (SELECT FROM ended WHERE writer = '$name') LOOP
		$statements
		COMMIT;
	END LOOP;
END
\$\$;
EOSQL

	is_writing($name);
	return $session;
}

# Waits until that writer has written more
sub is_writing
{
	my ($name) = @_;
	my $count = query($server, "SELECT count(*) FROM answer WHERE note = '$name'");

	$server->poll_query_until('postgres', "SELECT count(*) > $count + 20 FROM answer WHERE note = '$name'")
	  or die "the $name program does not write";
	return;
}

query($server, sql_of($before) . 'CREATE TABLE ended (writer text)');

my $old = writer('old', 'given bigint', <<'EOSQL');
INSERT INTO ticket (note) VALUES ('old') RETURNING id INTO given;
INSERT INTO answer (ticket_id, note) VALUES (given, 'old');
UPDATE answer SET ticket_id = 1 + given % 1000 WHERE id = given - 3;
EOSQL
query($server, sql_of($expand));
pass('the tables are expanded while an old program writes');

my $new = writer('new', 'given sno', <<'EOSQL');
INSERT INTO ticket (note) VALUES ('new') RETURNING sno_id INTO given;
INSERT INTO answer (ticket_sno_id, note) VALUES (given, 'new');
UPDATE answer SET ticket_sno_id = given WHERE id = (SELECT max(id) - 3 FROM answer WHERE note = 'new');
EOSQL
is_writing('old');
is(query($server, <<'EOSQL'), '0|t', 'every answer has both references, to the same ticket');
SELECT count(*) FILTER (WHERE t.id IS DISTINCT FROM r.ticket_id OR t.sno_id IS DISTINCT FROM r.ticket_sno_id),
	count(*) = (SELECT count(*) FROM answer)
FROM answer r JOIN ticket t ON t.sno_id = r.ticket_sno_id
EOSQL
query($server, "INSERT INTO ended VALUES ('old')");
finish_sessions($old);
pass('no write of the old program has failed');

query($server, sql_of($contract));
is_writing('new');
query($server, "INSERT INTO ended VALUES ('new')");
finish_sessions($new);
pass('nor of the new one, while the old columns were dropped');
is(query($server, <<'EOSQL'), 'ticket_sno_id|sno_id|sno_id', 'a reference and a primary key are left');
SELECT (SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = 'answer'::regclass AND attnum > 1 AND attname ~ 'id$' AND NOT attisdropped),
	(SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = 'ticket'::regclass AND attnum > 0 AND attname ~ 'id$' AND NOT attisdropped),
	(SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] WHERE indrelid = 'ticket'::regclass AND indisprimary)
EOSQL

done_testing();
