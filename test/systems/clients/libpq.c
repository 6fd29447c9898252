/*
 * libpq.c
 *		sno with libpq: text, and the ten bytes.
 *
 * test/systems/clients/run compiles and runs it.  Prints TAP.
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

/* A binary parameter, and binary results */
static PGresult *
binary(PGconn *conn, const char *query, const void *value, int length)
{
	const char *values[] = {value};
	const int	formats[] = {1};

	return PQexecParams(conn, query, 1, NULL, values, &length, formats, 1);
}

/* Are there so many rows, of which the first has this id in its first column? */
static void
gives_ids(PGresult *result, int rows, int id, const char *what)
{
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == rows && is_id(result, 0, 0, id),
	   what);
	PQclear(result);
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
	for (int i = 0; i < IDS; i++)
		gives_ids(select_binary(conn, ids[i]), 1, i, "a binary parameter to compare with, binary results");
	gives_ids(with_text(conn, "SELECT id FROM event WHERE id >= $1 ORDER BY id", texts[1], 1), 2, 1,
			  "a text parameter, binary results");
	result = with_text(conn, "SELECT id FROM event WHERE id > $1", texts[1], 0);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 1 &&
	   strcmp(PQgetvalue(result, 0, 0), texts[2]) == 0, "a text parameter, text results");
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
	refused(conn, binary(conn, "SELECT $1::sno", ids[0], ID_BYTES - 1), "22P03",
			"a binary parameter of nine bytes");
}

/* An array of the ids in turn, and a NULL at its end: how long it is */
static int
write_array(char *array, Oid type)
{
	uint32_t	head[] = {
		htonl(1),				/* dimensions */
		htonl(1),				/* there are NULLs */
		htonl(type),
		htonl(IDS + 1),			/* elements */
		htonl(1),				/* the first one's number */
	};
	uint32_t	length = htonl(ID_BYTES);
	uint32_t	null = htonl(-1);
	char	   *end = array;

	memcpy(end, head, sizeof(head));
	end += sizeof(head);
	for (int i = 0; i < IDS; i++)
	{
		memcpy(end, &length, sizeof(length));
		memcpy(end + sizeof(length), ids[i], ID_BYTES);
		end += sizeof(length) + ID_BYTES;
	}
	memcpy(end, &null, sizeof(null));
	return (int) (end + sizeof(null) - array);
}

static void
arrays(PGconn *conn)
{
	PGresult   *result = PQexec(conn, "SELECT 'sno'::regtype::oid");
	char		array[100];
	int			length = write_array(array, strtoul(PQgetvalue(result, 0, 0), NULL, 10));

	PQclear(result);
	result = binary(conn, "SELECT $1::sno[]", array, length);
	ok(has_status(result, PGRES_TUPLES_OK) && PQgetlength(result, 0, 0) == length &&
	   memcmp(PQgetvalue(result, 0, 0), array, length) == 0,
	   "an array with a NULL, binary in and out");
	PQclear(result);
	gives_ids(binary(conn, "SELECT id FROM event WHERE id = ANY ($1) ORDER BY id DESC", array, length),
			  IDS, 2, "a binary array to compare with");
	gives_ids(with_text(conn, "SELECT id FROM event WHERE id = ANY ($1)", "{9q7jqm682eks4222,NULL}", 1),
			  1, 1, "a text array to compare with");
}

/* Out of the table, and in again, when it is empty */
static void
copy(PGconn *conn, const char *format)
{
	char		query[100];
	char		data[200];
	int			length = 0;
	PGresult   *result;
	char	   *row;
	int			row_length;

	snprintf(query, sizeof(query), "COPY event TO STDOUT (FORMAT %s)", format);
	PQclear(PQexec(conn, query));
	while ((row_length = PQgetCopyData(conn, &row, 0)) > 0)
	{
		memcpy(data + length, row, row_length);
		length += row_length;
		PQfreemem(row);
	}
	PQclear(PQgetResult(conn));
	execute(conn, "TRUNCATE event");
	snprintf(query, sizeof(query), "COPY event FROM STDIN (FORMAT %s)", format);
	PQclear(PQexec(conn, query));
	PQputCopyData(conn, data, length);
	PQputCopyEnd(conn, NULL);
	result = PQgetResult(conn);
	snprintf(query, sizeof(query), "COPY out and in, %s", format);
	ok(has_status(result, PGRES_COMMAND_OK) && is_stored(conn), query);
	PQclear(result);
}

/* A statement that is prepared, and executed for each id without waiting */
static void
pipeline(PGconn *conn)
{
	const int	formats[] = {1};
	PGresult   *result;

	PQenterPipelineMode(conn);
	PQsendPrepare(conn, "by_id", "SELECT id FROM event WHERE id = $1", 1, NULL);
	for (int i = 0; i <= IDS; i++)
	{
		/* Its error is that of the pipeline, which ends here */
		const char *values[] = {i < IDS ? (const char *) ids[i] : "nine bytes"};
		int			length = i < IDS ? ID_BYTES : 9;

		PQsendQueryPrepared(conn, "by_id", 1, values, &length, formats, 1);
	}
	PQpipelineSync(conn);

	/* After each result comes a NULL */
	PQclear(PQgetResult(conn));
	PQgetResult(conn);
	for (int i = 0; i < IDS; i++)
	{
		gives_ids(PQgetResult(conn), 1, i, "a prepared statement in a pipeline");
		PQgetResult(conn);
	}
	result = PQgetResult(conn);
	ok(has_sqlstate(result, "22P03"), "nine bytes in a pipeline");
	PQclear(result);
	PQgetResult(conn);
	PQclear(PQgetResult(conn));
	ok(PQexitPipelineMode(conn) && gives(conn, "SELECT 'alive'", "alive"), "the pipeline has ended");
}

static void
generated(PGconn *conn)
{
	time_t		since = time(NULL) - 3600;
	char		instant[30];
	PGresult   *result;

	strftime(instant, sizeof(instant), "%Y-%m-%d %H:%M:%S+00", gmtime(&since));
	execute(conn, "TRUNCATE event");
	result = with_text(conn, "INSERT INTO event (payload) VALUES ($1) RETURNING id", "hello", 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQgetlength(result, 0, 0) == ID_BYTES &&
	   PQgetvalue(result, 0, 0)[5] == 3, "a generated id, with the metabyte of the default");
	PQclear(result);
	result = with_text(conn, "SELECT id FROM event WHERE id >= $1::timestamptz", instant, 1);
	ok(has_status(result, PGRES_TUPLES_OK) && PQntuples(result) == 1, "a range of time");
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
	copy(conn, "binary");
	copy(conn, "text");
	pipeline(conn);
	generated(conn);
	PQfinish(conn);
	printf("1..%d\n", count);
	return failed;
}
