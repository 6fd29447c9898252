// A sno in JavaScript, in a browser too: what its 16 characters hold.
// It stays a string: as a number, 80 bits would be rounded.
const ALPHABET = '23456789abcdefghijklmnopqrstuvwx';

function readSno(text) {
	if (!/^[2-9a-x]{16}$/.test(text)) {
		throw new TypeError(`no sno: ${text}`);
	}
	const bits = [...text].reduce((n, c) => n * 32n + BigInt(ALPHABET.indexOf(c)), 0n);
	return {
		time: new Date(Date.UTC(2010, 0) + Number(bits >> 41n) * 4),
		tickTock: Number(bits >> 40n & 1n),
		meta: Number(bits >> 32n & 255n),
		partition: Number(bits >> 16n & 65535n),
		sequence: Number(bits & 65535n),
	};
}
