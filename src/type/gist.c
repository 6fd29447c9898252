/*
 * gist.c
 *		GiST: exclusion constraints, temporal keys, and the ids nearest to an
 *		instant.
 *
 * gist.h says what a key is.  As time comes first in an id, in both planes, a
 * key covers a range of ids and a range of time.  So every search except <>
 * looks for the ids between two cuts (core/cut.h), which a leaf answers
 * exactly.
 *
 * Comparisons have the strategy numbers of B-tree: rewrite.c asks the family
 * of any index for bounds by them, and so does the server, from 18 on, for =
 * of a temporal key.
 */
#include "postgres.h"

#include "type/gist.h"

#include "access/gist.h"
#include "access/stratnum.h"
#include "catalog/pg_type.h"

#include "core/cut.h"
#include "type/instant.h"
#include "type/range.h"

/* Beside B-tree's five; they, too, are strategies of the operator class */
#define NotEqualStrategyNumber		6
#define ContainedByStrategyNumber	RTContainedByStrategyNumber

PG_FUNCTION_INFO_V1(sno_gist_consistent);
PG_FUNCTION_INFO_V1(sno_gist_union);
PG_FUNCTION_INFO_V1(sno_gist_compress);
PG_FUNCTION_INFO_V1(sno_gist_fetch);
PG_FUNCTION_INFO_V1(sno_gist_penalty);
PG_FUNCTION_INFO_V1(sno_gist_picksplit);
PG_FUNCTION_INFO_V1(sno_gist_same);
PG_FUNCTION_INFO_V1(sno_gist_distance);
PG_FUNCTION_INFO_V1(sno_gist_strategy);

/* What a search looks for: the ids from one cut up to another */
typedef struct Wanted
{
	SnoCut		from;
	SnoCut		upto;
} Wanted;

/* A key for these ids, one or two */
static Datum
store(const SnoId *ids, int count)
{
	char	   *stored = palloc(VARHDRSZ_SHORT + count * sizeof(SnoId));

	SET_VARSIZE_SHORT(stored, VARHDRSZ_SHORT + count * sizeof(SnoId));
	memcpy(VARDATA_SHORT(stored), ids, count * sizeof(SnoId));
	return PointerGetDatum(stored);
}

static Datum
store_key(SnoGistKey key)
{
	SnoId		ends[] = {*key.lower, *key.upper};

	return store(ends, lengthof(ends));
}

static void
extend(SnoGistKey *key, SnoGistKey by)
{
	if (sno_id_cmp(by.lower, key->lower) < 0)
		key->lower = by.lower;
	if (sno_id_cmp(by.upper, key->upper) > 0)
		key->upper = by.upper;
}

/* The ids for which id OP query is true, with B-tree's operators */
static Wanted
wanted_by_comparison(Datum query, StrategyNumber strategy, Oid type)
{
	SnoCut		before;
	SnoCut		after;
	Wanted		wanted = {.upto.after = true};

	memset(&wanted.upto.id, 0xff, sizeof(SnoId));
	if (type == TIMESTAMPTZOID)
	{
		TimestampTz instant = DatumGetTimestampTz(query);

		before = sno_cut_at(sno_us_from_timestamptz(instant));
		after = sno_cut_at(sno_us_from_timestamptz(sno_instant_next(instant)));
	}
	else
	{
		before = (SnoCut) {*DatumGetSnoP(query), .after = false};
		after = (SnoCut) {*DatumGetSnoP(query), .after = true};
	}

	switch (strategy)
	{
		case BTLessStrategyNumber:
			wanted.upto = before;
			break;
		case BTLessEqualStrategyNumber:
			wanted.upto = after;
			break;
		case BTEqualStrategyNumber:
			wanted.from = before;
			wanted.upto = after;
			break;
		case BTGreaterEqualStrategyNumber:
			wanted.from = before;
			break;
		case BTGreaterStrategyNumber:
			wanted.from = after;
			break;
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
	return wanted;
}

static Wanted
wanted_by_range(FunctionCallInfo fcinfo, Datum query)
{
	SnoInstants instants = sno_range_instants(
		range_get_typcache(fcinfo, TSTZRANGEOID), DatumGetRangeTypeP(query));

	return (Wanted) {
		.from = sno_cut_at(sno_us_from_timestamptz(instants.lower)),
		.upto = sno_cut_at(sno_us_from_timestamptz(instants.upper)),
	};
}

/*
 * sno_gist_consistent(internal, sno, smallint, oid, internal) returns bool:
 * may a row below the entry satisfy the condition?  On a leaf: does it?
 *
 * The second argument has the type of the operator's right side, which the
 * fourth says.  In a constraint's own look-ups it does not, but there the
 * argument is a sno.
 */
Datum
sno_gist_consistent(PG_FUNCTION_ARGS)
{
	SnoGistKey	key = sno_gist_key(((GISTENTRY *) PG_GETARG_POINTER(0))->key);
	Datum		query = PG_GETARG_DATUM(1);
	StrategyNumber strategy = PG_GETARG_UINT16(2);
	bool	   *recheck = (bool *) PG_GETARG_POINTER(4);
	Wanted		wanted;

	*recheck = false;
	if (strategy == NotEqualStrategyNumber)
		PG_RETURN_BOOL(sno_id_cmp(key.lower, DatumGetSnoP(query)) != 0 ||
					   sno_id_cmp(key.upper, DatumGetSnoP(query)) != 0);
	wanted = strategy == ContainedByStrategyNumber ?
		wanted_by_range(fcinfo, query) :
		wanted_by_comparison(query, strategy, PG_GETARG_OID(3));
	PG_RETURN_BOOL(sno_cut_is_after(&wanted.upto, key.lower) &&
				   !sno_cut_is_after(&wanted.from, key.upper));
}

/*
 * sno_gist_union(internal, internal) returns bytea: the key of all these
 * entries
 */
Datum
sno_gist_union(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	int		   *size = (int *) PG_GETARG_POINTER(1);
	SnoGistKey	key = sno_gist_key(entries->vector[0].key);
	Datum		stored;
	int			entry;

	for (entry = 1; entry < entries->n; entry++)
		extend(&key, sno_gist_key(entries->vector[entry].key));
	stored = store_key(key);
	*size = VARSIZE_ANY(DatumGetPointer(stored));
	PG_RETURN_DATUM(stored);
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
 * sno_gist_fetch(internal) returns internal: the id of a leaf, which it points
 * to
 */
Datum
sno_gist_fetch(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY  *fetched = palloc(sizeof(GISTENTRY));

	gistentryinit(*fetched, PointerGetDatum(sno_gist_key(entry->key).lower),
				  entry->rel, entry->page, entry->offset, false);
	PG_RETURN_POINTER(fetched);
}

/*
 * sno_gist_penalty(internal, internal, internal) returns internal: by how much
 * the first key gets longer if it takes in the second
 */
Datum
sno_gist_penalty(PG_FUNCTION_ARGS)
{
	SnoGistKey	key = sno_gist_key(((GISTENTRY *) PG_GETARG_POINTER(0))->key);
	SnoGistKey	more = sno_gist_key(((GISTENTRY *) PG_GETARG_POINTER(1))->key);
	float	   *penalty = (void *) PG_GETARG_POINTER(2);
	double		longer = 0;

	if (sno_id_cmp(more.lower, key.lower) < 0)
		longer += sno_id_distance(more.lower, key.lower);
	if (sno_id_cmp(more.upper, key.upper) > 0)
		longer += sno_id_distance(key.upper, more.upper);
	*penalty = (float) longer;
	PG_RETURN_POINTER(penalty);
}

/* An entry of a page that is split */
typedef struct SplitEntry
{
	SnoGistKey	key;
	OffsetNumber offset;
} SplitEntry;

static int
split_entry_cmp(const void *a, const void *b)
{
	const SnoGistKey *a_key = &((const SplitEntry *) a)->key;
	const SnoGistKey *b_key = &((const SplitEntry *) b)->key;
	int			order = sno_id_cmp(a_key->lower, b_key->lower);

	return order != 0 ? order : sno_id_cmp(a_key->upper, b_key->upper);
}

/*
 * The offsets of these entries, and their key.  There is room for more: if the
 * index has several columns, the server may move entries to the other side, in
 * place.
 */
static OffsetNumber *
side_of_split(const SplitEntry *entries, int count, int room,
			  Datum *key_stored)
{
	OffsetNumber *offsets = palloc(room * sizeof(OffsetNumber));
	SnoGistKey	key = entries[0].key;
	int			entry;

	for (entry = 0; entry < count; entry++)
	{
		offsets[entry] = entries[entry].offset;
		extend(&key, entries[entry].key);
	}
	*key_stored = store_key(key);
	return offsets;
}

/*
 * sno_gist_picksplit(internal, internal) returns internal: the entries in
 * order, cut in two.
 *
 * The one that did not fit into the page is the last.  If it belongs at the
 * end, more will come after it, as ids ascend, and the left page will get no
 * more of them: it is left nine tenths full, as B-tree does on its last page.
 * So an index that grows is not half empty.  A sorted build hands over several
 * full pages at once, which halves fit exactly.
 */
Datum
sno_gist_picksplit(PG_FUNCTION_ARGS)
{
	GistEntryVector *vector = (GistEntryVector *) PG_GETARG_POINTER(0);
	GIST_SPLITVEC *split = (GIST_SPLITVEC *) PG_GETARG_POINTER(1);
	int			count = vector->n - FirstOffsetNumber;
	Page		page = vector->vector[FirstOffsetNumber].page;
	SplitEntry *entries = palloc(count * sizeof(SplitEntry));
	SplitEntry	newest;
	int			left_count = count - Max(count / 10, 1);
	int			entry;

	for (entry = 0; entry < count; entry++)
	{
		entries[entry].offset = FirstOffsetNumber + entry;
		entries[entry].key =
			sno_gist_key(vector->vector[entries[entry].offset].key);
	}
	newest = entries[count - 1];
	qsort(entries, count, sizeof(SplitEntry), split_entry_cmp);
	if (count > PageGetMaxOffsetNumber(page) + 1 ||
		split_entry_cmp(&newest, &entries[left_count]) < 0)
		left_count = count / 2;

	split->spl_nleft = left_count;
	split->spl_left =
		side_of_split(entries, left_count, count, &split->spl_ldatum);
	split->spl_nright = count - left_count;
	split->spl_right = side_of_split(entries + left_count, count - left_count,
									 count, &split->spl_rdatum);
	PG_RETURN_POINTER(split);
}

/*
 * sno_gist_same(bytea, bytea, internal) returns internal: are two keys equal?
 */
Datum
sno_gist_same(PG_FUNCTION_ARGS)
{
	SnoGistKey	a = sno_gist_key(PG_GETARG_DATUM(0));
	SnoGistKey	b = sno_gist_key(PG_GETARG_DATUM(1));
	bool	   *result = (bool *) PG_GETARG_POINTER(2);

	*result = sno_id_cmp(a.lower, b.lower) == 0 &&
			  sno_id_cmp(a.upper, b.upper) == 0;
	PG_RETURN_POINTER(result);
}

/*
 * sno_gist_distance(internal, sno, smallint, oid, internal) returns float8:
 * what id <-> instant is at least, for the rows below the entry; on a leaf,
 * what it is.  The second argument is the instant.
 */
Datum
sno_gist_distance(PG_FUNCTION_ARGS)
{
	SnoGistKey	key = sno_gist_key(((GISTENTRY *) PG_GETARG_POINTER(0))->key);
	TimestampTz instant = PG_GETARG_TIMESTAMPTZ(1);
	TimestampTz first = sno_timestamptz_from_id(key.lower);
	TimestampTz last = sno_timestamptz_from_id(key.upper);

	PG_RETURN_FLOAT8(
		sno_instant_distance(Max(first, Min(instant, last)), instant));
}

/*
 * sno_gist_strategy(integer) returns smallint: which strategy is the
 * comparison of this CompareType of the server, if any.  From 18 on it has a
 * number for each, which is that of B-tree, and one for <>.
 */
Datum
sno_gist_strategy(PG_FUNCTION_ARGS)
{
	int32		comparison = PG_GETARG_INT32(0);

	if (comparison < BTLessStrategyNumber ||
		comparison > NotEqualStrategyNumber)
		PG_RETURN_UINT16(InvalidStrategy);
	PG_RETURN_UINT16(comparison);
}
