# SoakCheck.pm
#	Finds ids that came up twice among any number of them, and ids that no
#	reservation on disk covers.
#
# Nothing here relies on the extension: an id is its text form, whose order as
# bytes is the order of ids, and sort finds those that meet.  Rows whose commit was
# confirmed are to be in the table.
package SoakCheck;

use v5.36;
use warnings FATAL => 'all';

use List::Util qw(sum0);

use SnoTest qw(ids_file id_count output_of);

use Exporter 'import';
our @EXPORT_OK = qw(check_lives check_rows covers describe sorted);

use constant EXAMPLES => 5;

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

# An id and its line end are 17 bytes; what else clients write is little
sub ids_in($pattern)
{
	return int(sum0(map { -s } glob ids_file($pattern)) / 17);
}

# The output of a command, sorted, in a file of this name
sub sorted($name, $command)
{
	my $file = ids_file($name);

	output_of("$command | sort -S 256M -o $file");
	return $file;
}

# Parts what clients have written by now: the ids of a life, those of rows, and those
# of rows whose commit was confirmed
sub part_outputs()
{
	my ($inserted, $committed) = map { ids_file($_) } qw(inserted committed);

	foreach my $output (glob ids_file('out_*'))
	{
		my $ids = $output =~ s/_out_/_ids_/r;

		output_of(<<"EOF");
awk '/^=/ { mark = \$0 }
	/^=begin/ { rows = "" }
	/^=committed/ { printf "%s", rows >>"$committed" }
	!/^=/ { gsub(/[|]/, "\\n"); print >"$ids" }
	!/^=/ && mark == "=rows" { rows = rows \$0 "\\n"; print >>"$inserted" }' $output
EOF
		unlink $output;
	}
}

# check_lives([LIFE, DURABLE, KEPT], ...), and a file of more ids: how many there are
# of the lives, and how many of them are lost.
#
# All ids of a life must be covered by what is durable, the reservations of its
# server.  Those that are not covered by what was kept of these, as the successor of
# the server does not know of them, may come up again: they are compared with one
# another and go no further.
sub check_lives($more, @lives)
{
	my ($ids, $lost) = (0, 0);

	part_outputs();
	foreach (@lives)
	{
		my ($life, $durable, $kept) = @$_;
		my $file = sorted("life_$life", 'cat /dev/null ' . ids_file("ids_*_$life"));
		my @ticks = split /\n/, output_of("cut -c 1-8 $file | uniq");
		my @lost = grep { !covers($kept, $_) } @ticks;

		$ids += id_count($file);
		show("ids that no reservation covers in life $life", map { output_of("grep -m 1 ^$_ $file") } grep { !covers($durable, $_) } @ticks);
		show("duplicates in life $life", split /\n/, output_of("uniq -d $file"));
		next if !@lost;
		output_of("grep -v '^\\(${\join('\\|', @lost)}\\)' $file >$file.kept || true");
		$lost += id_count($file) - id_count("$file.kept");
		rename("$file.kept", $file) or die "$file: $!\n";
	}
	show('duplicates in several lives', split /\n/,
		output_of("sort -m --compress-program=gzip $more " . ids_file('life_*') . ' | uniq -d'));
	return ($ids, $lost);
}

# Dies of these ids, and says which files have them
sub show($what, @ids)
{
	my @examples = splice @{ [@ids] }, 0, EXAMPLES;

	die @ids . " $what\n" . join('',
		map { '    ' . describe($_) . ' in ' . output_of("grep -lx $_ " . ids_file('ids_*') . " | xargs -n 1 basename | xargs") . "\n" }
		@examples) if @ids;
}

# Are all rows in the table whose commit was confirmed?  If they may be lost, how
# many are.  The table is then in a file.
sub check_rows($server, $may_be_lost)
{
	my ($copy, $confirmed) = map { ids_file($_) } qw(copy committed);
	my ($table, $missing);

	part_outputs();
	unlink $copy;
	$server->query("COPY made (id) TO '$copy'");
	$table = sorted('table', "cat $copy");
	sorted('committed', "cat /dev/null $confirmed");
	$missing = sorted('missing', "comm -23 $confirmed $table");
	die id_count($missing) . " rows whose commit was confirmed are missing, see $missing\n"
	  if -s $missing && !$may_be_lost;
	sorted('committed', "comm -12 $confirmed $table");
	return id_count($missing);
}

1;
