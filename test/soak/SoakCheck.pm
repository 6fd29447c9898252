# SoakCheck.pm
#	Finds ids that came up twice among any number of them, and ids that no
#	reservation on disk covers.
#
# The work is done by sort and by processes of low priority, one at a time, while
# the soak goes on.  When a life of the server is over, the ids of all clients in
# it are sorted into one compressed run; runs are merged, eight into one, and all
# that are left in the end.  An id that comes up again meets itself in one of
# these.  Nothing here relies on the extension: an id is its text form, whose
# order as bytes is the order of ids.
package SoakCheck;

use strict;
use warnings FATAL => 'all';

use POSIX qw(_exit WNOHANG);

use SnoTest qw(ids_file id_count);
use SoakTime;

use Exporter 'import';
our @EXPORT_OK = qw(position covers describe);

use constant MERGED_AT_ONCE => 8;
use constant SORT_MEMORY => '256M';
use constant EXAMPLES => 5;

my %digit;
@digit{ split //, '23456789abcdefghijklmnopqrstuvwx' } = 0 .. 31;

# Tick and plane of an id: they are its first eight characters
sub position
{
	my ($id) = @_;
	my $number = 0;

	$number = $number * 32 + $digit{$_} foreach split //, substr($id, 0, 8);
	return ($number >> 1, $number & 1);
}

# Is an id, or all that begin like it, reserved?  By the last tick of each plane.
sub covers
{
	my ($reserved_ticks, $id) = @_;
	my ($ticks, $plane) = position($id);

	return $ticks <= $reserved_ticks->[$plane];
}

sub describe
{
	my ($id) = @_;

	return sprintf '%s (tick %d, plane %d)', $id, position($id);
}

sub new
{
	my ($class) = @_;

	return bless {
		waiting => [],				# lives to sort
		runs => [ [] ],				# by how often their ids were merged
		run_number => 0,
		job => undef,
		ids => 0, lost => 0, duplicates => 0, uncovered => 0 }, $class;
}

# add_life(number =>, files => [...], durable => [TICKS, TICKS], kept => [...])
# All ids of the files must be covered by what is durable, the reservations of
# the life's server.  Those that are not covered by what was kept of these, as
# the successor of the server does not know of them, may come up again: they are
# compared with one another and go no further.
sub add_life
{
	my ($check, %life) = @_;

	push @{ $check->{waiting} }, \%life if @{ $life{files} };
	return;
}

# Starts what there is to do unless something is being done; dies if that found
# something wrong
sub go_on
{
	my ($check) = @_;

	return if $check->{job} && !$check->end_job;
	if (my $life = shift @{ $check->{waiting} })
	{
		$check->start_life($life);
		return;
	}
	foreach my $level (0 .. $#{ $check->{runs} })
	{
		my $runs = $check->{runs}[$level];

		next if @$runs < MERGED_AT_ONCE;
		$check->start_merge($level + 1, splice(@$runs, 0, MERGED_AT_ONCE));
		return;
	}
	return;
}

# Is there nothing to do but the last merge?
sub is_idle
{
	my ($check) = @_;

	$check->go_on;
	return !$check->{job};
}

# Merges all there is with the ids of the file; then $check->is_idle tells when
# all is done.
sub start_last_merge
{
	my ($check, $file) = @_;
	my $extra = { path => $file, ids => id_count($file) };
	my @runs = map { @$_ } @{ $check->{runs} };

	$check->{runs} = [];
	$check->start_merge(0, @runs, $extra);
	return;
}

sub new_run
{
	my ($check) = @_;

	return ids_file('run_' . ++$check->{run_number} . '.gz');
}

sub start_life
{
	my ($check, $life) = @_;
	my $run = $check->new_run;

	$check->start_job(
		name => "life $life->{number}",
		level => 0,
		run => $run,
		inputs => $life->{files},
		command => [ 'sort', '-S', SORT_MEMORY, @{ $life->{files} } ],
		fate => sub {
			my ($tick) = @_;

			return
			    !covers($life->{durable}, $tick) ? 'uncovered'
			  : !covers($life->{kept}, $tick)    ? 'lost'
			  :                                    'kept';
		});
	return;
}

sub start_merge
{
	my ($check, $level, @runs) = @_;
	my $expected = 0;

	$expected += $_->{ids} foreach @runs;
	$check->start_job(
		name => 'runs ' . join(' ', map { $_->{path} } @runs),
		level => $level,
		run => $level ? $check->new_run : '/dev/null',
		expected => $expected,
		inputs => [ map { $_->{path} } @runs ],
		command => [
			'bash', '-c',
			'sort -m -S 64M ' . join(' ', map { "<(gzip -dcf $_->{path})" } @runs)
		],
		fate => sub { 'kept' });
	return;
}

# In a process, and a group of processes, of its own
sub start_job
{
	my ($check, %job) = @_;

	$job{result} = ids_file('job_result');
	unlink $job{result};
	$job{pid} = fork() // die "fork: $!\n";
	setpgrp($job{pid}, 0);
	if ($job{pid} == 0)
	{
		$SIG{$_} = 'DEFAULT' foreach qw(INT TERM ALRM PIPE);
		setpriority(0, 0, 10);
		eval { inspect(\%job) };
		print STDERR $@ if $@;
		_exit($@ ? 1 : 0);
	}
	$check->{job} = \%job;
	return;
}

# Passes the sorted ids on to the run, and counts
sub inspect
{
	my ($job) = @_;
	my %count = (kept => 0, lost => 0, uncovered => 0, duplicates => 0);
	my @examples;
	my ($previous, $tick, $fate) = ('', '', '');

	local $ENV{LC_ALL} = 'C';
	open(my $ids, '-|', @{ $job->{command} }) or die "sort: $!\n";
	open(my $run, '|-', "gzip -1 > $job->{run}") or die "gzip: $!\n";
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
			$fate = $job->{fate}->($tick);
			push @examples, $id if $fate eq 'uncovered' && $count{uncovered} < EXAMPLES;
		}
		$count{$fate}++;
		print $run $id if $fate eq 'kept';
	}
	close $ids or die "sort failed: $?\n";
	close $run or die "gzip failed: $?\n";

	open(my $result, '>', "$job->{result}.new") or die "$job->{result}: $!\n";
	print $result "$_ $count{$_}\n" foreach sort keys %count;
	print $result "example $_" foreach @examples;
	close $result or die "$job->{result}: $!\n";
	rename("$job->{result}.new", $job->{result}) or die "$job->{result}: $!\n";
	return;
}

# False if the job is not done yet
sub end_job
{
	my ($check) = @_;
	my $job = $check->{job};
	my (%count, @examples);

	return 0 if waitpid($job->{pid}, WNOHANG) != $job->{pid};
	$check->{job} = undef;
	die "the check of $job->{name} failed with status $?\n" if $? != 0;
	open(my $result, '<', $job->{result}) or die "$job->{result}: $!\n";
	while (my $line = <$result>)
	{
		my ($what, $value) = split ' ', $line;

		push @examples, $value if $what eq 'example';
		$count{$what} = $value if $what ne 'example';
	}
	close $result;

	$check->{duplicates} += $count{duplicates};
	$check->{uncovered} += $count{uncovered};
	if ($count{duplicates} || $count{uncovered})
	{
		die "$count{duplicates} duplicates and $count{uncovered} ids that no reservation covers"
		  . " in $job->{name}\n"
		  . join('', map { where_is($_, @{ $job->{inputs} }) } @examples);
	}
	die "the check of $job->{name} saw $count{kept} ids instead of $job->{expected}\n"
	  if defined $job->{expected} && $count{kept} != $job->{expected};

	unlink @{ $job->{inputs} };
	$check->{ids} += $count{kept} + $count{lost} if !defined $job->{expected};
	$check->{lost} += $count{lost};
	push @{ $check->{runs}[ $job->{level} ] }, { path => $job->{run}, ids => $count{kept} }
	  if $job->{run} ne '/dev/null';
	return 1;
}

# For the report of a failure: what an id is, and which files have it
sub where_is
{
	my ($id, @files) = @_;
	my @found = map { s!.*/!!r }
	  grep { qx(gzip -dcf $_ | grep -cx $id) > 0 } @files;

	return '    ' . describe($id) . " in @found\n";
}

# At the end of the soak, however it ended
sub kill_job
{
	my ($check) = @_;

	return if !$check->{job};
	kill 'KILL', -$check->{job}{pid};
	waitpid($check->{job}{pid}, 0);
	$check->{job} = undef;
	return;
}

1;
