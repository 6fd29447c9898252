/*
 * libpq.c
 *		sno with libpq: text, and the ten bytes.
 *
 * test/systems/clients/run compiles and runs it.
 *
 * libpq hands on what it is given: what the server makes of it, also of COPY and of
 * prepared statements in binary, is seen with the drivers that have code for that.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* NOLINTNEXTLINE(bugprone-suspicious-include): what the page shows */
#include "../../../examples/sno_libpq.c"

static const char text[] = "9q7jqm682eks4222";
static const unsigned char id[ID_BYTES] = {0x3e, 0x0b, 0x1c, 0x50, 0x86, 0x03, 0x25, 0xa1, 0x00, 0x00};

/* Is there one row, with that id in its first column? */
static void
gives(PGresult *result, const char *what)
{
	const unsigned char *got = PQntuples(result) == 1 ? sno_value(result, 0, 0) : NULL;
	bool		good = got != NULL && memcmp(got, id, ID_BYTES) == 0;

	printf("%s - %s\n", good ? "ok" : "not ok", what);
	fputs(PQresultErrorMessage(result), stderr);
	PQclear(result);
}

int
main(void)
{
	const char *parameter = text;
	PGconn	   *conn = PQconnectdb("");

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# libpq %d\n", PQlibVersion());
	PQclear(sno_insert(conn, id, text));
	gives(sno_select(conn, id), "binary parameters to insert and to compare with, a binary result");
	gives(PQexecParams(conn, "SELECT id FROM event WHERE id = $1 AND id::text = payload", 1, NULL, &parameter, NULL, NULL, 1),
		  "a text parameter, a binary result");
	PQfinish(conn);
	return 0;
}
