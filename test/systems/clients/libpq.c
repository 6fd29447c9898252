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
#include <stdio.h>
#include <string.h>

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

/* Are there so many rows, of which the first has this id in its first column? */
static void
gives(PGresult *result, int rows, int id, const char *what)
{
	const unsigned char *got = PQntuples(result) == rows ? sno_value(result, 0, 0) : NULL;
	bool		good = got != NULL && memcmp(got, ids[id], ID_BYTES) == 0;

	printf("%s %d - %s\n", good ? "ok" : "not ok", ++count, what);
	if (!good)
		failed = true;
	fputs(PQresultErrorMessage(result), stderr);
	PQclear(result);
}

/* With one parameter of text, and binary results */
static PGresult *
ask(PGconn *conn, const char *query, const char *value)
{
	return PQexecParams(conn, query, 1, NULL, &value, NULL, NULL, 1);
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
	gives(ask(conn, "SELECT id FROM event WHERE id::text = payload AND id >= $1 ORDER BY id", texts[1]), 2, 1,
		  "a text parameter, binary results");
	gives(ask(conn, "SELECT id FROM event WHERE id = ANY ($1)", "{9q7jqm682eks4222,NULL}"), 1, 1,
		  "an array as text to compare with");
	PQfinish(conn);
	printf("1..%d\n", count);
	return failed;
}
