/*
 * conjunction.c
 *		The range of ids that the clauses about one id leave.
 */
#include "postgres.h"

#include "planner/conjunction.h"

#include "access/stratnum.h"
#include "utils/lsyscache.h"

/*
 * The C function that a function of SQL calls.  The extension can be in any
 * schema, so its functions are known by their C functions alone.
 */
PGFunction
sno_function(Oid function)
{
	FmgrInfo	info;

	fmgr_info(function, &info);
	return info.fn_addr;
}

/*
 * Narrows a range by the clause id OP other, or by other OP id if id_on_left
 * is false.  Returns false, with the range unchanged, if "other" is null, or
 * if the operator is no < <= >= > of the family.
 */
bool
sno_add_clause(SnoRange *range, Oid family, Oid operator, Node *other,
			   bool id_on_left)
{
	int			strategy = get_op_opfamily_strategy(operator, family);
	bool		or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterEqualStrategyNumber;
	bool		is_upper = (strategy < BTEqualStrategyNumber) == id_on_left;
	SnoLimit   *limit = &range->limits[is_upper];
	/* <= ends after the ids equal to the bound, and > begins after them */
	SnoBound	bound = {.after = or_equal == is_upper};
	int			order;

	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber)
		return false;
	if (IsA(other, Const))
	{
		if (((Const *) other)->constisnull)
			return false;
		bound.id = *DatumGetSnoP(((Const *) other)->constvalue);
		order = sno_bound_cmp(&bound, &limit->bound);
		if (!limit->is_known || (is_upper ? order < 0 : order > 0))
			limit->bound = bound;
		limit->is_known = true;
	}
	else if (limit->unknown == NULL)
		limit->unknown = other;
	range->clauses++;
	return true;
}
