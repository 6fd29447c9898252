/*
 * standbys.c
 *		How the server that runs says whether commits wait for standbys.
 */
#include "postgres.h"

#include "generator/standbys.h"

#include "utils/guc.h"

/* As syncrep.c's: is this known yet, just after the start, and are there any? */
#define BIT_KNOWN		0x01
#define BIT_DEFINED		0x02

uint8		sno_standbys_defined_bit = BIT_DEFINED;

static bool has_bits = true;

/* Looks which server it is; before anything else of this file */
void
sno_standbys_attach(void)
{
	has_bits = sno_compat_standbys_has_bits(atoi(GetConfigOption("server_version_num", false, false)));
	sno_standbys_defined_bit = has_bits ? BIT_DEFINED : BIT_KNOWN;
}

/* The answer while the byte is 0: known of a bool, and of bits not yet */
bool
sno_standbys_are_defined(void)
{
	return has_bits && SyncRepStandbyNames != NULL && SyncRepStandbyNames[0] != '\0';
}
