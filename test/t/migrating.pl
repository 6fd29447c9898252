# migrating.pl
#	The steps of doc/migrating.md from bigserial: the switch reads no table, and
#	what others can do meanwhile tells them no ids.
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

done_testing();
