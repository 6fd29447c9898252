# tap.py
#   Three ids to try, and what prints TAP.
import datetime
import sys

TEXTS = ["2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"]
BYTES = [bytes(10), bytes.fromhex("3e0b1c50860325a10000"), b"\xff" * 10]
# Of the second one
TIME = datetime.datetime(2026, 11, 21, 9, 19, 14, 700000, datetime.timezone.utc)

count = 0
failed = 0


def ok(good, what):
    global count, failed
    count += 1
    failed += not good
    print("ok" if good else "not ok", count, "-", what, flush=True)


def same(got, expected, what):
    ok(got == expected, what)
    if got != expected:
        print(f"# got      {got!r}\n# expected {expected!r}")


def finish():
    print(f"1..{count}")
    sys.exit(failed > 0)
