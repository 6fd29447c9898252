/*
 * check.c
 *		Checks of what the lineage handed out: uniqueness, coverage, order, what
 *		is settled.
 */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/told.h"
#include "trace.h"

Lineage		lineage;

void
violated(const char *what,...)
{
	va_list		args;

	printf("seed %llu, step %llu: ", (ull) world.seed, (ull) world.steps);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	printf("\n");
	trace_print();
	exit(VIOLATION_EXIT);
}

uint64_t
check_max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t
min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Each half of the record stands for the last of its 128 ticks */
static void
decode(uint64_t record, uint64_t ticks[2])
{
	ticks[0] = record % 4294967296 * 128 + 127;
	ticks[1] = record / 4294967296 * 128 + 127;
}

/* Later ids may be below those that were made so far */
static void
begin_era(void)
{
	lineage.made = (Order) {.era = lineage.made.era + 1};
	lineage.changes_since++;
	lineage.changes_in_call++;
}

/* Another cluster, with other partitions */
void
check_lineage_began(void)
{
	made_clear();
	lineage = (Lineage) {
		.calm = lineage.calm + 1,.made = {.era = lineage.made.era + 1},
		.lowest_since = UINT64_MAX
	};
	memset(lineage.lowest_in_call, 0xff, sizeof(lineage.lowest_in_call));
}

/*
 * What a promotion has lost, now that the head is loaded, or will not be: all
 * but that of the plane which is loaded above it
 */
static void
forget_lost(int plane)
{
	if (!lineage.lost_little)
		return;
	lineage.lost_little = false;
	if (plane >= 0)
		lineage.replayed_ticks[plane] = UINT64_MAX;
	made_forget_above(lineage.replayed_ticks);
}

void
check_restarted(void)
{
	forget_lost(-1);
	memset(lineage.open_ticks, 0, sizeof(lineage.open_ticks));
	lineage.calm++;
}

/*
 * What was not replayed is lost, and may be made again only where the
 * reservation is lost too.  Where that reaches no further than one can, nothing
 * is made again in the plane that is loaded, if the clock is behind what the
 * record has there.
 */
void
check_promoted(void)
{
	uint64_t	inserted_ticks[2];
	uint64_t	reserved_ticks[2];
	uint32_t	plane;
	bool		lost_little;

	decode(world.wal.inserted_record, inserted_ticks);
	decode(world.wal.replayed_record, reserved_ticks);
	lost_little = inserted_ticks[0] <= reserved_ticks[0] + SNO_RESERVE_REACH_TICKS &&
		inserted_ticks[1] <= reserved_ticks[1] + SNO_RESERVE_REACH_TICKS;
	if (!lost_little)
		made_forget_above(reserved_ticks);
	for (plane = 0; plane < 2; plane++)
	{
		lineage.claimed_ticks[plane] = min(lineage.claimed_ticks[plane], reserved_ticks[plane]);
		lineage.ended_ticks[plane] = min(lineage.ended_ticks[plane], reserved_ticks[plane]);
		lineage.resolved_ticks[plane] = min(lineage.resolved_ticks[plane],
											reserved_ticks[plane] + 1);
	}
	begin_era();
	/* A cursor that was told of what is lost may be ahead */
	if (world.wal.inserted_record != world.wal.replayed_record)
		lineage.has_cursor = false;
	check_restarted();
	lineage.lost_little = lost_little;
	memcpy(lineage.replayed_ticks, reserved_ticks, sizeof(reserved_ticks));
}

void
check_session_began(CallCheck *call)
{
	*call = (CallCheck) {
		.number = call->number,.synchronous = call->synchronous,
		.is_reader = call->is_reader
	};
}

void
check_call_began(CallCheck *call)
{
	call->lowest_ticks = UINT64_MAX;
	call->highest_ticks = 0;
	call->slew = SNO_SLEW_NONE;
	call->before = lineage.made;
	memcpy(call->ended_ticks, lineage.ended_ticks, sizeof(call->ended_ticks));
	call->held_ticks[0] = call->held_ticks[1] = 0;
}

/* What the own clock shows, by its definition: it goes at half speed */
static uint64_t
own_ticks(uint64_t slew, uint64_t wall_ticks)
{
	uint64_t	since = slew / 33554432;
	uint64_t	ahead = slew % 33554432;

	if (wall_ticks <= since)
		return wall_ticks + ahead;
	return check_max(wall_ticks, since + ahead + (wall_ticks - since + 1) / 2);
}

static void
check_own(CallCheck *call, uint64_t ticks)
{
	if (ticks < call->lowest_ticks)
		call->lowest_ticks = ticks;
	if (ticks > call->highest_ticks)
		call->highest_ticks = ticks;
}

void
check_head_read(CallCheck *call, uint64_t head)
{
	call->head = head;
	call->own_at_head = own_ticks(world.memory.state.slew.value, clock_ticks());
	call->calm_at_head = lineage.calm;
}

/* The word of the lead was read before */
void
check_wall_read(CallCheck *call, uint64_t ticks)
{
	call->wall_ticks = ticks;
	check_own(call, own_ticks(call->slew, ticks));
}

/* It has set the own clock: a call does that if the clock is behind in truth */
void
check_slew_changed(CallCheck *call, uint64_t before, uint64_t slew)
{
	if (!call->is_reader && !call->has_lock && slew != SNO_SLEW_NONE &&
		call->calm_at_head == lineage.calm &&
		call->own_at_head >= sno_head_free_ticks(call->head, world.pool.capacity))
		violated("the own clock was set by %llu ticks, though it was not behind",
				 (ull) (slew % 33554432));
	if (own_ticks(slew, clock_ticks()) < own_ticks(before, clock_ticks()))
		lineage.calm++;
	if (!call->is_reader && slew != SNO_SLEW_NONE)
	{
		figures.leads++;
		figures.longest_lead_ticks = check_max(figures.longest_lead_ticks,
											   slew % 33554432);
	}
	call->slew = slew;
	check_own(call, own_ticks(slew, call->wall_ticks));
}

/* What every id must be, whoever makes it */
static void
check_id(const CallCheck *call, const SnoFields *id)
{
	const SnoPool *pool = &world.pool;
	uint32_t	size = pool->sequence_max - pool->sequence_min + 1;
	uint64_t	reserved_ticks[2];

	if (id->meta != 0 || id->partition < pool->partition ||
		id->partition >= pool->partition + pool->partition_count ||
		id->sequence < pool->sequence_min || id->sequence > pool->sequence_max)
		violated("an id of partition %u, sequence %u is not of this server",
				 id->partition, id->sequence);

	decode(world.wal.flushed_record, reserved_ticks);
	if (id->ticks > reserved_ticks[id->tick_tock])
		violated("an id of tick %llu, plane %u is not covered by the flushed "
				 "record, which is up to %llu",
				 (ull) id->ticks, id->tick_tock,
				 (ull) reserved_ticks[id->tick_tock]);

	if (id->ticks < lineage.resolved_ticks[id->tick_tock])
		violated("an id of tick %llu, plane %u was made, and was said to be "
				 "resolved below %llu",
				 (ull) id->ticks, id->tick_tock,
				 (ull) lineage.resolved_ticks[id->tick_tock]);

	if (!made_add(id->ticks, id->tick_tock,
				  (uint32_t) (id->partition - pool->partition) * size +
				  id->sequence - pool->sequence_min))
		violated("an id was made twice: tick %llu, plane %u, partition %u, sequence %u",
				 (ull) id->ticks, id->tick_tock, id->partition, id->sequence);

	if (id->ticks < call->lowest_ticks || id->ticks > call->highest_ticks)
		violated("an id of tick %llu from a call to which the clock showed %llu to %llu",
				 (ull) id->ticks, (ull) call->lowest_ticks,
				 (ull) call->highest_ticks);
}

void
check_committed(const CallCheck *call)
{
	uint64_t	reserved_ticks[2];
	uint32_t	plane;

	decode(world.wal.replayed_record, reserved_ticks);
	for (plane = 0; plane < 2; plane++)
		if (call->transaction_ticks[plane] > reserved_ticks[plane])
			violated("the commit of an id of tick %llu, plane %u has waited for the "
					 "standby, whose record is up to %llu",
					 (ull) call->transaction_ticks[plane], plane,
					 (ull) reserved_ticks[plane]);
}

void
check_transaction_ended(CallCheck *call)
{
	uint32_t	plane;

	for (plane = 0; plane < 2; plane++)
		lineage.ended_ticks[plane] = check_max(lineage.ended_ticks[plane],
											   call->transaction_ticks[plane]);
	call->transaction_ticks[0] = call->transaction_ticks[1] = 0;
}

static void
note_in_transaction(CallCheck *call, const SnoFields *id)
{
	uint64_t   *open = &lineage.open_ticks[call->number][id->tick_tock];

	call->transaction_ticks[id->tick_tock] =
		check_max(call->transaction_ticks[id->tick_tock], id->ticks);
	if (*open == 0 || *open > id->ticks)
		*open = id->ticks;
}

static bool
is_above(const SnoId *id, const Order *order)
{
	return order->era != lineage.made.era ||
		memcmp(id->bytes, order->highest.bytes, SNO_ID_BYTES) > 0;
}

static void
note_order(const SnoId *id, Order *order)
{
	if (is_above(id, order))
		order->highest = *id;
}

/* Ids that were made since the reader's call began, or that it was told last */
static void
note_for_reader(const CallCheck *call, const SnoFields *id)
{
	uint64_t   *lowest = &lineage.lowest_in_call[lineage.changes];

	/* Of a plane that was left since: its transaction held the reader back */
	if (call->before.era != lineage.made.era)
		return;
	*lowest = min(*lowest, id->ticks << 1 | id->tick_tock);
}

/* What was made before is to be found by this call */
void
check_poll_began(void)
{
	int			i;

	lineage.changes_in_call = 0;
	for (i = 0; i < SNO_CHANGES; i++)
	{
		lineage.lowest_since = min(lineage.lowest_since, lineage.lowest_in_call[i]);
		lineage.lowest_in_call[i] = UINT64_MAX;
	}
}

/*
 * The reader gave its cursor, and hears of no change of the plane, or of one
 * that has entered this tick: so it has missed nothing, or reads that again.
 */
static void
check_missed(bool is_change, uint64_t entered_ticks)
{
	SnoFields	cursor = sno_id_unpack(&lineage.cursor);

	figures.reader_changes += is_change;
	/* From the lower one of that and of its own */
	if (is_change ? lineage.lowest_since >> 1 < min(entered_ticks, cursor.ticks) :
		lineage.lowest_since <= (cursor.ticks << 1 | cursor.tick_tock))
		violated("an id of tick %llu, plane %llu is below the cursor, tick %llu, "
				 "plane %u, and the reader hears of %s, tick %llu",
				 (ull) lineage.lowest_since >> 1, (ull) lineage.lowest_since & 1,
				 (ull) cursor.ticks, cursor.tick_tock,
				 is_change ? "a change" : "none", (ull) entered_ticks);
}

/*
 * Nothing of the plane that was left is open below what a reader is told, unless
 * that is in use again: then the reader will hear of it.
 */
static void
check_told_open(const SnoFields *told, uint32_t changes)
{
	uint32_t	other = !told->tick_tock;
	int			i;

	for (i = 0; i < WRITERS_MAX && changes == lineage.changes; i++)
		if (lineage.open_ticks[i][other] != 0 && lineage.open_ticks[i][other] <= told->ticks)
			violated("a reader is told tick %llu, plane %u, and the transaction of writer %d "
					 "is open and has an id of tick %llu, plane %u",
					 (ull) told->ticks, told->tick_tock, i,
					 (ull) lineage.open_ticks[i][other], other);
}

/*
 * What a reader is told, and gives next time.  Of what was made during its call,
 * that of the change of the plane which it was told, and of earlier ones, is
 * settled, or above; it has to hear of that of later ones.
 */
void
check_told(const SnoId *told, bool is_change, uint64_t entered_ticks)
{
	SnoFields	fields = sno_id_unpack(told);
	uint32_t	changes;

	(void) sno_told_changes(told, &changes);
	check_told_open(&fields, changes);
	/* Or more changes than the number tells apart */
	if (lineage.has_cursor && lineage.changes_since < SNO_CHANGES)
		check_missed(is_change, entered_ticks);
	if (lineage.has_cursor && !is_change && lineage.changes_since < SNO_CHANGES &&
		sno_id_cmp(told, &lineage.cursor) <= 0)
		return;
	lineage.has_cursor = true;
	lineage.cursor = *told;
	lineage.lowest_since = UINT64_MAX;
	lineage.changes_since = lineage.changes_in_call;
	while (changes != lineage.changes)
	{
		changes = (changes + 1) % SNO_CHANGES;
		lineage.lowest_since = min(lineage.lowest_since, lineage.lowest_in_call[changes]);
	}
	memset(lineage.lowest_in_call, 0xff, sizeof(lineage.lowest_in_call));
}

/*
 * Ids of a call: each is above all that were made before it began, and above
 * the one before, unless the plane has changed since.
 */
void
check_ids(CallCheck *call, const SnoId *ids, uint32_t count)
{
	uint32_t	i;

	for (i = 0; i < count; i++)
	{
		SnoFields	fields = sno_id_unpack(&ids[i]);

		if (i == 0 || i + 1 == count)
			trace("%s of %u: tick %llu, plane %u, partition %u, sequence %u",
				  i == 0 ? "has made" : "to", count, (ull) fields.ticks,
				  fields.tick_tock, fields.partition, fields.sequence);
		check_id(call, &fields);
		note_in_transaction(call, &fields);
		note_for_reader(call, &fields);
		if (!is_above(&ids[i], &call->before))
			violated("an id of tick %llu, plane %u is not above all that were "
					 "made before its call",
					 (ull) fields.ticks, fields.tick_tock);
		if (call->before.era != lineage.made.era)
			continue;
		note_order(&ids[i], &call->before);
		note_order(&ids[i], &lineage.made);
	}
	figures.ids += count;
}

void
check_head_changed(const CallCheck *call, uint64_t head, uint64_t next)
{
	uint32_t	plane = sno_head_plane(next);

	if (call->is_reader)
		return;
	if (sno_head_plane(head) != plane)
	{
		figures.changes++;
		begin_era();
		lineage.changes = (lineage.changes + 1) % SNO_CHANGES;
	}
	lineage.claimed_ticks[plane] =
		check_max(lineage.claimed_ticks[plane], sno_head_ticks(next));
}

void
check_loaded(const CallCheck *call, uint64_t next)
{
	uint32_t	plane = sno_head_plane(next);

	if (lineage.changes % 2 != plane)
		begin_era();
	lineage.changes = sno_record_changes(world.wal.inserted_record);
	/* The record that it found: its own may reserve more, to hold the number of changes */
	forget_lost(call->wall_ticks <= lineage.replayed_ticks[plane] ? (int) plane : -1);
}

void
check_settled(int number)
{
	memset(lineage.open_ticks[number], 0, sizeof(lineage.open_ticks[number]));
}

/* The reader looks at a mark */
void
check_mark_read(CallCheck *call, uint32_t plane, uint64_t ticks)
{
	if (ticks > 0 && (call->held_ticks[plane] == 0 || call->held_ticks[plane] > ticks))
		call->held_ticks[plane] = ticks;
}

/*
 * What is below is settled, now and for ever, and all is whose transaction had
 * ended before the call, unless a mark holds it back.
 */
void
check_resolved(const CallCheck *call, const uint64_t bounds[2])
{
	int			plane;
	int			i;

	for (plane = 0; plane < 2; plane++)
	{
		lineage.resolved_ticks[plane] = check_max(lineage.resolved_ticks[plane], bounds[plane]);
		if (bounds[plane] <= call->ended_ticks[plane] &&
			(call->held_ticks[plane] == 0 || bounds[plane] < call->held_ticks[plane]))
			violated("plane %d is said to be resolved below %llu, and a transaction had ended "
					 "with an id of tick %llu",
					 plane, (ull) bounds[plane], (ull) call->ended_ticks[plane]);
		for (i = 0; i < WRITERS_MAX; i++)
			if (lineage.open_ticks[i][plane] != 0 && lineage.open_ticks[i][plane] < bounds[plane])
				violated("plane %d is said to be resolved below %llu, and the transaction of "
						 "writer %d is open and has an id of tick %llu",
						 plane, (ull) bounds[plane], i, (ull) lineage.open_ticks[i][plane]);
	}
	figures.resolved++;
}
