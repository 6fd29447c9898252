# psycopg3.py
#   sno with psycopg 3: as it comes, with examples/sno_psycopg.py, and the reader of
#   examples/new_rows.py.
#
# test/systems/clients/run runs it.
import asyncio

import psycopg
from psycopg.types import TypeInfo

from new_rows import poll
from sno import Sno
from sno_psycopg import copy_in, register_sno
from tap import BYTES, TEXTS, hour_ago, refused, same


def as_it_comes(conn):
    rows = conn.execute("SELECT id FROM unnest(%s::sno[]) AS id WHERE id <> %s", [TEXTS, TEXTS[0]]).fetchall()
    same(rows, [(TEXTS[1],), (TEXTS[2],)], "str as parameter and as result, a list of str as an array")
    array = conn.execute("SELECT %s::sno[]", [TEXTS]).fetchone()
    same(array, ("{%s}" % ",".join(TEXTS),), "an array comes as one string")

    conn.execute("INSERT INTO event (id) VALUES (%s)", [BYTES[1]])
    with conn.cursor(binary=True) as cur:
        row = cur.execute("SELECT id FROM event WHERE id = %s::sno", [BYTES[1]]).fetchone()
    same(row, (BYTES[1],), "bytes as parameter, in a comparison with a cast, and as a binary result")
    same(refused(lambda: conn.execute("SELECT FROM event WHERE id = %s", [BYTES[1]]),
                 psycopg.errors.UndefinedFunction), True, "bytes in a comparison need it")

    conn.execute("TRUNCATE event")
    row = conn.execute("INSERT INTO event (payload) VALUES (%s) RETURNING id", ["hello"]).fetchone()
    rows = conn.execute("SELECT id FROM event WHERE id >= %s", [hour_ago()]).fetchall()
    same(rows, [row], "a generated id, and a datetime without a cast")


def registered(conn):
    snos = [Sno(text) for text in TEXTS]
    array = [snos[2], None, snos[0]]
    rows = [(sno, str(sno)) for sno in snos]

    conn.execute("TRUNCATE event")
    copy_in(conn, rows)
    with conn.cursor() as cur:
        with cur.copy("COPY (SELECT id, payload FROM event ORDER BY id) TO STDOUT (FORMAT BINARY)") as copy:
            copy.set_types(["sno", "text"])
            got = list(copy.rows())
    same(got, rows, "binary COPY in and out")
    for send in ["%t", "%b", "%s"]:
        for binary in [False, True]:
            row = conn.cursor(binary=binary).execute(
                f"SELECT {send}, {send}, id::text FROM event WHERE id = {send}", [snos[1], array, snos[1]]).fetchone()
            same((row, type(row[0]), type(row[1][0])), ((snos[1], array, TEXTS[1]), Sno, Sno),
                 f"the class, and an array with a NULL, {send}, {'binary' if binary else 'text'}")


async def asynchronous():
    async with await psycopg.AsyncConnection.connect() as conn:
        register_sno(conn, await TypeInfo.fetch(conn, "sno"))
        row = await (await conn.execute("SELECT %s", [[Sno(TEXTS[1])]])).fetchone()
        same((type(row[0][0]), row), (Sno, ([TEXTS[1]],)), "an array, asynchronously")


# Each row is read once, also one whose transaction commits late, and what could not be
# handled is read again
def new_rows(reader):
    seen = []

    def see(_, kind):
        seen.append(kind)
        if len(seen) == 1:
            raise RuntimeError(kind)

    reader.execute("TRUNCATE event")
    with psycopg.connect() as slow:
        slow.execute("INSERT INTO event (kind) VALUES ('late')")
        reader.execute("INSERT INTO event (kind) VALUES ('early')")
        poll(reader, "mailer", see)
        same(seen, [], "nothing is read past a transaction that is open")
    errors = 0
    while len(seen) < 3:
        errors += refused(lambda: poll(reader, "mailer", see), RuntimeError)
    same(errors, 1, "what could not be handled is an error")
    same(seen, ["late", "late", "early"], "then all is, in the order of the ids; again, what could not be handled")
    same(refused(lambda: poll(reader, "nobody", see), LookupError), True, "a reader that there is not is an error")


print(f"# psycopg {psycopg.__version__}, {psycopg.pq.__impl__}")
with psycopg.connect(autocommit=True) as conn:
    as_it_comes(conn)
    new_rows(conn)
    register_sno(conn, TypeInfo.fetch(conn, "sno"))
    registered(conn)
asyncio.run(asynchronous())
