/*
 * brin.c
 *		What BRIN needs of a sno beyond its order.
 *
 * The server's functions for minmax and minmax-multi look for operators of the
 * column's type.  For a column of a domain over sno there are none.  Types of
 * the server have no such trouble, as their operator classes have the type as
 * STORAGE, which CREATE OPERATOR CLASS does not let us say.  So the domain is
 * hidden from these functions.
 */
#include "postgres.h"

#include "type/sno.h"

#include "access/brin_internal.h"
#include "access/brin_tuple.h"
#include "utils/fmgrprotos.h"
#include "utils/rel.h"

PG_FUNCTION_INFO_V1(sno_brin_distance);

/*
 * sno_brin_distance(internal, internal) returns float8: how far the second
 * sno is from the first, which is not greater.
 */
Datum
sno_brin_distance(PG_FUNCTION_ARGS)
{
	const SnoId *from = PG_GETARG_SNO_P(0);
	const SnoId *to = PG_GETARG_SNO_P(1);

	Assert(sno_id_cmp(from, to) <= 0);
	PG_RETURN_FLOAT8(sno_id_distance(from, to));
}

/*
 * Calls a support function of the server, whose first arguments are a BrinDesc
 * and the BrinValues of a column, as if the column were of the operator class'
 * own type.
 *
 * The BrinDesc belongs to one scan, build or statement, but its tuple
 * descriptor is the index's own.  So that is replaced, once, by a copy that
 * lives as long as the BrinDesc.  The server asserts that there is a reference
 * to it.
 */
static Datum
call_without_domain(FunctionCallInfo fcinfo, PGFunction function)
{
	BrinDesc   *index = (BrinDesc *) PG_GETARG_POINTER(0);
	int			column = ((BrinValues *) PG_GETARG_POINTER(1))->bv_attno - 1;
	Oid			type = index->bd_index->rd_opcintype[column];

	if (TupleDescAttr(index->bd_tupdesc, column)->atttypid != type)
	{
		MemoryContext caller = MemoryContextSwitchTo(index->bd_context);
		TupleDesc	tuples = CreateTupleDescCopy(index->bd_tupdesc);

		TupleDescAttr(tuples, column)->atttypid = type;
		tuples->tdrefcount = 1;
		index->bd_tupdesc = tuples;
		MemoryContextSwitchTo(caller);
	}
	return function(fcinfo);
}

/* The support function that is the server's, without a domain */
#define WITHOUT_DOMAIN(name) \
	PG_FUNCTION_INFO_V1(sno_ ## name); \
	Datum \
	sno_ ## name(PG_FUNCTION_ARGS) \
	{ \
		return call_without_domain(fcinfo, name); \
	} \
	extern int	no_such_variable

WITHOUT_DOMAIN(brin_minmax_add_value);
WITHOUT_DOMAIN(brin_minmax_consistent);
WITHOUT_DOMAIN(brin_minmax_union);
WITHOUT_DOMAIN(brin_minmax_multi_add_value);
WITHOUT_DOMAIN(brin_minmax_multi_consistent);
WITHOUT_DOMAIN(brin_minmax_multi_union);
