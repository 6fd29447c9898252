/*
 * compat.h
 *		What differs between the supported servers, 15 to 19, and the next;
 *		the only file that asks for PG_VERSION_NUM.
 */
#ifndef SNO_COMPAT_H
#define SNO_COMPAT_H

#include "access/nbtree.h"
#include "access/tableam.h"
#include "catalog/pg_proc.h"
#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "replication/origin.h"
#include "replication/slot.h"
#include "storage/lock.h"
#include "storage/lwlock.h"
#include "utils/acl.h"
#include "utils/wait_event.h"

#if PG_VERSION_NUM < 150000
#error sno needs PostgreSQL 15 or later
#endif

/* 16 (d9f7f5d32) lets input functions report bad input without an error */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#else
#define ereturn(context, dummy_value, ...) \
	do { \
		(void) (context); \
		ereport(ERROR, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#endif

/* 16 (d952373a9) moved the macros of varlena values out of postgres.h */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* 18 (9324c8c58) lets a module say its name and version */
#if PG_VERSION_NUM >= 180000
#define SNO_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "sno", .version = SNO_VERSION)
#else
#define SNO_MODULE_MAGIC PG_MODULE_MAGIC
#endif

/* 17 (c9af05465) lets an extension name its wait events */
#if PG_VERSION_NUM >= 170000
#define sno_compat_wait_event(name) WaitEventExtensionNew(name)
#else
#define sno_compat_wait_event(name) ((void) (name), PG_WAIT_EXTENSION)
#endif

/* 19 gives a tranche of locks its name where it is made */
#if PG_VERSION_NUM >= 190000
#define sno_compat_new_tranche() LWLockNewTrancheId("sno")
#else
#define sno_compat_new_tranche() LWLockNewTrancheId()
#endif

/* 20 (19733fa0b) names the comparison of abbreviated keys after their type */
#if PG_VERSION_NUM >= 200000
#define SNO_COMPAT_COMPARE_ABBREVIATED ssup_datum_uint64_cmp
#else
#define SNO_COMPAT_COMPARE_ABBREVIATED ssup_datum_unsigned_cmp
#endif

/* 18 (04ff636cb) limits replication origins apart from replication slots */
#if PG_VERSION_NUM >= 180000
#define SNO_COMPAT_ORIGINS_SETTING "max_active_replication_origins"
#define SNO_COMPAT_ORIGINS_MAX max_active_replication_origins
#else
#define SNO_COMPAT_ORIGINS_SETTING "max_replication_slots"
#define SNO_COMPAT_ORIGINS_MAX max_replication_slots
#endif

/* 17 (ab355e3a8) has the holder of a lock in one field */
static inline VirtualTransactionId
sno_compat_lock_holder(const LockInstanceData *held)
{
#if PG_VERSION_NUM >= 170000
	return held->vxid;
#else
	VirtualTransactionId vxid;

	vxid.backendId = held->backend;
	vxid.localTransactionId = held->lxid;
	return vxid;
#endif
}

/* 16 (61b313e47) passes the table of an index along; reads do without it */
#if PG_VERSION_NUM >= 160000
#define sno_compat_bt_getroot(index) _bt_getroot(index, NULL, BT_READ)
#else
#define sno_compat_bt_getroot(index) _bt_getroot(index, BT_READ)
#endif

/* 19 lets the caller give flags to a scan */
#if PG_VERSION_NUM >= 190000
#define sno_compat_beginscan(table, snapshot) \
	table_beginscan(table, snapshot, 0, NULL, 0)
#else
#define sno_compat_beginscan(table, snapshot) \
	table_beginscan(table, snapshot, 0, NULL)
#endif

/* 16 (c727f511b) checks privileges on all kinds of objects by one function */
#if PG_VERSION_NUM >= 160000
#define sno_compat_may_execute(function, role) \
	(object_aclcheck(ProcedureRelationId, function, role, \
					 ACL_EXECUTE) == ACLCHECK_OK)
#else
#define sno_compat_may_execute(function, role) \
	(pg_proc_aclcheck(function, role, ACL_EXECUTE) == ACLCHECK_OK)
#endif

#endif							/* SNO_COMPAT_H */
