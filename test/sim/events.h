/*
 * events.h
 *		What happens to the world, step by step.
 */
#ifndef SNO_SIM_EVENTS_H
#define SNO_SIM_EVENTS_H

/* Makes a world and writers in it; returns how many */
extern int	events_begin(void);

/* One action, of a writer or of the world */
extern void events_step(void);

#endif							/* SNO_SIM_EVENTS_H */
