# sno_create_partitions and sno_drop_partitions do with a distributed table what
# they do with another, for its owner, and for a member of that role after SET ROLE.
# Meanwhile the table is read, but not written to.

use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoCitus;
use SnoTest;

my ($coordinator, @workers) = new_cluster();

$coordinator->safe_psql('postgres', <<'EOF');
CREATE ROLE app LOGIN;
CREATE ROLE keeper LOGIN IN ROLE app;
CREATE SCHEMA app AUTHORIZATION app;
SET ROLE app;
CREATE TABLE app.visit (id sno PRIMARY KEY DEFAULT sno_generate(3), n int) PARTITION BY RANGE (id);
SELECT create_distributed_table('app.visit', 'id');
EOF

# What there is on all nodes: partitions, their owner, shards of them
sub partitions
{
	return $coordinator->safe_psql('postgres', <<'EOF');
SELECT string_agg(DISTINCT result, ' and ') FROM run_command_on_all_nodes($$
	SELECT concat_ws(' ', count(*) FILTER (WHERE relname ~ '^visit_\d{8}$'),
		string_agg(DISTINCT relowner::regrole::text, ' '), count(*) FILTER (WHERE relname ~ '^visit_\d{8}_\d+$'))
	FROM pg_class WHERE relkind = 'r' AND relnamespace = 'app'::regnamespace$$)
EOF
}

foreach my $role (qw(app keeper))
{
	my $call = sub {
		$coordinator->safe_psql('postgres', "SET ROLE app; SELECT count(*) FROM $_[0]",
			connstr => $coordinator->connstr('postgres') . " user=$role");
	};

	$call->("sno_create_partitions('app.visit', now() - interval '5 days', now() - interval '3 days', '1 day')");
	is(partitions(), '3 app 0 and 3 app 12', "$role creates partitions, which are the owner's");
	$coordinator->safe_psql('postgres', q(SET ROLE app; INSERT INTO app.visit SELECT sno_make(now() - interval '4 days', sequence => n), n FROM generate_series(1, 100) AS n));
	$call->("sno_drop_partitions('app.visit', now() - interval '1 day')");
	is(partitions(), '0 0', "$role drops them");
}

my @app = (extra_params => [ '-U', 'app' ]);
my $creator = $coordinator->background_psql('postgres', @app);
my $insert = 'INSERT INTO app.visit (n) VALUES (1)';

$coordinator->safe_psql('postgres', "SELECT sno_create_partitions('app.visit', now(), now() + interval '1 day', '1 day'); $insert", @app);
$creator->query_safe("BEGIN; SELECT sno_create_partitions('app.visit', now(), now() + interval '5 days', '1 day')");
is($coordinator->safe_psql('postgres', 'SELECT count(*) FROM app.visit'), 1, 'a table to which partitions are added is read');
is_error($coordinator, 'postgres', "SET statement_timeout = '1s'; $insert", '57014', qr/statement timeout/, 'rows wait for the end of that transaction');
$creator->query_safe('COMMIT');
$coordinator->safe_psql('postgres', $insert);
$creator->quit;

done_testing();
