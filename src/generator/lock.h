/*
 * lock.h
 *		The lock under which one session at a time does what planes.c does.
 */
#ifndef SNO_GENERATOR_LOCK_H
#define SNO_GENERATOR_LOCK_H

#include "generator/wait.h"

extern bool sno_lock_try(SnoWait *wait);
extern bool sno_lock_wait(SnoWait *wait);
extern void sno_lock_release(void);

#endif							/* SNO_GENERATOR_LOCK_H */
