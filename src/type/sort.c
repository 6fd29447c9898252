/*
 * sort.c
 *		Sort support: comparison without fmgr, and abbreviated keys.
 *
 * The abbreviated key tells how far an id is from the first one that the sort
 * saw (core/sort_key.h).  The first eight bytes would be a poor key for a
 * table that was filled in bulk: sorting 5 million of its ids took twice as
 * long.  If the first id is months older than the others, a sort is still that
 * slow: no better origin is known when it begins.
 *
 * While the sort reads its input, the number of distinct keys is estimated.
 * If few are distinct, as in a column that refers to ids, abbreviation is
 * given up.
 */
#include "postgres.h"

#include "type/sno.h"

#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/sortsupport.h"

#include "compat.h"
#include "core/sort_key.h"

PG_FUNCTION_INFO_V1(sno_sortsupport);
PG_FUNCTION_INFO_V1(sno_gist_sortsupport);

/* 1,024 registers: an error of 3%, and 1 kB of memory */
#define KEYS_SEEN_BITS	10

/* Judge no sooner, and stop counting once this many keys were distinct */
#define KEYS_JUDGED_MIN		10000
#define DISTINCT_ENOUGH		100000

/* Worth it if one key in this many is distinct */
#define INPUT_PER_DISTINCT	2000

/* The key of a leaf of GiST is an id: see gist.c */
#define LEAF_ID(key)	((const SnoId *) VARDATA_ANY(DatumGetPointer(key)))

typedef struct SortState
{
	SnoId		origin;			/* the first id, once there was one */
	int64		input_count;
	int64		judged_next;	/* at this many inputs */
	bool		counting;
	hyperLogLogState distinct;
} SortState;

static int
compare_full(Datum a, Datum b, SortSupport ssup)
{
	return sno_id_cmp(DatumGetSnoP(a), DatumGetSnoP(b));
}

static int
compare_gist_keys(Datum a, Datum b, SortSupport ssup)
{
	return sno_id_cmp(LEAF_ID(a), LEAF_ID(b));
}

static inline Datum
abbreviate_id(const SnoId *id, SortState *state)
{
	uint64		key;

	if (state->input_count++ == 0)
		state->origin = *id;
	key = sno_sort_key(id, &state->origin, SIZEOF_DATUM * BITS_PER_BYTE);
	if (state->counting)
	{
		Datum		hash = hash_uint32((uint32) (key ^ key >> 32));

		addHyperLogLog(&state->distinct, DatumGetUInt32(hash));
	}
	return (Datum) key;
}

static Datum
abbreviate(Datum original, SortSupport ssup)
{
	return abbreviate_id(DatumGetSnoP(original),
						 (SortState *) ssup->ssup_extra);
}

static Datum
abbreviate_gist_key(Datum original, SortSupport ssup)
{
	return abbreviate_id(LEAF_ID(original), (SortState *) ssup->ssup_extra);
}

/*
 * Is abbreviation a waste of time?  The server asks now and then as the input
 * grows.  For a GiST index, PostgreSQL 15 asks at each tuple.
 */
static bool
abbreviation_fails(int memtupcount, SortSupport ssup)
{
	SortState  *state = (SortState *) ssup->ssup_extra;
	double		distinct;

	if (state->input_count < state->judged_next || !state->counting)
		return false;
	state->judged_next = state->input_count + state->input_count / 2;

	distinct = estimateHyperLogLog(&state->distinct);
	if (distinct > DISTINCT_ENOUGH)
		state->counting = false;
	return distinct < (double) state->input_count / INPUT_PER_DISTINCT;
}

static void
prepare(SortSupport ssup, int (*compare) (Datum, Datum, SortSupport),
		Datum (*abbreviate_datum) (Datum, SortSupport))
{
	ssup->comparator = compare;
	if (ssup->abbreviate)
	{
		MemoryContext caller = MemoryContextSwitchTo(ssup->ssup_cxt);
		SortState  *state = palloc0(sizeof(SortState));

		state->counting = true;
		state->judged_next = KEYS_JUDGED_MIN;
		initHyperLogLog(&state->distinct, KEYS_SEEN_BITS);
		ssup->ssup_extra = state;
		ssup->comparator = SNO_COMPAT_COMPARE_ABBREVIATED;
		ssup->abbrev_converter = abbreviate_datum;
		ssup->abbrev_abort = abbreviation_fails;
		ssup->abbrev_full_comparator = compare;
		MemoryContextSwitchTo(caller);
	}
}

/* sno_sortsupport(internal) returns void */
Datum
sno_sortsupport(PG_FUNCTION_ARGS)
{
	prepare((SortSupport) PG_GETARG_POINTER(0), compare_full, abbreviate);
	PG_RETURN_VOID();
}

/*
 * sno_gist_sortsupport(internal) returns void: for the leaves of a new index
 */
Datum
sno_gist_sortsupport(PG_FUNCTION_ARGS)
{
	prepare((SortSupport) PG_GETARG_POINTER(0), compare_gist_keys,
			abbreviate_gist_key);
	PG_RETURN_VOID();
}
