/*
 * resolved.h
 *		How old the oldest transaction is that holds readers of new rows back.
 */
#ifndef SNO_FUNCTIONS_RESOLVED_H
#define SNO_FUNCTIONS_RESOLVED_H

extern bool sno_resolved_oldest(double *age_ms);

#endif							/* SNO_FUNCTIONS_RESOLVED_H */
