/*
 * as_owner.h
 *		Commands that are run on a table as its owner.
 */
#ifndef SNO_TABLE_PARTITIONS_AS_OWNER_H
#define SNO_TABLE_PARTITIONS_AS_OWNER_H

#include "access/htup.h"
#include "catalog/pg_class.h"
#include "nodes/pg_list.h"

extern HeapTuple sno_table_tuple(Oid table);
extern char *sno_qualified_name(Form_pg_class class);
extern void sno_execute_as(Oid role, List *commands);

#endif							/* SNO_TABLE_PARTITIONS_AS_OWNER_H */
