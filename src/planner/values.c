/*
 * values.c
 *		A few values of a bound, where the bound is another table's column: as
 *		of a period in id >= u.since AND id < u.until.
 *
 * The values are chosen evenly from the histogram that ANALYZE saved.  The
 * bound may also be made of a column in a way that step() knows.  Nothing of
 * the query is evaluated with saved values: that could fail where the query
 * does not.
 */
#include "postgres.h"

#include "planner/values.h"

#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "planner/conjunction.h"
#include "type/instant.h"
#include "type/order.h"
#include "type/range.h"

/* What a bound is made of */
typedef struct Source
{
	PlannerInfo *root;
	Node	   *node;			/* an instant, an id, or a range */
	bool		is_upper;		/* which end of a range */
	double		shift_us;		/* that is added to an instant */
} Source;

/* Goes on to what the node is made of; false if step() does not know that */
static bool
step(Source *source)
{
	Node	   *by = NULL;
	Oid			function;
	List	   *args;
	PGFunction	c_function;
	const Interval *interval;

	if (IsA(source->node, RelabelType))
	{
		source->node = (Node *) ((RelabelType *) source->node)->arg;
		return true;
	}
	if (!IsA(source->node, FuncExpr) && !IsA(source->node, OpExpr))
		return false;
	function = IsA(source->node, FuncExpr) ?
		((FuncExpr *) source->node)->funcid :
		get_opcode(((OpExpr *) source->node)->opno);
	args = IsA(source->node, FuncExpr) ? ((FuncExpr *) source->node)->args :
		((OpExpr *) source->node)->args;
	c_function = sno_function(function);
	if (function == F_TIMESTAMPTZ_PL_INTERVAL ||
		function == F_TIMESTAMPTZ_MI_INTERVAL)
	{
		by = estimate_expression_value(source->root, lsecond(args));
		if (!IsA(by, Const) || ((Const *) by)->constisnull)
			return false;
		interval = DatumGetIntervalP(((Const *) by)->constvalue);
		source->shift_us += (function == F_TIMESTAMPTZ_PL_INTERVAL ? 1 : -1) *
			((double) interval->time +
			 (interval->month * (double) DAYS_PER_MONTH + interval->day) *
			 (double) USECS_PER_DAY);
	}
	else if (function == F_LOWER_ANYRANGE || c_function == sno_range_first)
		source->is_upper = false;
	else if (function == F_UPPER_ANYRANGE || c_function == sno_range_last)
		source->is_upper = true;
	else if (function != F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ &&
			 function != F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT &&
			 c_function != sno_first_at && c_function != sno_first_after &&
			 c_function != sno_lower_bound && c_function != sno_upper_bound)
		return false;
	/* tstzrange(lower, upper) has an argument for each end */
	source->node = list_nth(args, by == NULL && list_length(args) > 1 &&
							source->is_upper ? 1 : 0);
	return true;
}

/* The bound that a saved value sets */
static SnoBound
bound_of(const Source *source, Oid type, Datum value)
{
	TimestampTz instant;
	double		us;

	if (type == TSTZRANGEOID)
	{
		SnoInstants instants =
			sno_range_instants(lookup_type_cache(type, TYPECACHE_RANGE_INFO),
							   DatumGetRangeTypeP(value));

		instant = source->is_upper ? instants.upper : instants.lower;
	}
	else if (type == TIMESTAMPTZOID)
		instant = DatumGetTimestampTz(value);
	else
		return (SnoBound) {*DatumGetSnoP(value), false};
	us = (double) sno_us_from_timestamptz(instant) + source->shift_us;
	us = Min(Max(us, -1), (double) SNO_CLOCK_END_US);
	return (SnoBound) {sno_clock_first_at((int64) us), false};
}

static int
compare(const void *a, const void *b)
{
	return sno_bound_cmp(a, b);
}

/*
 * Values that stand for those of a bound, in ascending order.  False if
 * nothing was saved, or if this operator must not see it.
 */
bool
sno_values_find(PlannerInfo *root, Node *expression, bool is_upper,
				Oid operator, SnoBound *values)
{
	Source		source = {root, expression, is_upper, 0};
	VariableStatData variable;
	AttStatsSlot slot = {.nvalues = 0};
	Oid			type;
	int			count = 0;
	int			i;

	while (step(&source))
		;
	type = getBaseType(exprType(source.node));
	if (!contain_var_clause(source.node) ||
		(type != TSTZRANGEOID && type != TIMESTAMPTZOID &&
		 !OidIsValid(sno_order_family(type))))
		return false;
	examine_variable(root, source.node, 0, &variable);
	if (HeapTupleIsValid(variable.statsTuple) &&
		statistic_proc_security_check(&variable, get_opcode(operator)) &&
		(get_attstatsslot(&slot, variable.statsTuple, type == TSTZRANGEOID ?
						  STATISTIC_KIND_BOUNDS_HISTOGRAM :
						  STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES) ||
		 get_attstatsslot(&slot, variable.statsTuple, STATISTIC_KIND_MCV,
						  InvalidOid, ATTSTATSSLOT_VALUES)) &&
		getBaseType(slot.valuetype) == type)
		count = slot.nvalues > 0 ? SNO_VALUES : 0;
	for (i = 0; i < count; i++)
		values[i] = bound_of(&source, type, slot.values[
			(int64) i * (slot.nvalues - 1) / (SNO_VALUES - 1)]);
	free_attstatsslot(&slot);
	ReleaseVariableStats(variable);
	qsort(values, count, sizeof(SnoBound), compare);
	return count > 0;
}
