/*
 * operate.h
 *		What an operator does to the record.
 */
#ifndef SNO_GENERATOR_OPERATE_H
#define SNO_GENERATOR_OPERATE_H

#include "generator/session.h"

extern SnoResult sno_operate_restore(uint64_t record, SnoWait *wait);
extern SnoResult sno_operate_reset(SnoWait *wait);

#endif							/* SNO_GENERATOR_OPERATE_H */
