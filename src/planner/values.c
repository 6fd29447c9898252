/*
 * values.c
 *		A few values of a bound that is another table's column, such as those
 *		in id >= u.since AND id < u.until.
 *
 * We take values at even distances from the column's histogram, which ANALYZE
 * saved.  The bound can also be an expression with a column in it, if we know
 * how its values follow from those of the column.  Of the query's expressions
 * we evaluate only an interval that is added to it, as the planner does.
 */
#include "postgres.h"

#include "planner/values.h"

#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "type/instant.h"
#include "type/order.h"
#include "type/range.h"

/* What the values of a bound follow from */
typedef struct Source
{
	PlannerInfo *root;
	Node	   *node;			/* an instant, an id, or a range */
	bool		is_upper;		/* which end of the range */
	double		shift_us;		/* what is added to the instant */
} Source;

/* The microseconds of an interval, by its usual lengths of months and days */
static double
interval_us(const Interval *interval)
{
	return (double) interval->time + (double) USECS_PER_DAY *
		(interval->day + (double) DAYS_PER_MONTH * interval->month);
}

/*
 * Replaces the source's node by the one that it is made of.  False if it is
 * not made in a way that we know.
 */
static bool
step(Source *source)
{
	Node	   *node = source->node;
	List	   *args;
	FmgrInfo	info;
	PGFunction	function;
	int			argument = 0;

	if (IsA(node, RelabelType))
	{
		source->node = (Node *) ((RelabelType *) node)->arg;
		return true;
	}
	if (!IsA(node, FuncExpr) && !IsA(node, OpExpr))
		return false;
	fmgr_info(IsA(node, FuncExpr) ? ((FuncExpr *) node)->funcid :
			  get_opcode(((OpExpr *) node)->opno), &info);
	function = info.fn_addr;
	args = IsA(node, FuncExpr) ? ((FuncExpr *) node)->args :
		((OpExpr *) node)->args;

	if (function == timestamptz_pl_interval ||
		function == timestamptz_mi_interval)
	{
		Const	   *by = (Const *) estimate_expression_value(source->root,
															 lsecond(args));

		if (!IsA(by, Const) || by->constisnull)
			return false;
		source->shift_us += (function == timestamptz_pl_interval ? 1 : -1) *
			interval_us(DatumGetIntervalP(by->constvalue));
	}
	else if (function == range_constructor2 || function == range_constructor3)
		argument = source->is_upper ? 1 : 0;
	else if (function == range_lower || function == sno_range_first)
		source->is_upper = false;
	else if (function == range_upper || function == sno_range_last)
		source->is_upper = true;
	else if (function != sno_first_at && function != sno_first_after &&
			 function != sno_lower_bound && function != sno_upper_bound)
		return false;
	source->node = list_nth(args, argument);
	return true;
}

/* The bound that follows from a saved value */
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

/*
 * Finds SNO_VALUES values that stand for all values of a bound.  False if
 * ANALYZE saved none, or if this operator must not see them.
 */
bool
sno_values_find(PlannerInfo *root, Node *expression, bool is_upper,
				Oid operator, SnoBound *values)
{
	Source		source = {root, expression, is_upper, 0};
	VariableStatData variable;
	AttStatsSlot slot = {.nvalues = 0};
	bool		is_found;
	Oid			type;
	int			i;

	while (step(&source))
		;
	type = getBaseType(exprType(source.node));
	if (!contain_var_clause(source.node) ||
		(type != TSTZRANGEOID && type != TIMESTAMPTZOID &&
		 !OidIsValid(sno_order_family(type))))
		return false;
	examine_variable(root, source.node, 0, &variable);
	is_found = HeapTupleIsValid(variable.statsTuple) &&
		statistic_proc_security_check(&variable, get_opcode(operator)) &&
		get_attstatsslot(&slot, variable.statsTuple, type == TSTZRANGEOID ?
						 STATISTIC_KIND_BOUNDS_HISTOGRAM :
						 STATISTIC_KIND_HISTOGRAM,
						 InvalidOid, ATTSTATSSLOT_VALUES) &&
		slot.nvalues > 0;
	for (i = 0; is_found && i < SNO_VALUES; i++)
		values[i] = bound_of(&source, type, slot.values[
			(int64) i * (slot.nvalues - 1) / (SNO_VALUES - 1)]);
	free_attstatsslot(&slot);
	ReleaseVariableStats(variable);
	return is_found;
}
