/*
 * bounds.h
 *		The key of a table that is partitioned by range of ids.
 */
#ifndef SNO_TABLE_PARTITIONS_BOUNDS_H
#define SNO_TABLE_PARTITIONS_BOUNDS_H

#include "access/attnum.h"

extern AttrNumber sno_partition_key(Oid table, Oid sno_type);

#endif							/* SNO_TABLE_PARTITIONS_BOUNDS_H */
