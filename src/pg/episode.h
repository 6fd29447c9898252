/*
 * episode.h
 *		Lines in the server's log, one for each episode of trouble.
 */
#ifndef SNO_PG_EPISODE_H
#define SNO_PG_EPISODE_H

#include "wait.h"

extern void sno_episode_went_on(uint64 behind_ticks, uint32 plane);
extern void sno_episode_behind(SnoWaitReason reason, uint64 now_ticks,
							   uint64 until_ticks);
extern void sno_episode_full(uint64 ticks);
extern void sno_episode_claimed(uint64 ticks);

#endif							/* SNO_PG_EPISODE_H */
