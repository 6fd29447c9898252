# plain.py
#   examples/sno.py: the class reads and writes the golden vectors, refuses what is no
#   sno, and is the string that other programs expect.
#
# test/systems/clients/run runs it.
import json
import pickle
import random
from datetime import datetime

from sno import Sno
from tap import refused, same

with open("test/unit/vectors.tsv", encoding="ascii") as vectors:
    rows = [line.rstrip("\n").split("\t") for line in vectors]
same(len(rows), 87, "there are vectors")
snos = [Sno(row[0]) for row in rows]
same(
    [[id.time, id.tick_tock, id.meta, id.partition, id.sequence] for id in snos],
    [[datetime.fromisoformat(row[2] + "+00:00"), *map(int, row[4:])] for row in rows],
    "time and fields of the vectors")
same([bytes(id).hex() for id in snos], [row[1] for row in rows], "their bytes")
same([Sno.from_bytes(bytes(id)) for id in snos], snos, "and back")
for wrong in ["9q7jqm682eks422", "9q7jqm682eks422y", "9q7jqm682eks4222\n", "9Q7JQM682EKS4222"]:
    same(refused(lambda text=wrong: Sno(text), ValueError), True, f"{wrong!r} is refused")
same(refused(lambda: Sno.from_bytes(bytes(9)), ValueError), True, "so are nine bytes")

shuffled = random.sample(snos, len(snos))
same(sorted(shuffled), sorted(snos, key=bytes), "the class sorts like its bytes")
same(json.dumps(snos[:1]), f'["{rows[0][0]}"]', "it goes into JSON as its text")
same(f"{snos[0]}", rows[0][0], "it prints as its text")
same(pickle.loads(pickle.dumps(snos)), snos, "it can be pickled")
