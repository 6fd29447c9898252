/*
 * query.c
 *		What is kept while one query is planned: the planner asks for the
 *		selectivity of each clause by itself, and of a join's again and again.
 */
#include "postgres.h"

#include "planner/query.h"

#include "common/hashfn.h"

#define SH_PREFIX		kept
#define SH_ELEMENT_TYPE	SnoKept
#define SH_KEY_TYPE		SnoKey
#define SH_KEY			key
#define SH_HASH_KEY(table, key) \
	murmurhash32((uint32) ((uintptr_t) (key).a ^ \
						   ((uintptr_t) (key).b << 3)) + (uint32) (key).column)
#define SH_EQUAL(table, x, y)	\
	((x).a == (y).a && (x).b == (y).b && (x).column == (y).column)
#define SH_SCOPE		static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* The query that was planned last, or NULL, and what is kept for it */
static const PlannerGlobal *query;
static kept_hash *kept;

/*
 * The memory of the query goes away.  Another one may get the same address, so
 * it is forgotten now.
 */
static void
forget(void *arg)
{
	const PlannerGlobal *ended = arg;

	if (query == ended)
		query = NULL;
}

/* What is kept for a query by this key, or NULL */
SnoKept *
sno_query_find(const PlannerInfo *root, SnoKey key)
{
	return query == root->glob ? kept_lookup(kept, key) : NULL;
}

/*
 * The same, or what is to be kept from now on; it may move when more is kept.
 * If another query is planned within the planning of this one, this one begins
 * anew after it.
 */
SnoKept *
sno_query_keep(PlannerInfo *root, SnoKey key, bool *is_new)
{
	SnoKept    *element;
	MemoryContextCallback *at_end;
	bool		found;

	if (query != root->glob)
	{
		query = NULL;
		kept = kept_create(root->planner_cxt, 8, NULL);
		at_end = MemoryContextAlloc(root->planner_cxt,
									sizeof(MemoryContextCallback));
		*at_end = (MemoryContextCallback) {forget, root->glob, NULL};
		MemoryContextRegisterResetCallback(root->planner_cxt, at_end);
		query = root->glob;
	}
	element = kept_insert(kept, key, &found);
	if (!found)
	{
		SnoKept		empty = {.key = key, .status = element->status};

		*element = empty;
	}
	*is_new = !found;
	return element;
}
