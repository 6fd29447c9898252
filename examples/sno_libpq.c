/*
 * sno with libpq: as text, pass the 16 characters; in binary, the ten bytes.
 */
#include <stddef.h>

#include <libpq-fe.h>

#define ID_BYTES	10

/* A parameter of ten bytes, and one of text */
static PGresult *
sno_insert(PGconn *conn, const unsigned char id[ID_BYTES], const char *payload)
{
	const char *values[] = {(const char *) id, payload};
	const int	lengths[] = {ID_BYTES, 0};
	const int	formats[] = {1, 0};

	return PQexecParams(conn, "INSERT INTO event (id, payload) VALUES ($1, $2)",
						2, NULL, values, lengths, formats, 0);
}

/* The last argument asks for binary results */
static PGresult *
sno_select(PGconn *conn, const unsigned char id[ID_BYTES])
{
	const char *values[] = {(const char *) id};
	const int	lengths[] = {ID_BYTES};
	const int	formats[] = {1};

	return PQexecParams(conn, "SELECT id FROM event WHERE id = $1",
						1, NULL, values, lengths, formats, 1);
}

/* The ten bytes of a binary result, or NULL if there is none */
static const unsigned char *
sno_value(const PGresult *result, int row, int column)
{
	if (PQgetlength(result, row, column) != ID_BYTES)
		return NULL;
	return (const unsigned char *) PQgetvalue(result, row, column);
}
