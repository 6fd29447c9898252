"""A sno in Python, without a library or a server: what its 16 characters hold."""
import re
from datetime import datetime, timedelta, timezone

ALPHABET = "23456789abcdefghijklmnopqrstuvwx"


def read_sno(text):
    if not re.fullmatch("[2-9a-x]{16}", text):
        raise ValueError(f"no sno: {text!r}")
    bits = 0
    for character in text:
        bits = bits * 32 + ALPHABET.index(character)
    return {
        "time": datetime(2010, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=4) * (bits >> 41),
        "tick_tock": bits >> 40 & 1,
        "meta": bits >> 32 & 255,
        "partition": bits >> 16 & 65535,
        "sequence": bits & 65535,
    }
