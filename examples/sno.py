"""A sno in Python, without a library or a server."""
import base64
import re
from datetime import datetime, timedelta, timezone

OURS = b"23456789abcdefghijklmnopqrstuvwx"
BASE32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
EPOCH = datetime(2010, 1, 1, tzinfo=timezone.utc)


class Sno(str):
    """The 16 characters of an id, a string: it compares, sorts, prints and goes into
    JSON like any other, and drivers send it as one."""

    def __new__(cls, text):
        if not re.fullmatch("[2-9a-x]{16}", text):
            raise ValueError(f"no sno: {text!r}")
        return super().__new__(cls, text)

    @classmethod
    def from_bytes(cls, data):
        """The id of these ten bytes"""
        return cls(base64.b32encode(data).translate(bytes.maketrans(BASE32, OURS)).decode())

    def __bytes__(self):
        return base64.b32decode(self.encode().translate(bytes.maketrans(OURS, BASE32)))

    def bits(self, shift, width):
        return int.from_bytes(bytes(self), "big") >> shift & (1 << width) - 1

    time = property(lambda self: EPOCH + timedelta(milliseconds=4) * self.bits(41, 39))
    tick_tock = property(lambda self: self.bits(40, 1))
    meta = property(lambda self: self.bits(32, 8))
    partition = property(lambda self: self.bits(16, 16))
    sequence = property(lambda self: self.bits(0, 16))
