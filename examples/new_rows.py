"""Reads every new row of the table event once, in order, as doc/reading-new-rows.md says.

psycopg 3: with psycopg.connect(autocommit=True) as connection: follow(connection, "mailer", print)
"""
import time

MOVE = "UPDATE reader SET since = upto, upto = sno_resolved(upto) WHERE name = %s"
ROWS = """
    SELECT event.id::text, event.kind FROM reader JOIN event ON event.id > reader.since AND event.id <= reader.upto
    WHERE reader.name = %s ORDER BY event.id"""


def poll(connection, reader, handle):
    """Passes each new row to handle.  If that fails, they are read again."""
    with connection.transaction():
        # Two statements: the second one sees all rows up to the bound
        if connection.execute(MOVE, [reader]).rowcount != 1:
            raise LookupError(f"there is no reader {reader}")
        for row in connection.execute(ROWS, [reader]):
            handle(*row)


def follow(connection, reader, handle, pause_s=1.0):
    while True:
        poll(connection, reader, handle)
        time.sleep(pause_s)
