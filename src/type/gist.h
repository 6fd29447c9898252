/*
 * gist.h
 *		A key of a GiST index: the ids below it lie between its lower and its
 *		upper end, both included.
 *
 * It is stored as a bytea: on a leaf one id, which is both ends, and above the
 * leaves two.  A type of fixed length would take twenty bytes in every entry.
 * The header is the short one, without alignment.
 */
#ifndef SNO_TYPE_GIST_H
#define SNO_TYPE_GIST_H

#include "type/sno.h"

#include "compat.h"

typedef struct SnoGistKey
{
	const SnoId *lower;
	const SnoId *upper;
} SnoGistKey;

/* The key that is stored there; it points into what is stored */
static inline SnoGistKey
sno_gist_key(Datum stored)
{
	const SnoId *ids = (const SnoId *) VARDATA_ANY(DatumGetPointer(stored));
	int			bytes = VARSIZE_ANY_EXHDR(DatumGetPointer(stored));
	bool		is_leaf = bytes == SNO_ID_BYTES;

	Assert(is_leaf || bytes == 2 * SNO_ID_BYTES);
	return (SnoGistKey) {ids, is_leaf ? ids : ids + 1};
}

#endif							/* SNO_TYPE_GIST_H */
