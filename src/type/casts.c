/*
 * casts.c
 *		A sno as bytea and as uuid, and back.  The casts from and to text types
 *		use the type's input and output functions.
 */
#include "postgres.h"

#include "type/sno.h"

#include "utils/uuid.h"

#include "compat.h"
#include "core/codec.h"

PG_FUNCTION_INFO_V1(sno_to_bytea);
PG_FUNCTION_INFO_V1(sno_from_bytea);
PG_FUNCTION_INFO_V1(sno_to_uuid);
PG_FUNCTION_INFO_V1(sno_from_uuid);

StaticAssertDecl(UUID_LEN == SNO_TEXT_CHARS,
				 "the text of a sno must fill a uuid");

/* sno_to_bytea(sno) returns bytea: the ten bytes */
Datum
sno_to_bytea(PG_FUNCTION_ARGS)
{
	bytea	   *bytes = palloc(VARHDRSZ + SNO_ID_BYTES);

	SET_VARSIZE(bytes, VARHDRSZ + SNO_ID_BYTES);
	memcpy(VARDATA(bytes), PG_GETARG_SNO_P(0), SNO_ID_BYTES);
	PG_RETURN_BYTEA_P(bytes);
}

/* sno_from_bytea(bytea) returns sno; an error unless there are ten bytes */
Datum
sno_from_bytea(PG_FUNCTION_ARGS)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);
	int			length = VARSIZE_ANY_EXHDR(bytes);
	SnoId	   *id;

	if (length != SNO_ID_BYTES)
		ereturn(fcinfo->context, (Datum) 0,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid bytea for type sno"),
				 errdetail("A sno is %d bytes long, not %d.",
						   SNO_ID_BYTES, length)));
	id = sno_palloc();
	memcpy(id, VARDATA_ANY(bytes), SNO_ID_BYTES);
	PG_RETURN_SNO_P(id);
}

/*
 * sno_to_uuid(sno) returns uuid: its sixteen bytes are the ASCII characters of
 * the sno's text, so that the order is kept.
 */
Datum
sno_to_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	sno_codec_encode(PG_GETARG_SNO_P(0), (char *) uuid->data);
	PG_RETURN_UUID_P(uuid);
}

/*
 * sno_from_uuid(uuid) returns sno; an error unless the uuid was made by
 * sno_to_uuid or another program with the same mapping.
 */
Datum
sno_from_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = PG_GETARG_UUID_P(0);
	SnoId	   *id = sno_palloc();
	int			position = sno_codec_decode((char *) uuid->data, id);

	if (position != SNO_TEXT_CHARS)
		ereturn(fcinfo->context, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("uuid does not hold a sno"),
				 errdetail("Byte %d is 0x%02x, which is not the ASCII code of a digit from 2 to 9 or a letter from a to x.",
						   position + 1, uuid->data[position])));
	PG_RETURN_SNO_P(id);
}
