"""Reads every new row of the table event once, as doc/reading-new-rows.md says.

psycopg 3: with psycopg.connect(autocommit=True) as connection: follow(connection, "mailer", print)
"""
import time

NEXT = "SELECT next_0::text, next_1::text FROM reader WHERE name = %s FOR UPDATE"
BOUNDS = "SELECT resolved_0::text, resolved_1::text FROM sno_resolved_both()"
ROWS = """
    SELECT id::text, kind FROM event WHERE id >= %s::sno AND id < %s::sno AND NOT sno_tick_tock(id)
    UNION ALL
    SELECT id::text, kind FROM event WHERE id >= %s::sno AND id < %s::sno AND sno_tick_tock(id)
    ORDER BY id"""
DONE = "UPDATE reader SET next_0 = %s::sno, next_1 = %s::sno WHERE name = %s"


def poll(connection, reader, handle):
    """Passes each new row to handle.  If that fails, they are read again."""
    with connection.transaction():
        next_0, next_1 = connection.execute(NEXT, [reader]).fetchone()
        # Separately, before the statement that reads
        bound_0, bound_1 = connection.execute(BOUNDS).fetchone()
        if next_0 > bound_0 or next_1 > bound_1:
            raise RuntimeError("the server has lost ids that this reader has read")
        for row in connection.execute(ROWS, [next_0, bound_0, next_1, bound_1]):
            handle(*row)
        connection.execute(DONE, [bound_0, bound_1, reader])


def follow(connection, reader, handle, pause_s=1.0):
    while True:
        poll(connection, reader, handle)
        time.sleep(pause_s)
