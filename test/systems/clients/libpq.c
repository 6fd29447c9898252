/*
 * libpq.c
 *		sno with libpq: text, and the ten bytes.
 *
 * test/systems/clients/run compiles and runs it.  Prints TAP.
 *
 * libpq hands on what it is given: what the server makes of it, also of COPY and of
 * prepared statements in binary, is seen with the drivers that have code for that.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>

/* NOLINTNEXTLINE(bugprone-suspicious-include): what the page shows */
#include "../../../examples/sno_libpq.c"

#define IDS			3

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

/* One parameter, as bytes or, if it has no length, as text; binary results */
static PGresult *
ask(PGconn *conn, const char *query, const char *value, int length)
{
	const int	formats[] = {length > 0};

	return PQexecParams(conn, query, 1, NULL, &value, &length, formats, 1);
}

/* Does the field hold the ten bytes of this id? */
static bool
is_id(const PGresult *result, int row, int column, int id)
{
	const unsigned char *got = sno_value(result, row, column);

	return got != NULL && memcmp(got, ids[id], ID_BYTES) == 0;
}

/* Are there so many rows, of which the first has this id in its first column? */
static void
gives(PGresult *result, int rows, int id, const char *what)
{
	ok(PQntuples(result) == rows && is_id(result, 0, 0, id), what);
	fputs(PQresultErrorMessage(result), stderr);
	PQclear(result);
}

static void
refused(PGresult *result, const char *sqlstate, const char *what)
{
	const char *got = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	ok(got && strcmp(got, sqlstate) == 0, what);
	PQclear(result);
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
	result = ask(conn, "SELECT $1::sno[]", array, length);
	ok(PQgetlength(result, 0, 0) == length && memcmp(PQgetvalue(result, 0, 0), array, length) == 0,
	   "an array with a NULL, binary in and out");
	PQclear(result);
	gives(ask(conn, "SELECT id FROM event WHERE id = ANY ($1) ORDER BY id DESC", array, length),
		  IDS, 2, "a binary array to compare with");
	gives(ask(conn, "SELECT id FROM event WHERE id = ANY ($1)", "{9q7jqm682eks4222,NULL}", 0),
		  1, 1, "a text array to compare with");
}

int
main(void)
{
	PGconn	   *conn = PQconnectdb("");

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# libpq %d\n", PQlibVersion());
	for (int i = 0; i < IDS; i++)
		PQclear(sno_insert(conn, ids[i], texts[i]));
	for (int i = 0; i < IDS; i++)
		gives(sno_select(conn, ids[i]), 1, i, "binary parameters to insert and to compare with, binary results");
	gives(ask(conn, "SELECT id FROM event WHERE id::text = payload AND id >= $1 ORDER BY id", texts[1], 0), 2, 1,
		  "a text parameter, binary results");
	refused(ask(conn, "SELECT $1::sno", "9Q7JQM682EKS4222", 0), "22P02", "a text that is no sno");
	refused(ask(conn, "SELECT $1::sno", texts[0], ID_BYTES - 1), "22P03", "a binary parameter of nine bytes");
	arrays(conn);
	PQfinish(conn);
	printf("1..%d\n", count);
	return failed;
}
