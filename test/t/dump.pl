# dump.pl
#	What has a sno in it survives pg_dump and pg_restore, with the extension in a
#	schema of its own, and COPY.  A dump that psql restores is for pg_upgrade.pl.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTables;
use SnoTest;

use PostgreSQL::Test::Utils;

my $server = new_server('dump', databases => []);
my $archive = ids_file('source.dump');
my ($dump, $before);

# A database's dump as text, without the lines that differ each time
sub dump_text
{
	my ($database) = @_;
	my $file = ids_file("$database.sql");

	command_ok(
		[ 'pg_dump', '-d', $server->connstr($database), '-f', $file ],
		"$database can be dumped");
	return slurp_file($file) =~ s/^\\(un)?restrict .*\n//gmr;
}

query($server, 'CREATE DATABASE source');
$server->safe_psql('source', 'CREATE SCHEMA ids; CREATE EXTENSION sno SCHEMA ids');
fill_tables($server, 'source', 3000);
$dump = dump_text('source');
$before = contents($server, 'source');
command_ok([ 'pg_dump', '-Fc', '-d', $server->connstr('source'), '-f', $archive ], 'it can be archived');

query($server, 'CREATE DATABASE copy');
query($server, 'ALTER DATABASE copy SET search_path = app, public, ids');
command_ok([ 'pg_restore', '-e', '-j', 2, '-d', $server->connstr('copy'), $archive ], 'pg_restore restores it');
ok(dump_text('copy') eq $dump, "the copy's dump is the same");

# A new dump only says what was restored
is(contents($server, 'copy'), $before, 'what is in the tables, too');
is(wrong_answers($server, 'copy'), '', 'indexes serve');
is(wrong_defaults($server, 'copy'), '', 'defaults make ids');

# COPY to a file and back
foreach my $format ('text', 'csv', 'binary')
{
	foreach my $table ('event', 'orders')
	{
		my $file = ids_file("${table}_$format");

		is($server->safe_psql('source', <<"EOF"), '0|0', "COPY brings $table back as $format");
COPY $table TO '$file' (FORMAT $format);
CREATE TABLE ${table}_$format (LIKE $table INCLUDING ALL);
COPY ${table}_$format FROM '$file' (FORMAT $format);
SELECT (SELECT count(*) FROM (TABLE $table EXCEPT ALL TABLE ${table}_$format) AS t),
	(SELECT count(*) FROM (TABLE ${table}_$format EXCEPT ALL TABLE $table) AS t)
EOF
	}
}

done_testing();
