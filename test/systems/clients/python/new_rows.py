# new_rows.py
#   examples/new_rows.py reads each row once, also one whose transaction commits
#   late.
#
# test/systems/clients/run runs it.  Prints TAP.
import sys

import psycopg

# The example has this program's name
sys.path.insert(0, "examples")
from new_rows import poll  # noqa: E402

from tap import finish, refused, same

with psycopg.connect(autocommit=True) as reader, psycopg.connect() as slow, psycopg.connect(autocommit=True) as fast:
    reader.execute("ALTER TABLE event ADD kind text")
    reader.execute("CREATE TABLE reader (name text PRIMARY KEY, since sno NOT NULL DEFAULT sno_min(), upto sno NOT NULL DEFAULT sno_min())")
    reader.execute("INSERT INTO reader VALUES ('mailer')")
    seen = []

    def see(_, kind):
        seen.append(kind)

    def insert(connection, kind):
        connection.execute("INSERT INTO event (kind) VALUES (%s)", [kind])

    def poll_until(count):
        while len(seen) < count:
            poll(reader, "mailer", see)

    def fail(_, kind):
        raise RuntimeError(kind)

    insert(fast, "first")
    poll_until(1)
    insert(slow, "late")
    insert(fast, "early")
    poll(reader, "mailer", see)
    same(seen, ["first"], "nothing is read past a transaction that is open")
    slow.commit()
    failed = None
    while not failed:
        try:
            poll(reader, "mailer", fail)
        except RuntimeError as error:
            failed = str(error)
    poll_until(3)
    same([failed, *seen], ["late", "first", "late", "early"],
         "then all is, in the order of the ids, and what could not be handled is read again")
    slow.execute("UPDATE reader SET upto = sno_max()")
    slow.commit()
    same(refused(lambda: poll(reader, "mailer", see), psycopg.errors.ObjectNotInPrerequisiteState), True,
         "a cursor ahead of the bound is an error")
    same(refused(lambda: poll(reader, "nobody", see), LookupError), True, "so is a reader that there is not")
finish()
