# asyncpg_driver.py
#   sno with asyncpg: as it comes, and with examples/sno_asyncpg.py.
#
# test/systems/clients/run runs it.
import asyncio

import asyncpg

from sno import Sno
from sno_asyncpg import register_sno
from tap import TEXTS, hour_ago, same

ARRAY = [TEXTS[2], None, TEXTS[0]]


async def error_of(awaitable):
    try:
        return await awaitable
    except Exception as error:
        return type(error).__name__


def copied(conn):
    return conn.copy_records_to_table("event", columns=["id", "payload"], records=[(text, text) for text in TEXTS])


async def tried():
    async with asyncpg.create_pool() as pool, pool.acquire() as conn:
        row = await conn.fetchrow("SELECT $1::sno AS id, $2::sno[] AS ids", TEXTS[1], ARRAY)
        same(tuple(row), (TEXTS[1], ARRAY), "str and lists of them as parameters and results")
        same(await error_of(copied(conn)), "InternalClientError", "copy_records_to_table needs the codec")
        same(await error_of(conn.fetch("SELECT FROM event WHERE id >= $1", hour_ago())),
             "DataError", "a datetime needs its type")
    async with asyncpg.create_pool(init=register_sno) as pool, pool.acquire() as conn:
        await copied(conn)
        ids = await conn.fetchval("SELECT array_agg(id ORDER BY id) FROM event WHERE id::text = payload")
        same((ids, type(ids[0])), (TEXTS, Sno), "COPY, and an array of the class")
        row = await conn.fetchrow("SELECT $1::sno AS id, $2::sno[] AS ids", Sno(TEXTS[1]), ARRAY)
        same((tuple(row), type(row["id"])), ((TEXTS[1], ARRAY), Sno), "the class, and an array with a NULL")

print(f"# asyncpg {asyncpg.__version__}")
asyncio.run(tried())
