/*
 * conjunction.h
 *		Which share of the rows the clauses of a conjunction leave.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "planner/clause.h"
#include "planner/column.h"

/* Clauses of one conjunction that limit the same id */
typedef struct SnoConjunction
{
	const struct SnoConjunction *outer;	/* around it, or NULL */
	const SnoColumn *column;
	const Var  *id;
	List	   *clauses[2];		/* OpExprs of unknown, and of known bounds */
	SnoRange	range;			/* of all known bounds, the outer ones, too */
	Node	   *unknown[2];		/* what else limits each side, or NULL */
	Oid			operator;		/* of an unknown bound */
	double		share;			/* of the rows in the range; NAN until then */
	const RelOptInfo *restricted;	/* its table, if these are all of its
									 * restrictions */
} SnoConjunction;

/* What is estimated at once */
typedef struct SnoBatch
{
	PlannerInfo *root;
	bool		of_joins;
	List	   *conjunctions;	/* an outer one before its branches */
	int			ranges;			/* for which an index may be read */
	int			pages_each;		/* that may be read for a range */
	int			pages_read;
} SnoBatch;

extern void sno_conjunction_narrow(SnoBatch *batch,
								   SnoConjunction *conjunction,
								   const SnoComparison *added);
extern SnoConjunction *sno_conjunction_add(SnoBatch *batch,
										   const SnoColumn *column,
										   const RelOptInfo *rel,
										   const Var *id, List *clauses,
										   const SnoConjunction *outer);
extern double sno_conjunction_share_of(SnoBatch *batch,
									   const SnoColumn *column,
									   const SnoRange *range);
extern double sno_conjunction_share(SnoBatch *batch,
									const SnoConjunction *conjunction,
									const SnoRange *range, double range_share);
extern SnoKept *sno_conjunction_kept(SnoBatch *batch, const RelOptInfo *rel,
									 const Var *id);
extern void sno_conjunction_estimate(SnoBatch *batch,
									 SnoConjunction *conjunction);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
