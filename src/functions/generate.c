/*
 * generate.c
 *		The SQL functions that generate snos.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "funcapi.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "functions/functions.h"
#include "generator/claim.h"
#include "type/fields.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_generate);
PG_FUNCTION_INFO_V1(sno_generate_at);
PG_FUNCTION_INFO_V1(sno_generate_many);
PG_FUNCTION_INFO_V1(sno_generate_support);
PG_FUNCTION_INFO_V1(sno_generate_array);

/* What fits an array's one allocation */
#define ARRAY_IDS_MAX \
	((int) ((MaxAllocSize - ARR_OVERHEAD_NONULLS(1)) / SNO_ID_BYTES))

SnoSession	sno_session;

/* Two live nodes must not share a partition */
static void
check_recovery(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot generate a sno during recovery"),
				 errdetail("A standby shares the partition of its primary.")));
}

/*
 * Before the first claim of a backend: gives it its place for marks.  An error
 * in a parallel worker, whose marks would be cleared before the leader has
 * committed what they stand for, and in servers that make no ids.
 */
static pg_noinline void
begin_session(void)
{
	uint32		place = MyProc - ProcGlobal->allProcs;

	if (IsBinaryUpgrade)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot generate a sno while pg_upgrade runs"),
				 errdetail("The new cluster would not know that the id was generated.")));
	if (IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot generate a sno in a parallel worker"),
				 errhint("Declare the function that generates it PARALLEL RESTRICTED or PARALLEL UNSAFE.")));
	check_recovery();
	sno_shared_attach();
	Assert(place < sno_shared->state.places->session_count);
	sno_session.marks = &sno_shared->state.places->sessions[place];
	sno_word_write(&sno_session.marks->database, MyDatabaseId);
}

/* Claims one slot at least, and no more than want */
static void
claim(uint32 want, SnoLease *lease, SnoWait *wait)
{
	SnoMarks   *marks;

	if (unlikely(sno_session.marks == NULL))
		begin_session();
	marks = sno_session.marks;
	sno_transaction_check();
	while (sno_report(sno_claim(&sno_session, want, lease, wait), wait))
		;
	Assert(lease->left > 0 && lease->left <= want);
	sno_word_write(&marks->slots, sno_word_read(&marks->slots) + lease->left);
}

static inline Datum
generate_one(uint32 meta)
{
	SnoId	   *id = sno_palloc();
	SnoWait		wait = {0};
	SnoLease	lease;

	claim(1, &lease, &wait);
	sno_lease_take(&lease, meta, id);
	return SnoPGetDatum(id);
}

/*
 * sno_generate(meta int) returns sno: greater than all ids with the same
 * metabyte that were made before the call, in any session, as long as the
 * plane does not change
 */
Datum
sno_generate(PG_FUNCTION_ARGS)
{
	return generate_one(sno_check_meta(PG_GETARG_INT32(0)));
}

/*
 * sno_generate(meta int, at timestamptz) returns sno
 *
 * For rows that are older than their ids: the instant is the caller's, the
 * tick-tock bit 0, and the slots come from a counter that wraps.  The id may
 * be equal to another one of that instant.
 */
Datum
sno_generate_at(PG_FUNCTION_ARGS)
{
	SnoFields	fields = {
		.meta = sno_check_meta(PG_GETARG_INT32(0)),
		.ticks = sno_check_instant(PG_GETARG_TIMESTAMPTZ(1)),
	};
	SnoId	   *id = sno_palloc();
	uint64		slot;

	check_recovery();
	sno_shared_attach();
	if (sno_word_read(&sno_shared->state.closed) != 0)
		sno_report_failure(sno_result(SNO_FAILS_CLOSED), NULL);
	slot = pg_atomic_fetch_add_u64(&sno_shared->imported_slots, 1);
	sno_pool_slot(&sno_shared->state.pool,
				  slot % sno_shared->state.pool.capacity,
				  &fields.partition, &fields.sequence);
	sno_id_pack(id, &fields);
	PG_RETURN_SNO_P(id);
}

static int32
check_count(int32 count)
{
	if (count < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("count must not be negative: %d", count)));
	return count;
}

/*
 * sno_generate_many(count int, meta int) returns setof sno
 *
 * In a select list one row at a time, so that nothing is kept in memory, and a
 * cursor or LIMIT ends it early; FROM has all rows made first.  Each row is a
 * call of its own, as of sno_generate(): nothing is kept between two of them.
 */
Datum
sno_generate_many(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;

	if (SRF_IS_FIRSTCALL())
	{
		context = SRF_FIRSTCALL_INIT();
		context->max_calls = check_count(PG_GETARG_INT32(0));
		(void) sno_check_meta(PG_GETARG_INT32(1));
	}

	context = SRF_PERCALL_SETUP();
	if (context->call_cntr >= context->max_calls)
		SRF_RETURN_DONE(context);
	SRF_RETURN_NEXT(context, generate_one(PG_GETARG_INT32(1)));
}

/*
 * sno_generate_support(internal) returns internal: what COPY evaluates in
 * place of sno_generate(int); and the rows that sno_generate_many() returns,
 * if the planner knows the count
 */
Datum
sno_generate_support(PG_FUNCTION_ARGS)
{
	SupportRequestRows *request = (SupportRequestRows *) PG_GETARG_POINTER(0);
	Node	   *count;

	if (IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(sno_copy_call(((SupportRequestSimplify *)
										 request)->fcall));
	if (!IsA(request, SupportRequestRows) ||
		!IsA(request->node, FuncExpr))
		PG_RETURN_POINTER(NULL);
	count = estimate_expression_value(request->root,
									  linitial(castNode(FuncExpr,
														request->node)->args));
	if (!IsA(count, Const))
		PG_RETURN_POINTER(NULL);
	request->rows = castNode(Const, count)->constisnull ? 0 :
		Max(DatumGetInt32(castNode(Const, count)->constvalue), 0);
	PG_RETURN_POINTER(request);
}

/* sno_generate_array(count int, meta int) returns sno[] */
Datum
sno_generate_array(PG_FUNCTION_ARGS)
{
	int32		count = check_count(PG_GETARG_INT32(0));
	uint32		meta = sno_check_meta(PG_GETARG_INT32(1));
	Oid			array_type = get_func_rettype(fcinfo->flinfo->fn_oid);
	Oid			element_type = get_element_type(array_type);
	SnoWait		wait = {0};
	ArrayType  *array;
	SnoId	   *id;
	SnoId	   *end;
	Size		bytes;

	if (count > ARRAY_IDS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("count is more than an array can hold: %d", count),
				 errdetail("An array holds at most %d ids.", ARRAY_IDS_MAX),
				 errhint("Use sno_generate_many.")));
	if (count == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(element_type));

	/* As construct_array() would lay out elements that need no alignment */
	bytes = ARR_OVERHEAD_NONULLS(1) + (Size) count * SNO_ID_BYTES;
	array = palloc(bytes);
	SET_VARSIZE(array, bytes);
	array->ndim = 1;
	array->dataoffset = 0;
	array->elemtype = element_type;
	ARR_DIMS(array)[0] = count;
	ARR_LBOUND(array)[0] = 1;

	id = (SnoId *) ARR_DATA_PTR(array);
	end = id + count;
	while (id < end)
	{
		SnoLease	lease;

		CHECK_FOR_INTERRUPTS();
		claim(end - id, &lease, &wait);
		while (lease.left > 0)
			sno_lease_take(&lease, meta, id++);
	}
	PG_RETURN_ARRAYTYPE_P(array);
}
