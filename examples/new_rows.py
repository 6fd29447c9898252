"""Reads every new row of the table event once, in order, as doc/reading-new-rows.md says.

psycopg 3: with psycopg.connect(autocommit=True) as connection: follow(connection, "mailer", print)
"""
import time

BOUND = "UPDATE reader SET upto = sno_resolved(upto) WHERE name = %s"
ROWS = """
    SELECT id::text, kind FROM event
    WHERE id > (SELECT since FROM reader WHERE name = %(reader)s) AND id <= (SELECT upto FROM reader WHERE name = %(reader)s)
    ORDER BY id LIMIT 1000"""
CURSOR = "UPDATE reader SET since = %s::sno WHERE name = %s"


def poll(connection, reader, handle):
    """Passes each new row to handle.  If that fails, they are read again."""
    with connection.transaction():
        # Two statements: the second one sees all rows up to the bound
        if connection.execute(BOUND, [reader]).rowcount != 1:
            raise LookupError(f"there is no reader {reader}")
        rows = connection.execute(ROWS, {"reader": reader}).fetchall()
        for row in rows:
            handle(*row)
        if rows:
            connection.execute(CURSOR, [rows[-1][0], reader])
    return len(rows)


def follow(connection, reader, handle, pause_s=1.0):
    while True:
        if poll(connection, reader, handle) == 0:
            time.sleep(pause_s)
