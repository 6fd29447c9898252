# SoakRows.pm
#	The rows whose commit was confirmed, which are to be in the table in the end.
package SoakRows;

use strict;
use warnings FATAL => 'all';

use SnoTest qw(ids_file id_count);

sub new
{
	my ($class) = @_;

	return bless {
		expected => [],				# files of sorted ids
		lost => 0 }, $class;
}

# Those of these files are to stay
sub add
{
	my ($rows, $number, @files) = @_;

	return if !@files;
	push @{ $rows->{expected} }, sorted("expected_$number", 'cat', @files);
	return;
}

# Those of these files may have been lost: only what this server still has is to
# stay.
sub add_surviving
{
	my ($rows, $number, $server, @files) = @_;
	my ($committed, $table, $surviving);

	return if !@files;
	$committed = sorted('committed', 'cat', @files);
	$table = table($server);
	$surviving = sorted("expected_$number", 'comm', '-12', $committed, $table);
	$rows->{lost} += id_count($committed) - id_count($surviving);
	push @{ $rows->{expected} }, $surviving;
	unlink $committed, $table;
	return;
}

# The ids of the table, sorted
sub table
{
	my ($server) = @_;
	my $file = ids_file('table_copied');
	my $table;

	unlink $file;
	$server->query("COPY made (id) TO '$file'");
	$table = sorted('table', 'cat', $file);
	unlink $file;
	return $table;
}

# The sorted output of a command, in a file of this name
sub sorted
{
	my ($name, @command) = @_;
	my $file = ids_file($name);

	local $ENV{LC_ALL} = 'C';
	system("set -e; @command | sort -o $file") == 0 or die "failed: @command\n";
	return $file;
}

# At the end: dies if rows are missing.  The number of rows in the table, and the
# file of the ids of those that no client has received: they were committed as
# the server went down.
sub check
{
	my ($rows, $server, @inserted_files) = @_;
	my $table = table($server);
	my $expected = sorted('expected', 'cat', @{ $rows->{expected} });
	my $missing = sorted('missing', 'comm', '-23', $expected, $table);
	my $inserted = sorted('inserted', 'cat', @inserted_files);
	my $unseen = sorted('unseen', 'comm', '-13', $inserted, $table);

	die id_count($missing) . " rows whose commit was confirmed are missing, see $missing\n"
	  if -s $missing;
	return (id_count($table), $unseen);
}

1;
