# asyncpg_driver.py
#   sno with asyncpg: as it comes, and with examples/sno_asyncpg.py.
#
# test/systems/clients/run runs it.  Prints TAP.
import asyncio

import asyncpg

from sno import Sno
from sno_asyncpg import register_sno
from tap import TEXTS, finish, hour_ago, same

ARRAY = [TEXTS[2], None, TEXTS[0]]


async def error_of(awaitable):
    try:
        return await awaitable
    except Exception as error:
        return type(error).__name__


async def as_it_comes(conn):
    row = await conn.fetchrow("SELECT $1::sno AS id, $2::sno[] AS ids", TEXTS[1], ARRAY)
    same(tuple(row), (TEXTS[1], ARRAY), "str and lists of them as parameters and results")
    same(await error_of(conn.copy_records_to_table("event", records=[(TEXTS[0], None)])),
         "InternalClientError", "copy_records_to_table needs the codec")
    id = await conn.fetchval("INSERT INTO event (payload) VALUES ('hello') RETURNING id")
    rows = await conn.fetch("SELECT id FROM event WHERE id >= $1::timestamptz", hour_ago())
    same([row["id"] for row in rows], [id], "a generated id, and a range of time")
    same(await error_of(conn.fetch("SELECT id FROM event WHERE id >= $1", hour_ago())),
         "DataError", "a datetime needs its type")


async def registered(conn):
    await conn.execute("TRUNCATE event")
    await conn.copy_records_to_table("event", records=[(text, text) for text in TEXTS])
    ids = await conn.fetchval("SELECT array_agg(id ORDER BY id) FROM event WHERE id::text = payload")
    same((ids, type(ids[0])), (TEXTS, Sno), "COPY, and an array of the class")
    row = await conn.fetchrow("SELECT $1::sno AS id, $2::sno[] AS ids", Sno(TEXTS[1]), ARRAY)
    same((tuple(row), type(row["id"])), ((TEXTS[1], ARRAY), Sno), "the class, and an array with a NULL")


async def main():
    async with asyncpg.create_pool() as pool, pool.acquire() as conn:
        await as_it_comes(conn)
    async with asyncpg.create_pool(init=register_sno) as pool, pool.acquire() as conn:
        await registered(conn)

print(f"# asyncpg {asyncpg.__version__}")
asyncio.run(main())
finish()
