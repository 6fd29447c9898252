# SoakCheck.pm
#	Finds ids that came up twice among any number of them, and ids that no
#	reservation on disk covers.
#
# The work is done by sort, in a process of low priority while the soak goes on.
# When a life of the server is over, the ids of all clients in it are sorted into
# one compressed run; runs are merged, eight into one, and all that are left in
# the end.  An id that comes up again meets itself in one of these.  Nothing here
# relies on the extension: an id is its text form, whose order as bytes is the
# order of ids.  Rows whose commit was confirmed are to be in the table in the end.
package SoakCheck;

use v5.36;
use warnings FATAL => 'all';

use JSON::PP;
use POSIX qw(_exit WNOHANG);

use PostgreSQL::Test::Utils;

use SnoTest qw(ids_file id_count output_of set_file);

use Exporter 'import';
our @EXPORT_OK = qw(covers describe check_rows gather sorted);

use constant MERGED_AT_ONCE => 8;
use constant EXAMPLES => 5;

# Reservations that cover everything
use constant ALL => [ (2**40) x 2 ];

my %digit;
@digit{ split //, '23456789abcdefghijklmnopqrstuvwx' } = 0 .. 31;

# Tick and plane of an id: they are its first eight characters
sub position($id)
{
	my $number = 0;

	$number = $number * 32 + $digit{$_} foreach split //, substr($id, 0, 8);
	return ($number >> 1, $number & 1);
}

# Is an id, or all that begin like it, reserved?  By the last tick of each plane.
sub covers($reserved_ticks, $id)
{
	my ($ticks, $plane) = position($id);

	return $ticks <= $reserved_ticks->[$plane];
}

sub describe($id)
{
	return sprintf '%s (tick %d, plane %d)', $id, position($id);
}

# With the process that does the work; what it has done so far, or what it found to
# be wrong, is in a file
sub new($class)
{
	my $check = bless { status => ids_file('check_status'), ids => 0, lost => 0, runs => 0 }, $class;

	set_file($check->{status}, "0 0\n");
	pipe(my $lives, $check->{lives}) or die "pipe: $!\n";
	$check->{lives}->autoflush(1);
	$check->{pid} = fork() // die "fork: $!\n";
	setpgrp($check->{pid}, 0);
	return $check if $check->{pid} != 0;

	$SIG{$_} = 'DEFAULT' foreach qw(INT TERM ALRM PIPE);
	setpriority(0, 0, 10);
	close $check->{lives};
	_exit(0) if eval { $check->work($lives); 1 };
	set_file($check->{status}, $@);
	_exit(1);
}

# All ids of the files must be covered by what is durable, the reservations of
# the life's server.  Those that are not covered by what was kept of these, as
# the successor of the server does not know of them, may come up again: they are
# compared with one another and go no further.
sub add_life($check, @life)
{
	print { $check->{lives} } encode_json(\@life) . "\n";
}

# The last file of ids; once all are merged, the check has ended
sub finish($check, $file)
{
	$check->add_life('of rows that no client saw', ALL, ALL, $file);
	$check->add_life('end');
}

# False if it has ended; dies if it found something wrong
sub look($check)
{
	my $ended = $check->{pid} && waitpid($check->{pid}, WNOHANG) == $check->{pid};
	my $status = $?;
	my $said = slurp_file($check->{status});

	$check->{pid} = 0 if $ended;
	die $said if $ended && $status != 0;
	@{$check}{qw(ids lost)} = split ' ', $said if $said =~ /^\d+ \d+$/;
	return $check->{pid};
}

# At the end of the soak, however it ended
sub kill_work($check)
{
	kill 'KILL', -$check->{pid} if $check->{pid};
}

sub work($check, $lives)
{
	my @runs = ([]);				# by how often they were merged
	my ($life, $durable, $kept, @files);

	while (($life, $durable, $kept, @files) = @{ decode_json(<$lives> // return) }, $life ne 'end')
	{
		push @{ $runs[0] }, $check->sift("life $life", $durable, $kept, "sort -S 256M @files", @files);
		set_file($check->{status}, "$check->{ids} $check->{lost}\n");
		for (my $level = 0; @{ $runs[$level] } == MERGED_AT_ONCE; $level++)
		{
			push @{ $runs[ $level + 1 ] }, $check->merge(splice @{ $runs[$level] });
		}
	}
	$check->merge(map { @$_ } @runs);
}

sub merge($check, @runs)
{
	my @paths = map { $_->{path} } @runs;
	my ($expected, $ids) = (0, $check->{ids});
	my $run = $check->sift("runs @paths", ALL, ALL,
		'sort -m -S 64M ' . join(' ', map { "<(gzip -dc $_)" } @paths), @paths);

	$check->{ids} = $ids;
	$expected += $_->{ids} foreach @runs;
	die "the merge of @paths has $run->{ids} ids instead of $expected\n" if $run->{ids} != $expected;
	return $run;
}

# Passes the sorted ids on to a run, which is returned; the files go
sub sift($check, $what, $durable, $kept, $command, @files)
{
	my $path = ids_file('run_' . ++$check->{runs}) . '.gz';
	my %count = (kept => 0, lost => 0, uncovered => 0, duplicates => 0);
	my ($previous, $tick, $fate) = ('', '', '');
	my @examples;

	open(my $ids, '-|', 'bash', '-c', $command) or die "sort: $!\n";
	open(my $run, '|-', "gzip -1 > $path") or die "gzip: $!\n";
	while (my $id = <$ids>)
	{
		if ($id eq $previous)
		{
			push @examples, $id if $count{duplicates}++ < EXAMPLES;
			next;
		}
		$previous = $id;
		if (substr($id, 0, 8) ne $tick)
		{
			$tick = substr($id, 0, 8);
			$fate = !covers($durable, $tick) ? 'uncovered' : !covers($kept, $tick) ? 'lost' : 'kept';
			push @examples, $id if $fate eq 'uncovered' && $count{uncovered} < EXAMPLES;
		}
		$count{$fate}++;
		print $run $id if $fate eq 'kept';
	}
	close $ids or die "sort failed: $?\n";
	close $run or die "gzip failed: $?\n";
	die "$count{duplicates} duplicates and $count{uncovered} ids that no reservation covers in $what\n"
	  . join('', map { where_is($_ =~ s/\n//r, @files) } @examples)
	  if $count{duplicates} || $count{uncovered};

	unlink @files;
	$check->{ids} += $count{kept} + $count{lost};
	$check->{lost} += $count{lost};
	return { path => $path, ids => $count{kept} };
}

# For the report of a failure: what an id is, and which files have it
sub where_is($id, @files)
{
	my @found = map { s!.*/!!r } grep { qx(gzip -dcf $_ | grep -cx $id) > 0 } @files;

	return '    ' . describe($id) . " in @found\n";
}

# Adds these files to one
sub gather($name, $pattern)
{
	my @files = glob ids_file($pattern);

	output_of("cat @files /dev/null >>" . ids_file($name));
	unlink @files;
}

# The output of a command, sorted, in a file of this name
sub sorted($name, $command)
{
	my $file = ids_file($name);

	output_of("$command | sort -o $file");
	return $file;
}

# Are all rows in the table whose commit was confirmed?  If they may be lost, how
# many are; of these, none is to be there later.  The table is then in a file.
sub check_rows($server, $may_be_lost)
{
	my ($copy, $confirmed) = map { ids_file($_) } qw(copy confirmed);
	my ($table, $missing);

	unlink $copy;
	$server->query("COPY made (id) TO '$copy'");
	$table = sorted('table', "cat $copy");
	gather('confirmed', 'committed_*_*');
	sorted('confirmed', "cat $confirmed");
	$missing = sorted('missing', "comm -23 $confirmed $table");
	die id_count($missing) . " rows whose commit was confirmed are missing, see $missing\n"
	  if -s $missing && !$may_be_lost;
	sorted('confirmed', "comm -12 $confirmed $table");
	return id_count($missing);
}

1;
