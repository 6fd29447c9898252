/*
 * greatest.c
 *		The greatest id of a table, for sno_restore_from_tables().  A superuser
 *		must run no code of the table's owner, and a query would: the planner
 *		calls functions that indexes and statistics name.  So we read it whole.
 */
#include "postgres.h"

#include "access/table.h"
#include "executor/tuptable.h"
#include "parser/parse_coerce.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "functions/functions.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_greatest);

/*
 * sno_greatest(relation regclass, column smallint, below sno) returns sno: the
 * greatest id below another in a column of sno, or a domain over it; or NULL
 */
Datum
sno_greatest(PG_FUNCTION_ARGS)
{
	AttrNumber	column = PG_GETARG_INT16(1);
	const SnoId *below = PG_GETARG_SNO_P(2);
	SnoId	   *greatest = sno_palloc();
	bool		is_found = false;
	Relation	table;
	TableScanDesc scan;
	TupleTableSlot *slot;

	sno_begin_operation("sno_restore_from_tables()");
	table = try_table_open(PG_GETARG_OID(0), AccessShareLock);
	if (table == NULL)
		PG_RETURN_NULL();		/* it was dropped meanwhile */
	if (!RELKIND_HAS_TABLE_AM(table->rd_rel->relkind) ||
		!IsBinaryCoercible(get_atttype(RelationGetRelid(table), column),
						   get_fn_expr_rettype(fcinfo->flinfo)))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("column %d of \"%s\" does not hold snos", column,
						RelationGetRelationName(table))));
	slot = table_slot_create(table, NULL);
	scan = sno_compat_beginscan(table, GetActiveSnapshot());
	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		bool		is_null;
		Datum		id = slot_getattr(slot, column, &is_null);

		CHECK_FOR_INTERRUPTS();
		if (is_null || sno_id_cmp(DatumGetSnoP(id), below) >= 0 ||
			(is_found && sno_id_cmp(DatumGetSnoP(id), greatest) <= 0))
			continue;
		*greatest = *DatumGetSnoP(id);
		is_found = true;
	}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	table_close(table, AccessShareLock);
	if (!is_found)
		PG_RETURN_NULL();
	PG_RETURN_SNO_P(greatest);
}
