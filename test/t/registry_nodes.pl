# registry_nodes.pl
#	The registry of partitions beside the nodes that it is for: the scripts of
#	sql/registry for a node and for a move.
use strict;
use warnings FATAL => 'all';

use SnoTest;

my $registry = new_server('registry', settings => preload('sno.partition' => 40_000));

query($registry, <<'EOF');
ALTER DATABASE postgres SET search_path = registry, public;
CREATE SCHEMA registry;
CREATE EXTENSION sno_registry SCHEMA registry;
SELECT registry.sno_registry_open();
EOF

# The script for a node.  A node that has a number starts with it,
# whatever the registry does.
{
	my $node = PostgreSQL::Test::Cluster->new('node');
	my ($program, $file) = ("$ENV{TESTDIR}/sql/registry/sno-partition", ids_file('node.conf'));
	my $connstr = $registry->connstr('postgres') =~ s/'//gr;
	my $run = sub {
		my ($name, $into, %params) = @_;
		my $set = join ' ', map { "$_='$params{$_}'" } grep { /^[A-Z]/ } sort keys %params;
		my $message = qx{env $set sh $program '$name' $into @{[ $params{instance} // '' ]} 2>&1};

		return $? == 0 ? '' : $message || 'an error';
	};
	my %there = (SNO_REGISTRY => $connstr);
	my ($had, $session);

	$node->init;
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'sno'\ninclude '$file'\n");
	like($run->('node 1', $file, SNO_REGISTRY => 'host=/nowhere'), qr/has no partition yet/,
		'script: a new node gets nothing without the registry');
	ok(!$node->start(fail_ok => 1), 'script: and does not start in the automatic partition');
	is($run->('node 1', $file, %there, instance => 'machine-1'), '', 'script: with the registry, it gets a partition');
	$had = slurp_file($file);
	like($had, qr/\Asno\.partition = \d+\n\z/, 'script: and nothing else');
	$node->start;
	query($node, 'CREATE EXTENSION sno');
	is(query($registry, 'SELECT owner FROM sno_registry_partition WHERE partition = '
		. query($node, 'SELECT sno_partition(sno_generate())')), 'node 1', 'script: in which it makes ids');
	$node->stop;

	# Another machine of that name, and what hangs or is wrong
	like($run->('node 1', "$file.2", %there, instance => 'machine-2'),
		qr/another instance of "node 1".*Instance "machine-1"/s,
		'script: another machine of that name is refused');
	$session = $registry->background_psql('postgres');
	$session->query_safe(q(BEGIN; SELECT sno_registry_acquire('in no hurry')));
	is($run->('node 1', "$file.2", %there, instance => 'machine-1'), '',
		'script: a node on record gets its number while another session has the lock');
	like($run->('node 2', "$file.3", %there), qr/lock timeout.*has no partition yet/s,
		'script: a new node does not wait for ever');
	$session->query_safe('ROLLBACK');
	$session->quit;
	kill 'STOP', my $postmaster = (split /\n/, slurp_file($registry->data_dir . '/postmaster.pid'))[0];
	is($run->('node 1', $file, %there, SNO_TIMEOUT => 2), '', 'script: a registry that hangs keeps no node from starting');
	kill 'CONT', $postmaster;
	like($run->('node 2', "$file.3"), qr/SNO_REGISTRY IS NOT SET.*has no partition yet/s,
		'script: a new node does not start with that');
	query($registry, 'CREATE DATABASE hostile');
	foreach my $answer (q(E'7\narchive_command = 1'), q('65536'), 'NULL')
	{
		$registry->safe_psql('hostile', <<"EOF");
CREATE SCHEMA IF NOT EXISTS registry;
CREATE OR REPLACE FUNCTION registry.sno_registry_acquire(text, integer, interval, text, OUT partition text)
	LANGUAGE sql AS \$\$ SELECT $answer\$\$;
EOF
		$run->('node 1', $file, SNO_REGISTRY => $connstr =~ s/dbname=postgres/dbname=hostile/r);
		is(slurp_file($file), $had, "script: $answer is not written into the configuration");
	}
}

# The procedures of the page for a move, and the script for servers without the
# extension
{
	my %connstr;
	my $in = sub { return $registry->safe_psql(@_) };
	my $page = sub {
		my ($line, $before) = (@_, '');
		my $script = ids_file('page.sh');

		set_file($script, page_block('sql/registry/README.md', $line));
		return output_of("cd ${PostgreSQL::Test::Utils::tmp_check} && OLD=\"$connstr{old}\" NEW=\"$connstr{new}\" $before "
			. "bash $script 2>&1 || true");
	};
	my $all = q(SELECT partition, partition_count, owner, instance, since FROM registry.sno_registry ORDER BY 1);

	query($registry, 'CREATE ROLE manager LOGIN');
	foreach my $name (qw(old new))
	{
		query($registry, "CREATE DATABASE $name OWNER manager");
		$connstr{$name} = $registry->connstr($name) =~ s/'//gr . ' user=manager';
		$in->($name, 'SET ROLE manager; CREATE SCHEMA registry');
		output_of("sed 's/\@extschema\@/registry/g' $ENV{TESTDIR}/sql/registry/sno_registry.sql | psql -Xq -1 -v "
			. "ON_ERROR_STOP=1 -d \"$connstr{$name}\"") if $name eq 'old';
	}
	is($in->('old', q(SELECT count(*) FROM pg_extension WHERE extname ~ 'sno')),
		'0', 'by psql -f: an ordinary role has the registry without any extension');
	$in->('new', 'SET ROLE manager; CREATE EXTENSION sno_registry SCHEMA registry');
	$in->('old', <<'EOF');
SELECT registry.sno_registry_open();
SELECT registry.sno_registry_margin('5 min'), registry.sno_registry_acquire('db-1'),
	registry.sno_registry_acquire('program', 1, '1 h', 'a');
EOF

	# As it is pasted into a shell, and killed in the middle of the dump
	mkdir ids_file('bin') or die $!;
	set_file(ids_file('bin/pg_dump'),
		"#!/bin/sh\n${\output_of('command -v pg_dump')} \"\$\@\" | sed '/^COPY/q'; kill -9 \$\$\n");
	chmod 0755, ids_file('bin/pg_dump') or die $!;
	unlike($page->('# move', 'PATH=' . ids_file('bin') . ':$PATH'),
		qr/moved/, 'move: pg_dump is killed, which is noticed,');
	is($in->('new', "SELECT count(*) FROM registry.sno_registry_$_"), '0', "move: and the new registry has no $_")
	  foreach qw(partition state);
	like($page->('# move'), qr/^moved$/m, 'move: run again, it says when all is done');
	is($in->('new', $all), $in->('old', $all), 'move: the new registry has all that the old one has');
	is_error($registry, 'old', q(SELECT registry.sno_registry_acquire('x')), '55000',
		qr/HINT:  Its successor: host=registry2/, 'move: the old one is closed');
	is($in->('new', 'SELECT margin FROM registry.sno_registry_state'), '00:05:00', 'move: which is that of the old one');
	like($page->('# move'), qr/duplicate key/, 'move: not into one that has been used');
}

done_testing();
