/*
 * libpq.c
 *		sno with libpq: text, and the ten bytes.
 *
 * test/clients/run compiles and runs it.  Prints TAP.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <arpa/inet.h>

#include <libpq-fe.h>

#define IDS			3
#define ID_BYTES	10

static const char *const texts[IDS] = {
	"2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"
};
static const unsigned char ids[IDS][ID_BYTES] = {
	{0},
	{0x3e, 0x0b, 0x1c, 0x50, 0x86, 0x03, 0x25, 0xa1, 0x00, 0x00},
	{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
};

static int	count = 0;
static bool failed = false;

static void
ok(bool good, const char *what)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++count, what);
	if (!good)
		failed = true;
}

/* Is it the expected status?  If not, says what the server said. */
static bool
has_status(const PGresult *result, ExecStatusType status)
{
	if (PQresultStatus(result) == status)
		return true;
	printf("# %s: %s", PQresStatus(PQresultStatus(result)),
		   PQresultErrorMessage(result));
	return false;
}

static void
execute(PGconn *conn, const char *query)
{
	PGresult   *result = PQexec(conn, query);

	if (!has_status(result, PGRES_COMMAND_OK))
		exit(1);
	PQclear(result);
}

/* Does the query give this one value, as text? */
static bool
gives(PGconn *conn, const char *query, const char *expected)
{
	PGresult   *result = PQexec(conn, query);
	bool		good = has_status(result, PGRES_TUPLES_OK) &&
		PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), expected) == 0;

	PQclear(result);
	return good;
}

/* Is the table what was to be sent? */
static bool
is_stored(PGconn *conn)
{
	return gives(conn, "SELECT string_agg(id::text, ' ' ORDER BY id) FROM event WHERE id::text = payload",
				 "2222222222222222 9q7jqm682eks4222 xxxxxxxxxxxxxxxx");
}

/* Does the field hold the ten bytes of this id? */
static bool
is_id(const PGresult *result, int row, int column, int id)
{
	return PQgetlength(result, row, column) == ID_BYTES &&
		memcmp(PQgetvalue(result, row, column), ids[id], ID_BYTES) == 0;
}

static bool
has_sqlstate(const PGresult *result, const char *sqlstate)
{
	const char *got = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	if (got && strcmp(got, sqlstate) == 0)
		return true;
	printf("# SQLSTATE %s\n", got ? got : "none");
	return false;
}

/* Was it refused with this SQLSTATE, and does the connection live on? */
static void
refused(PGconn *conn, PGresult *result, const char *sqlstate, const char *what)
{
	bool		good = has_sqlstate(result, sqlstate);

	PQclear(result);
	ok(gives(conn, "SELECT 'alive'", "alive") && good, what);
}

static PGresult *
insert_binary(PGconn *conn, const unsigned char id[ID_BYTES], const char *payload)
{
	const char *values[] = {(const char *) id, payload};
	const int	lengths[] = {ID_BYTES, 0};
	const int	formats[] = {1, 0};

	return PQexecParams(conn, "INSERT INTO event (id, payload) VALUES ($1, $2)",
						2, NULL, values, lengths, formats, 0);
}

static PGresult *
select_binary(PGconn *conn, const unsigned char id[ID_BYTES])
{
	const char *values[] = {(const char *) id};
	const int	lengths[] = {ID_BYTES};
	const int	formats[] = {1};

	return PQexecParams(conn, "SELECT id FROM event WHERE id = $1",
						1, NULL, values, lengths, formats, 1);
}

/* A text parameter, and results of the given format */
static PGresult *
with_text(PGconn *conn, const char *query, const char *value, int format)
{
	return PQexecParams(conn, query, 1, NULL, &value, NULL, NULL, format);
}

static void
scalars(PGconn *conn)
{
	bool		good = true;
	PGresult   *result;

	for (int i = 0; i < IDS; i++)
	{
		result = insert_binary(conn, ids[i], texts[i]);
		good = has_status(result, PGRES_COMMAND_OK) && good;
		PQclear(result);
	}
	ok(good && is_stored(conn), "binary parameters to insert");

	good = true;
	for (int i = 0; i < IDS; i++)
	{
		result = select_binary(conn, ids[i]);
		good = has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 1 &&
			is_id(result, 0, 0, i) && good;
		PQclear(result);
	}
	ok(good, "binary parameters to compare with, binary results");

	result = with_text(conn, "SELECT id FROM event WHERE id >= $1 ORDER BY id", texts[1], 0);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 2 &&
	   strcmp(PQgetvalue(result, 0, 0), texts[1]) == 0 &&
	   strcmp(PQgetvalue(result, 1, 0), texts[2]) == 0, "a text parameter, text results");
	PQclear(result);
	result = with_text(conn, "SELECT id FROM event WHERE id <> $1 ORDER BY id", texts[1], 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 2 &&
	   is_id(result, 0, 0, 0) && is_id(result, 1, 0, 2), "a text parameter, binary results");
	PQclear(result);
	for (int format = 0; format < 2; format++)
	{
		result = with_text(conn, "SELECT $1::sno", NULL, format);
		ok(has_status(result, PGRES_TUPLES_OK) && PQgetisnull(result, 0, 0),
		   format ? "NULL, binary" : "NULL, text");
		PQclear(result);
	}

	refused(conn, with_text(conn, "SELECT $1::sno", "9Q7JQM682EKS4222", 0), "22P02",
			"a text that is no sno");
	for (int length = 0; length <= ID_BYTES + 1; length++)
	{
		const char	bytes[ID_BYTES + 1] = {0};
		const char *values[] = {bytes};
		const int	formats[] = {1};
		char		what[40];

		if (length == ID_BYTES)
			continue;
		snprintf(what, sizeof(what), "a binary parameter of %d bytes", length);
		refused(conn, PQexecParams(conn, "SELECT $1::sno", 1, NULL, values,
								   &length, formats, 1), "22P03", what);
	}
}

/* The bytes of a message or file, in the making */
typedef struct Buffer
{
	char		data[256];
	int			length;
} Buffer;

static void
put(Buffer *buffer, const void *data, int length)
{
	memcpy(buffer->data + buffer->length, data, length);
	buffer->length += length;
}

static void
put_int32(Buffer *buffer, uint32_t value)
{
	value = htonl(value);
	put(buffer, &value, sizeof(value));
}

static void
put_int16(Buffer *buffer, uint16_t value)
{
	value = htons(value);
	put(buffer, &value, sizeof(value));
}

static void
put_field(Buffer *buffer, const void *data, int length)
{
	put_int32(buffer, length);
	put(buffer, data, length);
}

/* An array of the ids in turn, and a NULL at its end */
static void
put_array(Buffer *buffer, Oid type)
{
	put_int32(buffer, 1);		/* dimensions */
	put_int32(buffer, 1);		/* there are NULLs */
	put_int32(buffer, type);
	put_int32(buffer, IDS + 1); /* elements */
	put_int32(buffer, 1);		/* the first one's number */
	for (int i = 0; i < IDS; i++)
		put_field(buffer, ids[i], ID_BYTES);
	put_int32(buffer, -1);
}

static void
arrays(PGconn *conn)
{
	PGresult   *result = PQexec(conn, "SELECT 'sno'::regtype::oid");
	Oid			type = strtoul(PQgetvalue(result, 0, 0), NULL, 10);
	Buffer		array = {.length = 0};
	Buffer		bad = {.length = 0};
	const char *values[] = {array.data};
	const int	formats[] = {1};

	PQclear(result);
	put_array(&array, type);
	result = PQexecParams(conn, "SELECT $1::sno[], $1::sno[]::text", 1, NULL, values,
						  &array.length, formats, 1);
	ok(has_status(result, PGRES_TUPLES_OK) &&
	   PQgetlength(result, 0, 0) == array.length &&
	   memcmp(PQgetvalue(result, 0, 0), array.data, array.length) == 0,
	   "an array with a NULL, binary in and out");
	ok(strncmp(PQgetvalue(result, 0, 1), "{2222222222222222,9q7jqm682eks4222,xxxxxxxxxxxxxxxx,NULL}",
			   PQgetlength(result, 0, 1)) == 0, "it is what was sent");
	PQclear(result);
	result = PQexecParams(conn, "SELECT id FROM event WHERE id = ANY ($1) ORDER BY id", 1, NULL,
						  values, &array.length, formats, 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == IDS &&
	   is_id(result, 2, 0, 2), "a binary array to compare with");
	PQclear(result);
	result = with_text(conn, "SELECT id FROM event WHERE id = ANY ($1)",
					   "{9q7jqm682eks4222,NULL}", 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 1 &&
	   is_id(result, 0, 0, 1), "a text array to compare with");
	PQclear(result);

	put_int32(&bad, 1);
	put_int32(&bad, 0);
	put_int32(&bad, type);
	put_int32(&bad, 1);
	put_int32(&bad, 1);
	put_field(&bad, ids[0], ID_BYTES - 1);
	values[0] = bad.data;
	refused(conn, PQexecParams(conn, "SELECT $1::sno[]", 1, NULL, values, &bad.length, formats, 1),
			"22P03", "an array of nine bytes");
}

/* Everything that COPY gives, in one buffer */
static void
copy_out(PGconn *conn, const char *query, Buffer *buffer)
{
	PGresult   *result = PQexec(conn, query);
	char	   *row;
	int			length;

	buffer->length = 0;
	while (has_status(result, PGRES_COPY_OUT) && (length = PQgetCopyData(conn, &row, 0)) > 0)
	{
		put(buffer, row, length);
		PQfreemem(row);
	}
	PQclear(result);
	while ((result = PQgetResult(conn)) != NULL)
		PQclear(result);
}

static PGresult *
copy_in(PGconn *conn, const char *query, const Buffer *buffer)
{
	PGresult   *result = PQexec(conn, query);
	PGresult   *last = NULL;

	if (has_status(result, PGRES_COPY_IN) &&
		PQputCopyData(conn, buffer->data, buffer->length) == 1)
		PQputCopyEnd(conn, NULL);
	PQclear(result);
	while ((result = PQgetResult(conn)) != NULL)
	{
		PQclear(last);
		last = result;
	}
	return last;
}

static void
copy(PGconn *conn)
{
	static const char head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
	Buffer		rows = {.length = 0};
	Buffer		out;
	PGresult   *result;

	put(&rows, head, 19);
	for (int i = 0; i < IDS; i++)
	{
		put_int16(&rows, 2);	/* columns */
		put_field(&rows, ids[i], ID_BYTES);
		put_field(&rows, texts[i], (int) strlen(texts[i]));
	}
	put_int16(&rows, -1);
	execute(conn, "TRUNCATE event");
	result = copy_in(conn, "COPY event (id, payload) FROM STDIN (FORMAT BINARY)", &rows);
	ok(has_status(result, PGRES_COMMAND_OK) && is_stored(conn), "binary COPY in");
	PQclear(result);
	copy_out(conn, "COPY (SELECT * FROM event ORDER BY id) TO STDOUT (FORMAT BINARY)", &out);
	ok(out.length == rows.length && memcmp(out.data, rows.data, out.length) == 0,
	   "binary COPY out");

	copy_out(conn, "COPY (SELECT * FROM event ORDER BY id DESC) TO STDOUT", &out);
	execute(conn, "TRUNCATE event");
	result = copy_in(conn, "COPY event FROM STDIN", &out);
	ok(has_status(result, PGRES_COMMAND_OK) && is_stored(conn) && out.length == 3 * 34,
	   "text COPY out and in");
	PQclear(result);

	rows.length = 0;
	put(&rows, head, 19);
	put_int16(&rows, 1);
	put_field(&rows, ids[0], ID_BYTES - 1);
	put_int16(&rows, -1);
	refused(conn, copy_in(conn, "COPY event (id) FROM STDIN (FORMAT BINARY)", &rows), "22P03",
			"binary COPY of nine bytes");
}

/* A statement that is prepared, and executed for each id without waiting */
static void
pipeline(PGconn *conn)
{
	const char *values[1];
	const int	lengths[] = {ID_BYTES};
	const int	formats[] = {1};
	PGresult   *result;
	bool		good;

	PQenterPipelineMode(conn);
	PQsendPrepare(conn, "by_id", "SELECT payload, id FROM event WHERE id = $1", 1, NULL);
	for (int i = 0; i < IDS; i++)
	{
		values[0] = (const char *) ids[i];
		PQsendQueryPrepared(conn, "by_id", 1, values, lengths, formats, 1);
	}
	/* Its error is that of the pipeline, which ends here */
	values[0] = "nine bytes";
	PQsendQueryPrepared(conn, "by_id", 1, values, (int[]) {9}, formats, 1);
	PQpipelineSync(conn);

	result = PQgetResult(conn);
	good = has_status(result, PGRES_COMMAND_OK);
	PQclear(result);
	good = PQgetResult(conn) == NULL && good;
	for (int i = 0; i < IDS; i++)
	{
		result = PQgetResult(conn);
		good = has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 1 &&
			is_id(result, 0, 1, i) && memcmp(PQgetvalue(result, 0, 0), texts[i], 16) == 0 && good;
		PQclear(result);
		good = PQgetResult(conn) == NULL && good;
	}
	ok(good, "a prepared statement in a pipeline");

	result = PQgetResult(conn);
	good = has_sqlstate(result, "22P03");
	PQclear(result);
	good = PQgetResult(conn) == NULL && good;
	result = PQgetResult(conn);
	good = has_status(result, PGRES_PIPELINE_SYNC) && good;
	PQclear(result);
	ok(good && PQexitPipelineMode(conn) && gives(conn, "SELECT 'alive'", "alive"),
	   "nine bytes in a pipeline");
}

static void
generated(PGconn *conn)
{
	time_t		since = time(NULL) - 3600;
	char		instant[30];
	unsigned char id[ID_BYTES];
	PGresult   *result;

	strftime(instant, sizeof(instant), "%Y-%m-%d %H:%M:%S+00", gmtime(&since));
	execute(conn, "TRUNCATE event");
	result = with_text(conn, "INSERT INTO event (payload) VALUES ($1) RETURNING id", "hello", 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQgetlength(result, 0, 0) == ID_BYTES,
	   "a generated id");
	memcpy(id, PQgetvalue(result, 0, 0), ID_BYTES);
	ok(id[5] == 3, "it has the metabyte of the default");
	PQclear(result);

	result = with_text(conn, "SELECT id FROM event WHERE id >= $1::timestamptz", instant, 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 1 &&
	   memcmp(PQgetvalue(result, 0, 0), id, ID_BYTES) == 0, "a range of time");
	PQclear(result);
	result = with_text(conn, "SELECT id FROM event WHERE id < $1::timestamptz", instant, 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 0, "a range without it");
	PQclear(result);
	refused(conn, with_text(conn, "SELECT id FROM event WHERE id >= $1", instant, 1), "22P02",
			"a time needs its type");
}

int
main(void)
{
	PGconn	   *conn = PQconnectdb("");

	if (PQstatus(conn) != CONNECTION_OK)
	{
		fputs(PQerrorMessage(conn), stderr);
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# libpq %d\n", PQlibVersion());
	scalars(conn);
	arrays(conn);
	copy(conn);
	pipeline(conn);
	generated(conn);
	PQfinish(conn);
	printf("1..%d\n", count);
	return failed;
}
