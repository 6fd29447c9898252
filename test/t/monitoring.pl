# monitoring.pl
#	The queries of doc/monitoring.md, as the role that the page makes: each metric is a finite
#	number, whatever partitions there are, and on a standby too.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;

use PostgreSQL::Test::Utils;

my $server = new_server('primary', databases => [], init => { allows_streaming => 1 });
my $page = slurp_file("$ENV{TESTDIR}/doc/monitoring.md");
my %queries = $page =~ /^(sno\w*):\n  query: \|\n(.*?)^  metrics:\n/msg;
my ($role) = $page =~ /^```sql\n(BEGIN;.*?)^```$/ms;

is(join(' ', sort keys %queries), 'sno sno_origin_slots sno_partitions sno_registry', 'the page has these queries');
query($server, $role);
query($server, <<'EOSQL');
CREATE SCHEMA registry;
CREATE EXTENSION sno_registry SCHEMA registry;
SELECT registry.sno_registry_open();
GRANT USAGE ON SCHEMA registry TO monitor;
GRANT SELECT ON registry.sno_registry TO monitor;
CREATE ROLE bare LOGIN IN ROLE pg_monitor;
EOSQL

# What is wrong with the answer to a query: it has to be a row of numbers, maybe after a
# label; the registry has none before it was used
sub answer
{
	my ($node, $name, $user) = @_;
	my ($code, $output, $errors) = $node->psql('postgres', $queries{$name}, extra_params => [ '-U', $user // 'monitor' ]);

	return $errors if $code != 0;
	return $output =~ /^(?:[a-z][\w.]+\|)?-?[\d.]+(?:\|-?[\d.]+)*$/ || $output eq '' && $name eq 'sno_registry' ? '' : "not a row of numbers: '$output'";
}

# How many days ahead the partitions of the page's table are created, and how old the oldest one is
sub days
{
	return join ' ', map { int($_ / 86400) } (split /\|/, $server->safe_psql('postgres', $queries{sno_partitions}, extra_params => [ '-U', 'monitor' ]))[ 1, 2 ];
}

like(answer($server, 'sno_partitions'), qr/relation "public.visit" does not exist/, 'without the table, the query fails');
query($server, 'CREATE TABLE public.visit (id ext.sno) PARTITION BY RANGE (id)');
is(answer($server, $_), '', "$_, with no partition, and no id made") foreach sort keys %queries;
is(days(), '0 0', 'nothing is ahead');

# Days from midnight UTC of that day, counted from today
sub partition
{
	my ($name, $from, $to) = map { /^-?\d+$/ ? "(ext.sno_lower_bound(date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '$_ days'))" : $_ } @_;

	query($server, "CREATE TABLE public.visit_$name PARTITION OF public.visit FOR VALUES FROM ($from) TO ($to)");
	return;
}

foreach my $case (
	[ 'past', 'MINVALUE', -10, qr/^0 10$/, 'one of the past' ], [ 'present', -10, 2, qr/^1 /, 'up to the day after tomorrow' ],
	[ 'later', 3, 9, qr/^1 /, 'up to a gap' ], [ 'gap', 2, 3, qr/^8 /, 'without the gap' ], [ 'rest', 9, 'MAXVALUE', qr/^8 /, 'what has no end does not count' ])
{
	my ($name, $from, $to, $days, $what) = @$case;

	partition($name, $from, $to);
	like(days(), $days, $what);
}
query($server, "SELECT ext.sno_generate(); SELECT registry.sno_registry_acquire('importer', 1, '1 hour')");
is(answer($server, $_), '', "$_, with partitions of all kinds") foreach sort keys %queries;

# A role that is in pg_monitor, without the grants of the page
is(answer($server, $_, 'bare'), '', "$_, with pg_monitor alone") foreach qw(sno sno_partitions);
like(answer($server, 'sno_origin_slots', 'bare'), qr/permission denied for/, 'sno_origin_slots needs the grants');

my $standby = new_standby($server, 'standby');
$server->wait_for_catchup($standby);
is(answer($standby, $_), '', "$_, on a standby") foreach sort keys %queries;

done_testing();
