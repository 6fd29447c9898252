# tap.py
#   Three ids to try, and what prints a line of TAP for each test.
import datetime

TEXTS = ["2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"]
BYTES = [bytes(10), bytes.fromhex("3e0b1c50860325a10000"), b"\xff" * 10]
# Of the second one
TIME = datetime.datetime(2026, 11, 21, 9, 19, 14, 700000, datetime.timezone.utc)


def same(got, expected, what):
    assert got == expected, f"{what}: {got!r}, not {expected!r}"
    print("ok -", what, flush=True)


def refused(call, error):
    try:
        call()
        return False
    except error:
        return True


def hour_ago():
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
