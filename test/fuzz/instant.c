/*
 * instant.c
 *		Instants beside ids: bounds, cuts, their order in operator families, and
 *		the instant after another one, for any timestamptz that there is.
 *
 * An input is an id, two instants, and two other ids.  Includes what of the glue
 * computes with instants, and so needs the server's headers.
 */
/* Before the server puts its own functions in place of stdio's */
#include "fuzz.h"

#include "postgres.h"

#include "type/instant.h"

#include "core/cut.h"

/* 3,653 days after 2000-01-01 */
#define EPOCH	((FuzzWide) 3653 * 86400 * 1000000)
#define TICK	4000
#define TICKS	((FuzzWide) 1 << 39)

/* The time of an id, in microseconds since 2000-01-01 */
static FuzzWide
time_of(const SnoId *id)
{
	return EPOCH + (fuzz_number_of(id) >> 41) * TICK;
}

/*
 * An instant: any, or near an edge, or near the id's.  The infinities are the
 * ends of int64 here as they are there.
 */
static TimestampTz
take_instant(FuzzInput *input, const SnoId *id)
{
	const FuzzWide edges[] = {
		time_of(id), EPOCH, EPOCH + (TICKS - 1) * TICK, EPOCH + TICKS * TICK, 0,
		MIN_TIMESTAMP, END_TIMESTAMP - 1, time_of(id) + TICK
	};
	uint8_t		how = (uint8_t) fuzz_take(input, 1);
	FuzzWide	instant;

	if (how == 0)
		return DT_NOBEGIN;
	if (how == 1)
		return DT_NOEND;
	if (how < 128)
		instant = edges[how % 8] + (int16) fuzz_take(input, 2);
	else
		instant = (int64) fuzz_take(input, 8);
	return IS_VALID_TIMESTAMP(instant) ? (TimestampTz) instant : MIN_TIMESTAMP;
}

/* The first tick at or after the instant, which may be none of an id's */
static FuzzWide
first_tick(TimestampTz t)
{
	FuzzWide	us = (FuzzWide) t - EPOCH;

	return us <= 0 ? 0 : (us + TICK - 1) / TICK;
}

static void
check_bounds(TimestampTz t)
{
	int64		us = sno_us_from_timestamptz(t);
	FuzzWide	since = (FuzzWide) t - EPOCH;
	FuzzWide	first = first_tick(t);
	FuzzWide	tick = since / TICK < TICKS ? since / TICK : TICKS - 1;
	SnoId		id;
	bool		is_there = sno_clock_lower_bound(us, &id);

	fuzz_check(is_there == (first < TICKS), "there is a lower bound if some id comes later");
	fuzz_check(!is_there || fuzz_number_of(&id) == first << 41,
			   "the lower bound is the first id at or after the instant");
	is_there = sno_clock_upper_bound(us, &id);
	fuzz_check(is_there == (since >= 0), "there is an upper bound if some id comes earlier");
	fuzz_check(!is_there || fuzz_number_of(&id) == ((tick + 1) << 41) - 1,
			   "the upper bound is the last id at or before the instant");

	fuzz_check(sno_clock_in_range(us) == (since >= 0 && since < TICKS * TICK),
			   "an instant is in range if it is in some tick");
	if (sno_clock_in_range(us))
		fuzz_check(sno_clock_floor(us) == (uint64) tick &&
				   sno_timestamptz_from_ticks(tick) == EPOCH + tick * TICK,
				   "an instant is in the tick that begins no more than 4 ms before it");
}

static void
check_id(const SnoId *id, TimestampTz t)
{
	FuzzWide	time = time_of(id);
	SnoCut		cut = sno_cut_at(sno_us_from_timestamptz(t));
	int			order = sno_clock_cmp_id(id, sno_us_from_timestamptz(t));

	fuzz_check(sno_timestamptz_from_ticks(sno_id_ticks(id)) == time,
			   "the time of an id");
	fuzz_check((order < 0) == (time < t), "an id is before an instant if its time is");
	fuzz_check((order == 0) == (time >= t && fuzz_number_of(id) == first_tick(t) << 41),
			   "an instant has the place of its first id");
	fuzz_check(sno_cut_is_after(&cut, id) == (time < t),
			   "an instant's cut is after the ids before it");
	fuzz_check((time <= t) == (time < sno_instant_next(t)),
			   "an id is at or before an instant if it is before the next one");
}

static void
check_two(TimestampTz a, TimestampTz b)
{
	FuzzWide	first_a = first_tick(a) < TICKS ? first_tick(a) : TICKS;
	FuzzWide	first_b = first_tick(b) < TICKS ? first_tick(b) : TICKS;
	SnoCut		cut_a = sno_cut_at(sno_us_from_timestamptz(a));
	SnoCut		cut_b = sno_cut_at(sno_us_from_timestamptz(b));
	int			order = fuzz_sign(first_a - first_b);

	fuzz_check(sno_clock_cmp(sno_us_from_timestamptz(a), sno_us_from_timestamptz(b)) == order,
			   "instants are in the order of their first ids");
	fuzz_check(fuzz_sign(sno_cut_cmp(&cut_a, &cut_b)) == order,
			   "cuts are in the order of their instants");
}

/* Right after an id is half way to the next one */
static FuzzWide
twice(const SnoCut *cut)
{
	return 2 * fuzz_number_of(&cut->id) + cut->after;
}

static void
check_share(const SnoCut *cut, const SnoId *a, const SnoId *b)
{
	bool		ascending = memcmp(a, b, sizeof(SnoId)) <= 0;
	const SnoId *first = ascending ? a : b;
	const SnoId *last = ascending ? b : a;
	FuzzWide	from = fuzz_number_of(first);
	FuzzWide	to = fuzz_number_of(last);
	double		share = sno_cut_share(cut, first, last);

	fuzz_check(sno_cut_is_after(cut, a) == (twice(cut) > 2 * fuzz_number_of(a)),
			   "a cut is after the ids before it");
	if (twice(cut) <= 2 * from)
		fuzz_check(share == 0, "nothing of a stretch lies before its beginning");
	else if (twice(cut) > 2 * to)
		fuzz_check(share == 1, "all of a stretch lies before its end");
	else
	{
		double		error = share -
			(double) (fuzz_number_of(&cut->id) - from) / (double) (to - from);

		fuzz_check(error < 1e-15 && error > -1e-15 && share >= 0 && share <= 1,
				   "a cut has the share of a stretch that lies before it, not %.17g", share);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	SnoId		id = fuzz_take_id(&input);
	TimestampTz t = take_instant(&input, &id);
	TimestampTz other = take_instant(&input, &id);
	SnoCut		cut = sno_cut_at(sno_us_from_timestamptz(t));
	SnoCut		at_id = {id, fuzz_take(&input, 1) % 2};
	SnoId		a = fuzz_take_id_near(&input, &id);
	SnoId		b = fuzz_take_id_near(&input, &a);

	check_bounds(t);
	check_id(&id, t);
	check_id(&a, t);
	check_two(t, other);
	check_share(&cut, &a, &b);
	check_share(&at_id, &a, &b);
	fuzz_check(fuzz_sign(sno_cut_cmp(&cut, &at_id)) == fuzz_sign(twice(&cut) - twice(&at_id)),
			   "cuts are in the order of their ids, that after an id right after it");
	return 0;
}
