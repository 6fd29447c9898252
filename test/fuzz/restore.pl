# restore.pl
#	Snapshots that were tampered with, for sno_restore(): it takes a document
#	exactly if a plain check of its text does, and then the state is what was
#	written, whether or not the transaction commits; if it takes it not, the
#	SQLSTATE is one of those documented, and nothing has changed.
#
# Usage: [SECONDS=n] [SEED=n] prove test/fuzz/restore.pl
#
# 10 seconds unless SECONDS says otherwise.  The seed is printed.  A document
# that fails is printed, with what was seen before and after it.
use strict;
use warnings FATAL => 'all';

use FindBin;
use JSON::PP;
use Test::More;
use Time::HiRes qw(time);

use lib "$FindBin::RealBin/../t";
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	BATCH => 200,				# documents a session
	DAY_TICKS => 250 * 86400,	# as far ahead as a snapshot may be
	TIME_MAX => 2**39 - 1,
	UNIT_TICKS => 128,			# of the record
	SLOT_MAX => 2**24 - 1,
};

my $seconds = $ENV{SECONDS} || 10;
my $seed = $ENV{SEED} // int(rand(2**31));
my $json = JSON::PP->new->canonical;
my %count = (refused => 0, restored => 0, 'restored with a head' => 0, 'not JSON' => 0);

srand($seed);
note "SEED=$seed";

# One of the arguments
sub any
{
	return $_[ int(rand(@_)) ];
}

# A document is made of these: [VALUE, ...] is an array, { pairs => [[KEY, VALUE],
# ...] } an object, and a string is JSON.

sub text_of
{
	my ($value) = @_;

	return $value unless ref $value;
	return '[' . join(', ', map { text_of($_) } @$value) . ']' if ref $value eq 'ARRAY';
	return '{' . join(', ', map { "$_->[0]: " . text_of($_->[1]) } @{ $value->{pairs} }) . '}';
}

sub object
{
	my @pairs;

	push @pairs, [ '"' . shift(@_) . '"', shift(@_) ] while @_;
	return { pairs => \@pairs };
}

# A tick that means something to a server whose clock shows this one
sub near_ticks
{
	my ($clock) = @_;
	my $ticks = any(0, $clock, $clock, $clock, $clock + DAY_TICKS, TIME_MAX, int(rand($clock)))
	  + any(0, 0, 1, -1, UNIT_TICKS, -UNIT_TICKS, 300, -300, int(rand(5000)));

	return $ticks < 0 ? 0 : $ticks > TIME_MAX ? TIME_MAX : $ticks;
}

# Now and then one too many
sub over
{
	return rand() < 0.04 ? 1 : 0;
}

# A snapshot as another server could have made it, or nearly so
sub nearly_valid
{
	my ($clock) = @_;
	my @reserved = map { near_ticks($clock) } 0, 1;
	my $plane = any(0, 1);
	my $head = rand() < 0.3 ? 'null' : object(
		tick => any(0, int(rand($reserved[$plane] + 1)), $reserved[$plane] + over()),
		plane => $plane,
		slot => any(0, 1, 65536, SLOT_MAX + over()));
	my $sequence = int(rand(65533));
	my $count = any(1 + int(rand(128)), 1 - over(), 128 + over());

	return object(
		format => 1,
		clock => any($clock, 'null'),
		partition => any(0, int(rand(65537 - $count)), 65536 - $count + over()),
		partition_count => $count,
		sequence_min => $sequence,
		sequence_max => any(65535, $sequence + 3 - over()),
		head => $head,
		planes => [
			map { object(last => any(0, int(rand($_ + 1)), $_ + over()), reserved => $_) } @reserved
		],
		reservations => int(rand(1000)),
		regressions => 0);
}

sub any_value
{
	my ($clock) = @_;

	return any(
		qw(0 -0 1 -1 2 3 4 127 128 129 255 256 65532 65535 65536 1.0 1.5 0.5 1e0 1e2 10e-1
		  5e-324 1e400 -1e400 16777215 16777216 2147483647 2147483648 4294967295 4294967296
		  549755813887 549755813888 9223372036854775807 9223372036854775808
		  18446744073709551615 18446744073709551616 18446744073709551617 -18446744073709551615),
		'9' x 400, near_ticks($clock), near_ticks($clock) . '.0',
		qw(null true false "" "1" "0x1" "planes" "\u0041" "\ud83d\ude00"), '"é"',
		[], [ [] ], [1], [ 'null', 'null' ], object(), object(format => 1), object(reserved => 5, last => 5));
}

# Changes something, somewhere in it; returns what takes its place
sub tampered
{
	my ($value, $clock) = @_;

	if (ref $value eq 'ARRAY' && @$value > 0 && rand() < 0.85)
	{
		my $place = int(rand(@$value));

		if (rand() < 0.5) { $value->[$place] = tampered($value->[$place], $clock) }
		else { splice(@$value, $place, any(0, 1), any([], [ $value->[$place] ], [ any_value($clock) ])->@*) }
		return $value;
	}
	if (ref $value eq 'HASH' && @{ $value->{pairs} } > 0 && rand() < 0.9)
	{
		my $pairs = $value->{pairs};
		my @planes = grep { ref $pairs->[$_][1] eq 'ARRAY' } 0 .. $#$pairs;
		my $place = @planes && rand() < 0.2 ? any(@planes) : int(rand(@$pairs));
		my ($key, $member) = @{ $pairs->[$place] };
		my $how = rand();

		if ($how < 0.7) { $pairs->[$place] = [ $key, tampered($member, $clock) ] }
		elsif ($how < 0.8) { splice(@$pairs, $place, 1) }
		elsif ($how < 0.85) { push @$pairs, [ $key, any_value($clock) ] }
		elsif ($how < 0.9) { unshift @$pairs, [ $key, any_value($clock) ] }
		elsif ($how < 0.95) { $pairs->[$place][0] = any(uc $key, '""', '"format "', '"plane"', '"tick"') }
		else { push @$pairs, [ any('"more"', '"Format"', '""', '"tick"'), any_value($clock) ] }
		return $value;
	}
	return any(any_value($clock), any_value($clock), [$value], object(value => $value));
}

# The same for the text
sub tampered_text
{
	my ($text) = @_;
	my $place = int(rand(length($text) + 1));
	my $what = any('', ',', ':', '"', '{', '}', '[', ']', '0', '1', '.', 'e', '-', ' ', '\\', "'", 'null', '\u0000', 'é', "\t");

	substr($text, $place, any(0, 0, 1, 1, 5)) = $what if $place < length($text);
	return $text;
}

sub any_document
{
	my ($clock) = @_;
	my $document = nearly_valid($clock);
	my $text;

	$document = tampered($document, $clock) foreach 1 .. any(0, 0, 1, 1, 1, 2, 3);
	$text = text_of($document);
	if (rand() < 0.1)
	{
		$text = tampered_text($text) foreach 0 .. any(0, 1, 2);
	}
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

# Is it an integer in this range?  All of these are well below 2^53.
sub is_integer
{
	my ($value, $min, $max) = @_;

	return defined $value && !ref $value && $value =~ /^\x01(\d{1,15})$/ && $1 >= $min && $1 <= $max;
}

sub integer
{
	return substr($_[0], 1);
}

# verdict(SNAPSHOT, CLOCK): the SQLSTATE that a restore ends in, '' for none
sub verdict
{
	my ($s, $clock) = @_;
	my ($planes, $head);

	return '22023' unless ref $s eq 'HASH' && is_integer($s->{format}, 1, 2**31 - 1);
	return '0A000' unless integer($s->{format}) == 1;

	return '22023'
	  unless is_integer($s->{partition}, 0, 65535)
	  && is_integer($s->{partition_count}, 1, 128)
	  && integer($s->{partition}) + integer($s->{partition_count}) <= 65536
	  && is_integer($s->{sequence_min}, 0, 65535)
	  && is_integer($s->{sequence_max}, 0, 65535)
	  && abs(integer($s->{sequence_min}) - integer($s->{sequence_max})) >= 3;

	$planes = $s->{planes};
	return '22023' unless ref $planes eq 'ARRAY' && @$planes == 2;
	foreach my $plane (@$planes)
	{
		return '22023'
		  unless ref $plane eq 'HASH'
		  && is_integer($plane->{reserved}, 0, TIME_MAX)
		  && is_integer($plane->{last}, 0, integer($plane->{reserved}));
	}

	return '22023' unless exists $s->{head};
	$head = $s->{head};
	return '22023'
	  if defined $head
	  && !(ref $head eq 'HASH'
		&& is_integer($head->{plane}, 0, 1)
		&& is_integer($head->{tick}, 0, integer($planes->[ integer($head->{plane}) ]{reserved}))
		&& is_integer($head->{slot}, 0, SLOT_MAX));

	return '22023' if grep { integer($_->{reserved}) > $clock + DAY_TICKS } @$planes;
	return '';
}

sub max
{
	my ($a, $b) = @_;

	return $a > $b ? $a : $b;
}

# The state that a restore of these reservations leaves
sub restored
{
	my ($before, @given) = @_;
	my $after = $json->decode($json->encode($before));

	foreach my $plane (0, 1)
	{
		my $planes = $after->{planes}[$plane];
		my $unit = $given[$plane] - $given[$plane] % UNIT_TICKS + UNIT_TICKS - 1;

		$planes->{reserved} = max($planes->{reserved}, $unit);
		$planes->{last} = $before->{head} ? max($planes->{last}, $given[$plane]) : $planes->{reserved};
	}
	if ($before->{head} && $before->{head}{tick} <= $given[ $before->{head}{plane} ])
	{
		$after->{head} = {
			tick => $given[ $before->{head}{plane} ],
			plane => $before->{head}{plane},
			slot => 'full'
		};
	}
	$after->{reservations}++;
	return $after;
}

# What is compared of a state: all but the clock
sub state_of
{
	my ($snapshot) = @_;
	my %state = %$snapshot;

	delete $state{clock};
	if ($state{head} && $state{head}{slot} ne 'full')
	{
		my $capacity = $state{partition_count} * ($state{sequence_max} - $state{sequence_min} + 1);

		$state{head} = { %{ $state{head} }, slot => 'full' } if $state{head}{slot} >= $capacity;
	}
	return $json->encode(\%state);
}

# Why the server did wrong with a document; '' if it did not
sub fault_in
{
	my ($seen) = @_;
	my ($before, $after) = ($json->decode($seen->{before}), $json->decode($seen->{after}));
	my $document = parse($seen->{document});

	# The clock was read in between
	my @verdicts = map { verdict($document, $_->{clock}) } $before, $after;

	return "SQLSTATE '$seen->{code}', expected '$verdicts[0]'"
	  unless grep { $_ eq $seen->{code} } @verdicts;
	if ($seen->{code} ne '')
	{
		$count{refused}++;
		return "message: $seen->{message}"
		  unless $seen->{message} =~
		  /^(invalid snapshot of sno|unsupported format of a snapshot of sno: \d+|snapshot of sno is more than a day ahead of the server's clock)$/;
		return state_of($before) eq state_of($after) ? '' : 'it was refused, but changed the state';
	}
	$count{ $before->{head} ? 'restored with a head' : 'restored' }++;
	return state_of(restored($before, map { integer($_->{reserved}) } @{ $document->{planes} })) eq state_of($after)
	  ? '' : 'the state is not what was written';
}

my $server = new_server('restore');

# One attempt, of which "undo" takes the transaction back.  Before some of them
# what is reserved far ahead is forgotten, or soon nothing would be ahead of it any
# more.  That leaves the head to be loaded, which an id does; not often, because it
# has to wait.
$server->safe_psql('postgres', <<'EOF');
CREATE FUNCTION attempt(tampered text, undo boolean, reset boolean, generate boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	document jsonb;
	before jsonb;
	after jsonb;
	code text = '';
	message text = '';
BEGIN
	BEGIN
		document := tampered::jsonb;
	EXCEPTION WHEN OTHERS THEN
		RETURN jsonb_build_object('error', SQLSTATE);
	END;
	IF reset THEN
		PERFORM sno_reset();
	END IF;
	IF generate THEN
		PERFORM sno_generate();
	END IF;
	before := sno_snapshot();
	BEGIN
		PERFORM sno_restore(document);
		IF undo THEN
			RAISE SQLSTATE 'UNDO0';
		END IF;
	EXCEPTION
		WHEN SQLSTATE 'UNDO0' THEN
			NULL;
		WHEN OTHERS THEN
			code := SQLSTATE;
			message := SQLERRM;
	END;
	after := sno_snapshot();
	RETURN jsonb_build_object('document', document::text, 'before', before::text, 'after', after::text,
		'code', code, 'message', message);
END
$$;
EOF

my ($failed, $documents) = (0, 0);
my $end = time + $seconds;

while (time < $end && $failed < 5)
{
	my $clock = $server->safe_psql('postgres', "SELECT sno_snapshot()->'clock'");
	my @tampered = map { any_document($clock) } 1 .. BATCH;
	my $script = "SET client_min_messages = error;\n";
	my @lines;

	foreach my $i (0 .. $#tampered)
	{
		my $literal = $tampered[$i] =~ s/'/''/gr;
		my $undo = any('true', 'false');
		my $generate = $i == 0 ? 'true' : 'false';
		my $reset = $i == 0 || rand() < 0.02 ? 'true' : 'false';

		$script .= "SELECT attempt('$literal', $undo, $reset, $generate);\n";
	}
	@lines = split /\n/, $server->safe_psql('postgres', $script);
	die 'a document has no answer' unless @lines == @tampered;
	foreach my $i (0 .. $#lines)
	{
		my $seen = $json->decode($lines[$i]);
		my $fault;

		$documents++;
		if (exists $seen->{error})
		{
			$count{'not JSON'}++;
			next;
		}
		$fault = fault_in($seen);
		next if $fault eq '';
		$failed++;
		diag "$fault\ndocument: $tampered[$i]\nmessage: $seen->{message}\nbefore: $seen->{before}\nafter: $seen->{after}";
	}
}
note join(', ', "$documents documents", map { "$_ $count{$_}" } sort keys %count);
is($failed, 0, 'a document is restored as it says, or refused for what it is, and then nothing changes');
ok(!(grep { $_ == 0 } values %count), 'some documents are restored, some are refused, and some are no JSON');
$server->psql('postgres', 'SELECT sno_reset()');
like($server->safe_psql('postgres', 'SELECT sno_generate()'), qr/^[2-9a-x]{16}$/, 'the server goes on');
unlike(slurp_file($server->logfile), qr/PANIC|TRAP|terminated by signal/, 'no session crashed');

done_testing();
