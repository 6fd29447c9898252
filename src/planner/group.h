/*
 * group.h
 *		Children of a page whose entries are estimated by samples.
 */
#ifndef SNO_PLANNER_GROUP_H
#define SNO_PLANNER_GROUP_H

#include "planner/page.h"

/* How many samples a group has at most */
#define SNO_SAMPLES_MAX	8

/* Children of one page, which all lie between the bounds */
typedef struct SnoGroup
{
	BlockNumber parent;
	int			level;			/* of the children */
	int			from;			/* the place of the first */
	int			all;			/* how many */
	int			chosen;			/* how many can be samples */
	int			places[SNO_SAMPLES_MAX];	/* of these, from 0 on */
	BlockNumber blocks[SNO_SAMPLES_MAX];
} SnoGroup;

extern SnoGroup sno_group(Page page, BlockNumber block, int from, int to);
extern double sno_group_entries(SnoTree *tree, SnoGroup *group,
								const double *edges, int most, int pages);

#endif							/* SNO_PLANNER_GROUP_H */
