/*
 * explore.h
 *		Every schedule of a few calls.
 */
#ifndef SNO_SIM_EXPLORE_H
#define SNO_SIM_EXPLORE_H

/* The scenarios of these names, or all; returns the program's exit code */
extern int	explore(char **names);

/* Prints the names of all */
extern void explore_list(void);

#endif							/* SNO_SIM_EXPLORE_H */
