# restore.pl
#	Snapshots that were tampered with, for sno_restore(): it takes a document
#	exactly if a plain check of its text does, and then the state is what was
#	written, whether or not the transaction commits; if it takes it not, the
#	SQLSTATE is one of those documented, and nothing has changed.
#
# For 10 seconds, or for MINUTES.  A document that fails is printed, with what was
# seen before and after it.
use strict;
use warnings FATAL => 'all';

use JSON::PP;
use List::Util qw(max min);
use Test::More;
use Time::HiRes qw(time);

use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	BATCH => 200,				# documents a session
	DAY_TICKS => 250 * 86400,	# as far ahead as a snapshot may be
	TIME_MAX => 2**39 - 1,
	UNIT_TICKS => 128,			# of the record
	SLOT_MAX => 2**24 - 1,
};

my $json = JSON::PP->new->canonical;
my %count = (refused => 0, restored => 0, 'restored with a head' => 0);

# A value of well-formed JSON
my $value = qr/(?<value>
	"(?:[^"\\]|\\.)*+" | [-+.\w]++ |
	\[ (?: (?&value) (?:,[ ])? )*+ \] | \{ (?: (?&value) :[ ] (?&value) (?:,[ ])? )*+ \} )/x;

seed_random();

# One of the arguments
sub any
{
	return $_[ int(rand(@_)) ];
}

# A tick that means something to a server whose clock shows this one
sub near_ticks
{
	my ($clock) = @_;

	return max(0, min(TIME_MAX, any(0, $clock, $clock, $clock, $clock + DAY_TICKS, TIME_MAX, int(rand($clock)))
			+ any(0, 0, 1, -1, UNIT_TICKS, -UNIT_TICKS, 300, -300, int(rand(5000)))));
}

# A number up to this one, now and then one too many
sub up_to
{
	my ($max) = @_;

	return any(0, int(rand($max + 1)), $max + (rand() < 0.04 ? 1 : 0));
}

# A snapshot as another server could have made it, or nearly so
sub nearly_valid
{
	my ($clock) = @_;
	my @reserved = map { near_ticks($clock) } 0, 1;
	my $plane = any(0, 1);
	my $count = 1 + up_to(127);
	my $sequence = int(rand(65533));

	return sprintf('{"format": 1, "clock": %s, "partition": %d, "partition_count": %d, "sequence_min": %d, '
		  . '"sequence_max": %d, "head": %s, "planes": [%s, %s], "reservations": 5, "step_backs": 0}',
		any($clock, 'null'), up_to(65536 - $count), $count, $sequence, any(65535, $sequence + 3 - up_to(0)),
		any('null', 'null', sprintf('{"tick": %d, "plane": %d, "slot": %d}', up_to($reserved[$plane]), $plane, up_to(SLOT_MAX))),
		map { sprintf('{"last": %d, "reserved": %d}', up_to($_), $_) } @reserved);
}

# What stands in the place of a value
my @values = (
	qw(0 -0 1 -1 2 3 4 127 128 129 255 256 65532 65535 65536 1.0 1.5 0.5 1e0 1e2 10e-1 5e-324 1e400 -1e400
	  16777215 16777216 2147483647 2147483648 4294967295 4294967296 549755813887 549755813888
	  9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616 18446744073709551617
	  -18446744073709551615 null true false "" "1" "0x1" "planes" "\u0041" [] [[]] [1] {}),
	'9' x 400, '"é"', '[null, null]', '{"format": 1}', '{"reserved": 5, "last": 5}');

# A document in which a value is another one, or a member has another name, is no
# more there, or comes after one that no snapshot has; or there is a third plane
sub tampered
{
	my ($text, $clock) = @_;
	my @spots;
	push @spots, [ pos($text), length(($+{member} // '') . $+{value}), $+{member}, $+{value} ]
	  while $text =~ /(?<![^ [{])(?=(?<member>"[^"]*+": )?$value)/g;
	my ($start, $length, $member, $old) = any(@spots)->@*;
	substr($text, $start, $length) =
	    !defined $member || rand() < 0.3 ? ($member // '') . any(any(@values), any(@values), near_ticks($clock), "[$old]", "{\"value\": $old}")
	  : rand() < 0.5 ? any(uc $member, '"": ', '"Format": ', '"plane": ', '"tick": ') . $old
	  : any('"removed": 0', '"more": ' . any(@values) . ", $member$old");
	$text =~ s/"removed": 0, |(?:, )?"removed": 0//;
	$text =~ s/\[\K\{"last": [^{}]*\}/$&, $&/ if rand() < 0.02;
	return $text;
}

# What the server makes of a jsonb, as text, with numbers as strings that begin
# in a way no string of ours does, because Perl's numbers are not as exact
sub parse
{
	my ($text) = @_;

	$text =~ s/("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)/$1 \/\/ "\"\\u0001$2\""/ge;
	return $json->decode("[$text]")->[0];
}

# The number if it is an integer in this range, or else -1.  All of these are well
# below 2^53.
sub integer
{
	my ($value, $min, $max) = @_;

	return !ref $value && ($value // '') =~ /^\x01(\d{1,15})$/ && $1 >= $min && $1 <= $max ? $1 : -1;
}

# verdict(SNAPSHOT, CLOCK): the SQLSTATE that a restore ends in
sub verdict
{
	my ($s, $clock) = @_;
	my @reserved;

	return '22023' unless ref $s eq 'HASH' && !ref $s->{format} && ($s->{format} // '') =~ /^\x01[1-9]\d*$/;
	return '0A000' unless integer($s->{format}, 1, 1) == 1;

	my @pool = map { integer($s->{$_}, 0, 65535) } qw(partition partition_count sequence_min sequence_max);
	return '22023' if min(@pool) < 0 || $pool[1] < 1 || $pool[1] > 128 || $pool[0] + $pool[1] > 65536 || abs($pool[2] - $pool[3]) < 3;

	return '22023' unless ref $s->{planes} eq 'ARRAY' && $s->{planes}->@* == 2;
	foreach my $plane ($s->{planes}->@*)
	{
		return '22023' unless ref $plane eq 'HASH';
		push @reserved, integer($plane->{reserved}, 0, TIME_MAX);
		return '22023' if integer($plane->{last}, 0, $reserved[-1]) < 0;
	}

	my $head = exists $s->{head} ? $s->{head} : '';
	return '22023' unless !defined $head
	  || (ref $head eq 'HASH' && integer($head->{plane}, 0, 1) >= 0 && integer($head->{slot}, 0, SLOT_MAX) >= 0
		&& integer($head->{tick}, 0, $reserved[ integer($head->{plane}, 0, 1) ]) >= 0);

	return max(@reserved) > $clock + DAY_TICKS ? '22023' : '00000';
}

# What is compared of a state: all but the clock, and by how much a tick is too full
sub state_of
{
	my ($s) = @_;
	my $capacity = $s->{partition_count} * ($s->{sequence_max} - $s->{sequence_min} + 1);

	delete $s->{clock};
	$s->{head}{slot} = min($s->{head}{slot}, $capacity) if $s->{head};
	return $json->encode($s);
}

# The state that a restore of these reservations leaves
sub restored
{
	my ($s, @given) = @_;
	my $head = $s->{head};

	foreach my $plane (0, 1)
	{
		my $of_plane = $s->{planes}[$plane];

		$of_plane->{reserved} = max($of_plane->{reserved}, $given[$plane] - $given[$plane] % UNIT_TICKS + UNIT_TICKS - 1);
		# Of the plane in use, it means nothing
		$of_plane->{last} = max($of_plane->{last}, $given[$plane]) if $head && $head->{plane} != $plane;
		$of_plane->{last} = $of_plane->{reserved} if !$head;
	}
	@$head{qw(tick slot)} = ($given[ $head->{plane} ], SLOT_MAX) if $head && $head->{tick} <= $given[ $head->{plane} ];
	$s->{reservations}++;
	return $s;
}

# Why the server did wrong with a document, as JSON; '' if it did not
sub fault_in
{
	my ($document, $code, @snapshots) = @_;
	my $s = parse($document);
	my ($before, $after) = map { $json->decode($_) } @snapshots;

	# The clock was read in between
	my @verdicts = map { verdict($s, $_->{clock}) } $before, $after;

	return "SQLSTATE $code, expected $verdicts[0]" unless grep { $_ eq $code } @verdicts;
	$count{ $code ne '00000' ? 'refused' : $before->{head} ? 'restored with a head' : 'restored' }++;
	restored($before, map { integer($_->{reserved}, 0, TIME_MAX) } $s->{planes}->@*) if $code eq '00000';
	return state_of($before) eq state_of($after) ? '' : 'the state is not what it was, or what was written';
}

my $server = new_server('restore');
my ($failed, $documents) = (0, 0);
my $end = time + 60 * ($ENV{MINUTES} || 1 / 6);

while (time < $end && $failed < 5)
{
	my $clock = $server->safe_psql('postgres', "SELECT sno_snapshot()->'clock'");
	my $script = "SET client_min_messages = error;\n";

	foreach my $i (1 .. BATCH)
	{
		my $document = nearly_valid($clock);

		$document = tampered($document, $clock) foreach 1 .. any(0, 0, 1, 1, 1, 2, 3);

		# What is reserved far ahead is forgotten now and then, or soon nothing would
		# be ahead of it any more.  That leaves the head to be loaded, which an id
		# does; not often, because it has to wait.
		$script .= 'SELECT sno_reset()' . ($i == 1 ? ', sno_generate()' : '') . ' \gset' if $i == 1 || rand() < 0.02;
		$script .= <<"EOF";

SELECT '$document'::jsonb;
SELECT sno_snapshot();
BEGIN;
SELECT sno_restore('$document') \\gset
\\echo :SQLSTATE
${\any('COMMIT', 'ROLLBACK')};
SELECT sno_snapshot();
EOF
	}
	$server->psql('postgres', $script, stdout => \my $out, stderr => \my $err, on_error_stop => 0);
	my @lines = split /\n/, $out;
	die "a document has no answer: $err" unless @lines == 4 * BATCH;
	while (my ($document, $before, $code, $after) = splice(@lines, 0, 4))
	{
		my $fault = fault_in($document, $code, $before, $after) or next;

		$failed++;
		diag "$fault\ndocument: $document\nbefore: $before\nafter: $after";
	}
	$documents += BATCH;
}
note join(', ', "$documents documents", map { "$_ $count{$_}" } sort keys %count);
is($failed, 0, 'a document is restored as it says, or refused for what it is, and then nothing changes');
ok(!(grep { $_ == 0 } values %count), 'some documents are restored, and some are refused');
like($server->safe_psql('postgres', 'SELECT sno_reset(); SELECT sno_generate()'), qr/^[2-9a-x]{16}$/m, 'the server goes on');
unlike(slurp_file($server->logfile), qr/PANIC|TRAP|terminated by signal/, 'no session crashed');

done_testing();
