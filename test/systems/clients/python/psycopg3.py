# psycopg3.py
#   sno with psycopg 3: as it comes, and with examples/sno_psycopg.py.
#
# test/systems/clients/run runs it.  Prints TAP.
import asyncio
import datetime

import psycopg
from psycopg.types import TypeInfo

from sno import Sno
from sno_psycopg import copy_in, register_sno
from tap import BYTES, TEXTS, TIME, finish, hour_ago, refused, same


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
    conn.execute("SET TimeZone = 'Asia/Kolkata'")
    naive = TIME.replace(tzinfo=None) + datetime.timedelta(hours=5.5)
    tick = datetime.timedelta(milliseconds=4)
    row = conn.execute("SELECT id >= %s AND id < %s FROM (SELECT %s::sno AS id) AS of",
                       [naive, naive + tick, TEXTS[1]]).fetchone()
    same(row, (True,), "a datetime without a time zone is in that of the session")


def registered(conn):
    snos = [Sno(text) for text in TEXTS]

    for send in ["%t", "%b", "%s"]:
        conn.execute("TRUNCATE event")
        with conn.cursor() as cur:
            cur.executemany(
                f"INSERT INTO event (id, payload) VALUES ({send}, {send}::sno)",
                [(sno, sno) for sno in snos],
            )
        rows = conn.execute("SELECT id::bytea, payload FROM event ORDER BY event.id").fetchall()
        same(rows, list(zip(BYTES, TEXTS)), f"executemany, {send}")
        for binary in [False, True]:
            form = "binary" if binary else "text"
            cur = conn.cursor(binary=binary)
            row = cur.execute(
                f"SELECT id FROM event WHERE id = {send}", [snos[2]], prepare=True
            ).fetchone()
            same((type(row[0]), row), (Sno, (snos[2],)), f"a prepared comparison, {send}, {form}")
            array = [snos[2], None, snos[0], snos[1]]
            row = cur.execute(f"SELECT {send}", [array]).fetchone()
            same((type(row[0][0]), row), (Sno, (array,)), f"an array with a NULL, {send}, {form}")


def copy(conn):
    rows = [(Sno(text), text) for text in TEXTS]

    conn.execute("TRUNCATE event")
    copy_in(conn, rows)
    same(
        conn.execute("SELECT id::bytea, payload FROM event ORDER BY id").fetchall(),
        list(zip(BYTES, TEXTS)), "binary COPY in",
    )
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
    registered(conn)
    copy(conn)
asyncio.run(asynchronous())
finish()
