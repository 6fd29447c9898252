/*
 * machine.h
 *		The world as src/generator sees it: that of machine.c.
 */
#ifndef SNO_SERVER_MACHINE_H
#define SNO_SERVER_MACHINE_H

#include "server/state.h"

/* What one call may still wait, and what it knows of the disk */
typedef struct SnoWait
{
	int64_t		left_us;
	bool		is_slow;
	bool		is_over;
} SnoWait;

extern SnoState *sno_machine_state(void);
extern bool sno_machine_wall_clock(uint64_t *wall_ticks);
extern bool sno_machine_try_lock(void);
extern bool sno_machine_lock(SnoWait *wait);
extern void sno_machine_unlock(void);
extern bool sno_machine_has_lock(void);
extern uint64_t sno_machine_read_record(void);
extern uint64_t sno_machine_write_record(SnoWait *wait, uint64_t record);
extern bool sno_machine_was_promoted(void);
extern void sno_machine_lower_prepared(uint64_t bounds[2], uint32_t database);
extern uint32_t sno_machine_database(void);
extern void sno_machine_wait(SnoWait *wait, SnoWaitReason reason,
							 uint64_t until_ticks);
extern bool sno_machine_is_slow(const SnoWait *wait);
extern bool sno_machine_is_over(const SnoWait *wait);

#endif							/* SNO_SERVER_MACHINE_H */
