/*
 * gist.c
 *		GiST, for exclusion constraints and temporal keys.
 *
 * The ids below a key lie between its lower and its upper end, both included.
 * It is stored as a bytea with a short header: on a leaf one id, which is both
 * ends, and above the leaves two.
 *
 * Comparisons have B-tree's strategy numbers, as planner/rewrite.c expects.
 */
#include "postgres.h"

#include "type/sno.h"

#include "access/gist.h"
#include "access/stratnum.h"

#include "compat.h"

/* Beside B-tree's five, another strategy of the operator class */
#define NotEqualStrategyNumber		6

#define PG_GETARG_KEY(n)	(((GISTENTRY *) PG_GETARG_POINTER(n))->key)

PG_FUNCTION_INFO_V1(sno_gist_consistent);
PG_FUNCTION_INFO_V1(sno_gist_union);
PG_FUNCTION_INFO_V1(sno_gist_compress);
PG_FUNCTION_INFO_V1(sno_gist_penalty);
PG_FUNCTION_INFO_V1(sno_gist_picksplit);
PG_FUNCTION_INFO_V1(sno_gist_same);
PG_FUNCTION_INFO_V1(sno_gist_strategy);

/* The ends of a key, where it is stored */
static const SnoId *
lower_end(Datum key)
{
	return (const SnoId *) VARDATA_ANY(DatumGetPointer(key));
}

static const SnoId *
upper_end(Datum key)
{
	return lower_end(key) +
		VARSIZE_ANY_EXHDR(DatumGetPointer(key)) / sizeof(SnoId) - 1;
}

/* A key for these ids, one or two */
static Datum
store(const SnoId *ids, int count)
{
	char	   *stored = palloc(VARHDRSZ_SHORT + count * sizeof(SnoId));

	SET_VARSIZE_SHORT(stored, VARHDRSZ_SHORT + count * sizeof(SnoId));
	memcpy(VARDATA_SHORT(stored), ids, count * sizeof(SnoId));
	return PointerGetDatum(stored);
}

/* The key of the entries at these offsets; of the first ones, if NULL */
static Datum
store_union(GistEntryVector *entries, const OffsetNumber *offsets, int count)
{
	SnoId		ends[2] = {{{0}}};
	int			entry;

	for (entry = 0; entry < count; entry++)
	{
		int			offset = offsets ? offsets[entry] : entry;
		Datum		key = entries->vector[offset].key;

		if (entry == 0 || sno_id_cmp(lower_end(key), &ends[0]) < 0)
			ends[0] = *lower_end(key);
		if (entry == 0 || sno_id_cmp(upper_end(key), &ends[1]) > 0)
			ends[1] = *upper_end(key);
	}
	return store(ends, 2);
}

/*
 * sno_gist_consistent(internal, sno, smallint, oid, internal) returns bool:
 * may a row below the entry satisfy the condition?  On a leaf: does it?
 */
Datum
sno_gist_consistent(PG_FUNCTION_ARGS)
{
	const SnoId *query = PG_GETARG_SNO_P(1);
	StrategyNumber strategy = PG_GETARG_UINT16(2);
	bool	   *recheck = (bool *) PG_GETARG_POINTER(4);
	int			from = sno_id_cmp(lower_end(PG_GETARG_KEY(0)), query);
	int			upto = sno_id_cmp(upper_end(PG_GETARG_KEY(0)), query);

	*recheck = false;
	switch (strategy)
	{
		case BTLessStrategyNumber:
			PG_RETURN_BOOL(from < 0);
		case BTLessEqualStrategyNumber:
			PG_RETURN_BOOL(from <= 0);
		case BTEqualStrategyNumber:
			PG_RETURN_BOOL(from <= 0 && upto >= 0);
		case BTGreaterEqualStrategyNumber:
			PG_RETURN_BOOL(upto >= 0);
		case BTGreaterStrategyNumber:
			PG_RETURN_BOOL(upto > 0);
		case NotEqualStrategyNumber:
			PG_RETURN_BOOL(from != 0 || upto != 0);
	}
	elog(ERROR, "unrecognized strategy number: %d", strategy);
}

/* sno_gist_union(internal, internal) returns bytea: the key of all entries */
Datum
sno_gist_union(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	int		   *size = (int *) PG_GETARG_POINTER(1);
	Datum		key = store_union(entries, NULL, entries->n);

	*size = VARSIZE_ANY(DatumGetPointer(key));
	PG_RETURN_DATUM(key);
}

/* sno_gist_compress(internal) returns internal: an id as the key of a leaf */
Datum
sno_gist_compress(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY  *compressed;

	if (!entry->leafkey)
		PG_RETURN_POINTER(entry);
	compressed = palloc(sizeof(GISTENTRY));
	gistentryinit(*compressed, store(DatumGetSnoP(entry->key), 1),
				  entry->rel, entry->page, entry->offset, false);
	PG_RETURN_POINTER(compressed);
}

/*
 * sno_gist_penalty(internal, internal, internal) returns internal: by how much
 * the first key gets longer if it takes in the second
 */
Datum
sno_gist_penalty(PG_FUNCTION_ARGS)
{
	Datum		key = PG_GETARG_KEY(0);
	Datum		more = PG_GETARG_KEY(1);
	float	   *penalty = (void *) PG_GETARG_POINTER(2);

	*penalty = 0;
	if (sno_id_cmp(lower_end(more), lower_end(key)) < 0)
		*penalty += (float) sno_id_distance(lower_end(more), lower_end(key));
	if (sno_id_cmp(upper_end(more), upper_end(key)) > 0)
		*penalty += (float) sno_id_distance(upper_end(key), upper_end(more));
	PG_RETURN_POINTER(penalty);
}

/* The order of the entries with these two offsets */
static int
compare_entries(const void *a, const void *b, void *entries)
{
	const GISTENTRY *vector = ((const GistEntryVector *) entries)->vector;

	return sno_id_cmp(lower_end(vector[*(const OffsetNumber *) a].key),
					  lower_end(vector[*(const OffsetNumber *) b].key));
}

/*
 * sno_gist_picksplit(internal, internal) returns internal: the entries in
 * order, cut in two.
 *
 * The newest entry did not fit into the page.  If it belongs at the end, later
 * entries will, too, because ids ascend: so the left page stays nine tenths
 * full.  A sorted build hands over full pages of entries, which are cut in
 * halves.  Each array has room for all: the server may move entries to the
 * other side.
 */
Datum
sno_gist_picksplit(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	GIST_SPLITVEC *split = (GIST_SPLITVEC *) PG_GETARG_POINTER(1);
	OffsetNumber newest = entries->n - 1;
	int			count = entries->n - FirstOffsetNumber;
	OffsetNumber *left = palloc(count * sizeof(OffsetNumber));
	OffsetNumber *right = palloc(count * sizeof(OffsetNumber));
	int			left_count = count - Max(count / 10, 1);
	int			entry;

	for (entry = 0; entry < count; entry++)
		left[entry] = FirstOffsetNumber + entry;
	qsort_arg(left, count, sizeof(OffsetNumber), compare_entries, entries);
	if (count > PageGetMaxOffsetNumber(entries->vector[newest].page) + 1 ||
		compare_entries(&newest, &left[left_count], entries) < 0)
		left_count = count / 2;
	memcpy(right, left + left_count,
		   (count - left_count) * sizeof(OffsetNumber));

	split->spl_left = left;
	split->spl_nleft = left_count;
	split->spl_ldatum = store_union(entries, left, left_count);
	split->spl_right = right;
	split->spl_nright = count - left_count;
	split->spl_rdatum = store_union(entries, right, count - left_count);
	PG_RETURN_POINTER(split);
}

/* sno_gist_same(bytea, bytea, internal) returns internal: are they equal? */
Datum
sno_gist_same(PG_FUNCTION_ARGS)
{
	Datum		a = PG_GETARG_DATUM(0);
	Datum		b = PG_GETARG_DATUM(1);
	bool	   *result = (bool *) PG_GETARG_POINTER(2);

	*result = sno_id_cmp(lower_end(a), lower_end(b)) == 0 &&
		sno_id_cmp(upper_end(a), upper_end(b)) == 0;
	PG_RETURN_POINTER(result);
}

/*
 * sno_gist_strategy(integer) returns smallint: the strategy of a CompareType
 * of PostgreSQL 18 and later, 0 if there is none.  Strategies have the numbers
 * of B-tree's, and <> has one more.
 */
Datum
sno_gist_strategy(PG_FUNCTION_ARGS)
{
	int32		comparison = PG_GETARG_INT32(0);

	PG_RETURN_UINT16(comparison >= BTLessStrategyNumber &&
					 comparison <= NotEqualStrategyNumber ?
					 comparison : InvalidStrategy);
}
