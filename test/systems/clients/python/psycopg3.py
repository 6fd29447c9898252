# psycopg3.py
#   sno with psycopg 3: as it comes, and with examples/sno_psycopg.py.
#
# test/systems/clients/run runs it.  Prints TAP.
import asyncio

import psycopg
from psycopg.types import TypeInfo

from sno import Sno
from sno_psycopg import copy_in, register_sno
from tap import BYTES, TEXTS, finish, hour_ago, refused, same


def as_it_comes(conn):
    for text in TEXTS:
        conn.execute("INSERT INTO event (id, payload) VALUES (%s, %s)", [text, text])
    rows = conn.execute("SELECT id, id::bytea AS bytes FROM event ORDER BY id").fetchall()
    same(rows, list(zip(TEXTS, BYTES)), "str as parameter and as result")
    rows = conn.execute("SELECT payload FROM event WHERE id = ANY (%s) ORDER BY id", [TEXTS[:2]])
    same(rows.fetchall(), [(TEXTS[0],), (TEXTS[1],)], "a list of str as an array")
    array = conn.execute("SELECT array_agg(id ORDER BY id) FROM event").fetchone()
    same(array, ("{%s}" % ",".join(TEXTS),), "an array comes as one string")

    conn.execute("TRUNCATE event")
    for data in BYTES:
        conn.execute("INSERT INTO event (id) VALUES (%s)", [data])
    with conn.cursor(binary=True) as cur:
        rows = cur.execute("SELECT id FROM event ORDER BY id").fetchall()
    same([row[0] for row in rows], BYTES, "bytes as parameter, and as a binary result")
    row = conn.execute("SELECT id FROM event WHERE id = %s::sno", [BYTES[1]]).fetchone()
    same(row, (TEXTS[1],), "bytes in a comparison, with a cast")
    same(refused(lambda: conn.execute("SELECT FROM event WHERE id = %s", [BYTES[1]]),
                 psycopg.errors.UndefinedFunction), True, "bytes in a comparison need it")


def default_and_time(conn):
    conn.execute("TRUNCATE event")
    row = conn.execute("INSERT INTO event (payload) VALUES (%s) RETURNING id", ["hello"]).fetchone()
    rows = conn.execute("SELECT id FROM event WHERE id >= %s", [hour_ago()]).fetchall()
    same(rows, [row], "a generated id, and a datetime without a cast")


def registered(conn):
    snos = [Sno(text) for text in TEXTS]
    array = [snos[2], None, snos[0]]

    for send in ["%t", "%b", "%s"]:
        for binary in [False, True]:
            row = conn.cursor(binary=binary).execute(
                f"SELECT {send}, {send}, id::text FROM event WHERE id = {send}", [snos[1], array, snos[1]]).fetchone()
            same((row, type(row[0]), type(row[1][0])), ((snos[1], array, TEXTS[1]), Sno, Sno),
                 f"the class, and an array with a NULL, {send}, {'binary' if binary else 'text'}")


def copy(conn):
    rows = [(Sno(text), text) for text in TEXTS]

    conn.execute("TRUNCATE event")
    copy_in(conn, rows)
    got = conn.execute("SELECT id::bytea, payload FROM event ORDER BY id").fetchall()
    same(got, list(zip(BYTES, TEXTS)), "binary COPY in")
    with conn.cursor() as cur:
        with cur.copy("COPY (SELECT * FROM event ORDER BY id) TO STDOUT (FORMAT BINARY)") as copy:
            copy.set_types(["sno", "text"])
            got = list(copy.rows())
    same(got, rows, "binary COPY out")


async def asynchronous():
    async with await psycopg.AsyncConnection.connect() as conn:
        register_sno(conn, await TypeInfo.fetch(conn, "sno"))
        row = await (await conn.execute("SELECT %s", [[Sno(TEXTS[1])]])).fetchone()
        same((type(row[0][0]), row), (Sno, ([TEXTS[1]],)), "an array, asynchronously")


print(f"# psycopg {psycopg.__version__}, {psycopg.pq.__impl__}")
with psycopg.connect(autocommit=True) as conn:
    as_it_comes(conn)
    default_and_time(conn)
    register_sno(conn, TypeInfo.fetch(conn, "sno"))
    copy(conn)
    registered(conn)
asyncio.run(asynchronous())
finish()
