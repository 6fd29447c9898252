/*
 * expectation.c
 *		Where the bounds of an id lie that are another table's columns.
 *
 * In a join with periods, id >= u.since AND id < u.until, both bounds are
 * different in each row of u.  But on average, the fraction of the ids between
 * them is the fraction before u.until less the fraction before u.since; and
 * ANALYZE has saved how both columns of u are spread.
 *
 * The same goes for a bound that is computed from such a column in a known
 * way: a column plus or minus an interval, a range of two columns, an end of
 * a range.  Nothing of the query is evaluated with the values that ANALYZE
 * saved.
 */
#include "postgres.h"

#include "planner/expectation.h"

#include <math.h>

#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "type/instant.h"
#include "type/order.h"
#include "type/range.h"

/* How many values of a histogram stand for all of them, at most */
#define VALUES_MAX		101

/* What is asked about: an end of a range, or an instant or id itself */
typedef struct Question
{
	PlannerInfo *root;
	SnoDistribution *distribution;
	bool		is_upper;		/* which end of a range it is */
	Oid			function;		/* that the values are given to */
	double		low;			/* what is before the bound is no less, */
	double		high;			/* and no more */
	int64		shift_us;		/* of the bound, from the instant */
} Question;

/* What was found out about a bound: the planner asks again and again */
typedef struct Answer
{
	Question	question;
	Node	   *bound_expr;
	bool		is_known;
	SnoExpectation expectation;
} Answer;

#define ANSWERS_MAX		8

/* What is before a value of that type: an instant, a range of them, an id */
static double
below_value(const Question *q, Oid type, Datum value)
{
	SnoBound	bound = {.is_known = true};
	TimestampTz instant = 0;
	double		below;

	if (type == TIMESTAMPTZOID)
		instant = DatumGetTimestampTz(value);
	else if (type == TSTZRANGEOID)
	{
		SnoInstants instants =
			sno_range_instants(lookup_type_cache(type, TYPECACHE_RANGE_INFO),
							   DatumGetRangeTypeP(value));

		instant = q->is_upper ? instants.upper : instants.lower;
	}
	else
		bound.cut.id = *DatumGetSnoP(value);
	if (type == TIMESTAMPTZOID || type == TSTZRANGEOID)
	{
		if (!TIMESTAMP_NOT_FINITE(instant) &&
			pg_add_s64_overflow(instant, q->shift_us, &instant))
			instant = q->shift_us < 0 ? DT_NOBEGIN : DT_NOEND;
		bound.cut = sno_cut_at(sno_us_from_timestamptz(instant));
	}
	below = sno_distribution_below(q->distribution, &bound, true);
	return Min(Max(below, q->low), q->high);
}

/* Is this a type, not a domain, whose values can be compared with ids? */
static bool
is_comparable(Oid type)
{
	return type == TIMESTAMPTZOID || type == TSTZRANGEOID ||
		OidIsValid(sno_order_family(type));
}

/*
 * Adds what lies before the values of a slot, for their part of the rows: for
 * the most common ones each has its own, others have the rest in common, of
 * which some, evenly chosen, stand for all.
 */
static void
add_slot(const Question *q, HeapTuple statistics, int kind, double rest,
		 double *sum, double *known)
{
	bool		is_common = kind == STATISTIC_KIND_MCV;
	AttStatsSlot slot;
	Oid			type;
	double		parts = 0;
	double		before = 0;
	int			count;
	int			i;

	if (!get_attstatsslot(
			&slot, statistics, kind, InvalidOid,
			ATTSTATSSLOT_VALUES | (is_common ? ATTSTATSSLOT_NUMBERS : 0)))
		return;
	type = getBaseType(slot.valuetype);
	count = Min(slot.nvalues, is_common ? slot.nnumbers : VALUES_MAX);
	if (is_comparable(type))
		for (i = 0; i < count; i++)
		{
			/* The first and the last are among them */
			int64		at = is_common ? i :
				(int64) i * (slot.nvalues - 1) / Max(count - 1, 1);
			double		part =
				is_common ? sno_statistics_fraction(slot.numbers[i]) : 1;

			before += part * below_value(q, type, slot.values[at]);
			parts += part;
		}
	free_attstatsslot(&slot);
	if (parts > 0)
	{
		*sum += is_common ? before : rest * (before / parts);
		*known += is_common ? parts : rest;
	}
}

/* A column or expression, by what ANALYZE saved of it */
static bool
expect_of_statistics(const Question *q, HeapTuple statistics, Oid type,
					 SnoExpectation *expectation)
{
	double		nulls = sno_statistics_nulls(statistics);
	double		known = 0;
	double		sum = 0;
	AttStatsSlot lengths;

	if (type != TSTZRANGEOID)
		add_slot(q, statistics, STATISTIC_KIND_MCV, 0, &sum, &known);
	else if (get_attstatsslot(&lengths, statistics,
							  STATISTIC_KIND_RANGE_LENGTH_HISTOGRAM,
							  InvalidOid, ATTSTATSSLOT_NUMBERS))
	{
		/* An empty range is as good as none */
		if (lengths.nnumbers > 0)
			nulls += (1 - nulls) * sno_statistics_fraction(lengths.numbers[0]);
		free_attstatsslot(&lengths);
	}
	add_slot(q, statistics, type == TSTZRANGEOID ?
			 STATISTIC_KIND_BOUNDS_HISTOGRAM : STATISTIC_KIND_HISTOGRAM,
			 Max(1 - nulls - known, 0), &sum, &known);
	if (known <= 0)
		return false;
	*expectation = (SnoExpectation) {sum / known, nulls};
	return true;
}

static bool
expect_of_variable(const Question *q, Node *node, SnoExpectation *expectation)
{
	Oid			type = getBaseType(exprType(node));
	VariableStatData vardata;
	bool		found = false;

	if (!is_comparable(type))
		return false;
	examine_variable(q->root, node, 0, &vardata);
	if (HeapTupleIsValid(vardata.statsTuple) &&
		statistic_proc_security_check(&vardata, q->function))
		found =
			expect_of_statistics(q, vardata.statsTuple, type, expectation);
	ReleaseVariableStats(vardata);
	return found;
}

static bool expect(Question q, Node *node, SnoExpectation *expectation);

/*
 * A range that is made of two instants: where one is null, there is no bound
 */
static bool
expect_of_made_range(Question q, List *args, SnoExpectation *expectation)
{
	Node	   *node = estimate_expression_value(
		q.root, q.is_upper ? lsecond(args) : linitial(args));
	double		unbounded = q.is_upper ? q.high : q.low;

	if (IsA(node, Const) && ((Const *) node)->constisnull)
		*expectation = (SnoExpectation) {unbounded, 0};
	else if (IsA(node, Const))
		*expectation = (SnoExpectation) {
			below_value(&q, TIMESTAMPTZOID, ((Const *) node)->constvalue), 0
		};
	else if (expect(q, node, expectation))
	{
		expectation->below +=
			expectation->nulls * (unbounded - expectation->below);
		expectation->nulls = 0;
	}
	else
		return false;
	return true;
}

/* An instant plus or minus an interval; a month is as long as elsewhere */
static bool
expect_of_shifted(Question q, List *args, int sign,
				  SnoExpectation *expectation)
{
	Node	   *node = estimate_expression_value(q.root, lsecond(args));
	Interval   *by;
	double		us;

	if (!IsA(node, Const) || ((Const *) node)->constisnull)
		return false;
	by = DatumGetIntervalP(((Const *) node)->constvalue);
	us = sign *
		 ((double) by->time + ((double) by->month * DAYS_PER_MONTH + by->day) *
								  (double) USECS_PER_DAY);
	if (fabs(us) >= (double) PG_INT64_MAX / 2 ||
		pg_add_s64_overflow(q.shift_us, (int64) us, &q.shift_us))
		return false;
	return expect(q, linitial(args), expectation);
}

static bool
expect(Question q, Node *node, SnoExpectation *expectation)
{
	Oid			function;
	PGFunction	c_function;
	List	   *args;

	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	if (expect_of_variable(&q, node, expectation))
		return true;

	if (IsA(node, FuncExpr))
	{
		function = ((FuncExpr *) node)->funcid;
		args = ((FuncExpr *) node)->args;
	}
	else if (IsA(node, OpExpr))
	{
		function = get_opcode(((OpExpr *) node)->opno);
		args = ((OpExpr *) node)->args;
	}
	else
		return false;

	switch (function)
	{
		case F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ:
		case F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT:
			return expect_of_made_range(q, args, expectation);
		case F_TIMESTAMPTZ_PL_INTERVAL:
			return expect_of_shifted(q, args, 1, expectation);
		case F_TIMESTAMPTZ_MI_INTERVAL:
			return expect_of_shifted(q, args, -1, expectation);
	}
	if (list_length(args) != 1)
		return false;
	c_function = sno_function(function);
	if (function == F_LOWER_ANYRANGE || c_function == sno_range_lower)
		q.is_upper = false;
	else if (function == F_UPPER_ANYRANGE || c_function == sno_range_upper)
		q.is_upper = true;
	else if (c_function != sno_next_instant && c_function != sno_lower_bound &&
			 c_function != sno_upper_bound)
		return false;
	return expect(q, linitial(args), expectation);
}

/*
 * What is expected of a bound: an instant, an id, or that end of a range.
 * What lies before it is counted as "low" at least and "high" at most.  False
 * if nothing is known of it, or if this function must not see what is known.
 */
bool
sno_expect_below(SnoDistribution *distribution, Node *bound_expr,
				 bool is_upper, Oid function, double low, double high,
				 SnoExpectation *expectation)
{
	Question	question = {
		.root = distribution->root, .distribution = distribution,
		.is_upper = is_upper, .function = function, .low = low, .high = high
	};
	Answer	   *answer;
	ListCell   *cell;
	MemoryContext caller;

	if (!contain_var_clause(bound_expr))
		return false;
	foreach(cell, distribution->answers)
	{
		answer = lfirst(cell);
		if (answer->question.is_upper == is_upper &&
			answer->question.function == function &&
			answer->question.low == low && answer->question.high == high &&
			equal(answer->bound_expr, bound_expr))
			break;
	}
	if (cell == NULL)
	{
		caller = MemoryContextSwitchTo(distribution->context);
		answer = palloc0(sizeof(Answer));
		answer->question = question;
		answer->bound_expr = copyObject(bound_expr);
		answer->is_known = expect(question, bound_expr, &answer->expectation);
		distribution->answers = lcons(
			answer, list_truncate(distribution->answers, ANSWERS_MAX - 1));
		MemoryContextSwitchTo(caller);
	}
	if (answer->is_known)
		*expectation = answer->expectation;
	return answer->is_known;
}
