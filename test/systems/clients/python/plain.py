# plain.py
#   examples/sno.py reads the golden vectors, and refuses what is no sno.
#
# test/systems/clients/run runs it.  Prints TAP.
import sys
from datetime import datetime, timezone

sys.path.insert(0, "examples")
from sno import read_sno  # noqa: E402

from tap import finish, same

with open("test/unit/vectors.tsv", encoding="ascii") as vectors:
    rows = [line.rstrip("\n").split("\t") for line in vectors]
same(len(rows), 87, "there are vectors")
same(
    [list(read_sno(row[0]).values()) for row in rows],
    [[datetime.fromisoformat(row[2] + "+00:00").astimezone(timezone.utc), *map(int, row[4:])]
     for row in rows],
    "time and fields of the vectors")
for wrong in ["9q7jqm682eks422", "9q7jqm682eks422y", "9q7jqm682eks4222\n", "9Q7JQM682EKS4222"]:
    try:
        read_sno(wrong)
        refused = False
    except ValueError:
        refused = True
    same(refused, True, f"{wrong!r} is refused")
finish()
