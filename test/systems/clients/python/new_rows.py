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

    def fail(_, kind):
        raise RuntimeError(kind)

    slow.execute("INSERT INTO event (kind) VALUES ('late')")
    fast.execute("INSERT INTO event (kind) VALUES ('early')")
    poll(reader, "mailer", see)
    same(seen, [], "nothing is read past a transaction that is open")
    slow.commit()
    while not refused(lambda: poll(reader, "mailer", fail), RuntimeError):
        pass
    while len(seen) < 2:
        poll(reader, "mailer", see)
    same(seen, ["late", "early"], "then all is, in the order of the ids, and what could not be handled is read again")
    same(refused(lambda: poll(reader, "nobody", see), LookupError), True, "a reader that there is not is an error")
finish()
