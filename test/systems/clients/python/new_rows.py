# new_rows.py
#   examples/new_rows.py reads each row once, also one whose transaction commits
#   late, which a reader of what is above the last id misses.
#
# test/systems/clients/run runs it.  Prints TAP.
import sys

import psycopg

sys.path.insert(0, "examples")
from new_rows import poll  # noqa: E402

from tap import finish, same

with psycopg.connect(autocommit=True) as reader, psycopg.connect() as slow, psycopg.connect(autocommit=True) as fast:
    reader.execute("ALTER TABLE event ADD kind text")
    reader.execute("CREATE TABLE reader (name text PRIMARY KEY, next_0 sno NOT NULL DEFAULT sno_min(), next_1 sno NOT NULL DEFAULT sno_min())")
    reader.execute("INSERT INTO reader VALUES ('mailer')")
    seen = []
    naive = []

    def see(_, kind):
        seen.append(kind)

    def insert(connection, kind):
        connection.execute("INSERT INTO event (kind) VALUES (%s)", [kind])

    def poll_until(count):
        while len(seen) < count:
            poll(reader, "mailer", see)

    def poll_naively():
        last = max([id for id, _ in naive], default="2" * 16)
        naive.extend(reader.execute("SELECT id::text, kind FROM event WHERE id > %s::sno ORDER BY id", [last]))

    insert(fast, "first")
    poll_until(1)
    insert(slow, "late")
    insert(fast, "early")
    for _ in range(100):
        poll(reader, "mailer", see)
    poll_naively()
    same(seen, ["first"], "nothing is read past a transaction that is open")
    slow.commit()
    poll_until(3)
    poll_naively()
    same(seen, ["first", "late", "early"], "then all is, in the order of the ids")
    same([kind for _, kind in naive], ["first", "early"], "who reads above the last id misses one")

    def fail(_, kind):
        raise RuntimeError(kind)

    insert(fast, "again")
    failed = None
    while not failed:
        try:
            poll(reader, "mailer", fail)
        except RuntimeError as error:
            failed = str(error)
    poll_until(4)
    same(seen[3:], [failed], "what could not be handled is read again")
    slow.execute("UPDATE reader SET next_0 = sno_max()")
    slow.commit()
    try:
        poll(reader, "mailer", see)
        refused = False
    except RuntimeError:
        refused = True
    same(refused, True, "a cursor ahead of the bound is an error")
finish()
