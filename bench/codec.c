/*
 * codec.c
 *		The rivals of bench/codec: sno's codec, a plain table-driven one and a
 *		copy of 16 bytes.
 *
 * Usage: codec ROUNDS
 *
 * All are called through pointers that the compiler does not know, for ids that have
 * nothing to do with each other.
 */
#include <string.h>

#include "codec.h"
#include "rounds.h"

/* What is read and written in a run fits the first cache */
#define IDS			1024
#define SLOT_BYTES	16

_Static_assert(SLOT_BYTES >= SNO_TEXT_CHARS && SLOT_BYTES >= SNO_ID_BYTES,
			   "a slot must hold either form");
_Static_assert(ROUNDS_OPERATIONS % IDS == 0, "a run takes each id as often");

typedef uint8_t Slot[SLOT_BYTES];

typedef struct Codec
{
	const char *name;
	void		(*encode) (const SnoId *id, char *text);
	int			(*decode) (const char *text, SnoId *id);
} Codec;

static Slot ids[IDS];
static Slot texts[IDS];
static Slot results[IDS];
static uint64_t checksum = 0;

/* The floor: it must move what a codec moves, and computes nothing */
static void
memcpy_encode(const SnoId *id, char *text)
{
	memcpy(text, (const uint8_t *) id, SLOT_BYTES);
}

static int
memcpy_decode(const char *text, SnoId *id)
{
	memcpy((uint8_t *) id, text, SLOT_BYTES);
	return SNO_TEXT_CHARS;
}

/*
 * The codec as it is commonly written: character by character, by two tables.  Of
 * the plain ways to write either loop these are the fastest ones with gcc 12.
 */
#define INVALID		0xff

static const char alphabet[] = "23456789abcdefghijklmnopqrstuvwx";
static uint8_t groups[256];

/* Before anything is decoded */
static void
table_start(void)
{
	size_t		group;

	memset(groups, INVALID, sizeof(groups));
	for (group = 0; group < sizeof(alphabet) - 1; group++)
		groups[(uint8_t) alphabet[group]] = (uint8_t) group;
}

static void
table_encode(const SnoId *id, char *text)
{
	const uint8_t *bytes = id->bytes;
	int			half;

	for (half = 0; half < 2; half++)
	{
		text[0] = alphabet[bytes[0] >> 3];
		text[1] = alphabet[(bytes[0] << 2 | bytes[1] >> 6) & 31];
		text[2] = alphabet[bytes[1] >> 1 & 31];
		text[3] = alphabet[(bytes[1] << 4 | bytes[2] >> 4) & 31];
		text[4] = alphabet[(bytes[2] << 1 | bytes[3] >> 7) & 31];
		text[5] = alphabet[bytes[3] >> 2 & 31];
		text[6] = alphabet[(bytes[3] << 3 | bytes[4] >> 5) & 31];
		text[7] = alphabet[bytes[4] & 31];
		bytes += 5;
		text += 8;
	}
}

static int
table_decode(const char *text, SnoId *id)
{
	uint8_t    *byte = id->bytes;
	unsigned int bits = 0;
	int			count = 0;
	int			position;

	for (position = 0; position < SNO_TEXT_CHARS; position++)
	{
		unsigned int group = groups[(uint8_t) text[position]];

		if (group == INVALID)
			return position;
		bits = bits << SNO_TEXT_CHAR_BITS | group;
		count += SNO_TEXT_CHAR_BITS;
		if (count >= 8)
		{
			count -= 8;
			*byte++ = (uint8_t) (bits >> count);
		}
	}
	return SNO_TEXT_CHARS;
}

static const Codec codecs[] = {
	{"sno", sno_codec_encode, sno_codec_decode},
	{"table", table_encode, table_decode},
	{"memcpy", memcpy_encode, memcpy_decode},
};

#define CODECS	(sizeof(codecs) / sizeof(codecs[0]))

/* What is timed must be right; which bad texts it refuses, the proofs ask */
static void
check(const Codec *codec)
{
	SnoId		id;
	Slot		text;
	int			index;

	for (index = 0; index < IDS; index++)
	{
		codec->encode((SnoId *) ids[index], (char *) text);
		if (memcmp(text, texts[index], SNO_TEXT_CHARS) == 0 &&
			codec->decode((char *) texts[index], &id) == SNO_TEXT_CHARS &&
			memcmp(&id, ids[index], SNO_ID_BYTES) == 0)
			continue;
		fprintf(stderr, "%s is wrong about id %d\n", codec->name, index);
		exit(EXIT_FAILURE);
	}
}

static void
run_encode(void *state)
{
	const Codec *codec = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		codec->encode((SnoId *) ids[index % IDS],
					  (char *) results[index % IDS]);
}

static void
run_decode(void *state)
{
	const Codec *codec = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		checksum += (uint64_t) codec->decode((char *) texts[index % IDS],
											 (SnoId *) results[index % IDS]);
}

static void
consume(void *state)
{
	int			index;
	int			byte;

	(void) state;
	for (index = 0; index < IDS; index++)
	{
		for (byte = 0; byte < SNO_ID_BYTES; byte++)
			checksum += results[index][byte];
	}
}

static const struct
{
	const char *name;
	const char *measure;
	void		(*run) (void *state);
}			cases[] = {
	{"encode", "ns", run_encode},
	{"decode", "ns", run_decode},
};

#define CASES	(sizeof(cases) / sizeof(cases[0]))

int
main(int argc, char **argv)
{
	Rival		rivals[CODECS];
	uint64_t	seed = (uint64_t) time(NULL);
	int			rounds;
	int			round;
	size_t		index;

	table_start();
	for (index = 0; index < IDS; index++)
	{
		unit_random_bytes(&seed, ids[index], SNO_ID_BYTES);
		table_encode((SnoId *) ids[index], (char *) texts[index]);
	}
	for (index = 0; index < CODECS; index++)
	{
		if (codecs[index].encode != memcpy_encode)
			check(&codecs[index]);
		rivals[index] = (Rival) {
			.name = codecs[index].name,
			.consume = consume,
			.state = (void *) &codecs[index],
		};
	}

	rounds = rounds_start(argc, argv);
	for (round = 1; round <= rounds; round++)
	{
		size_t		number;

		for (number = 0; number < CASES; number++)
		{
			for (index = 0; index < CODECS; index++)
				rivals[index].run = cases[number].run;
			rounds_measure_all(round, cases[number].name,
							   cases[number].measure, rivals, CODECS, &seed);
		}
	}
	fprintf(stderr, "# checksum %llu\n", (unsigned long long) checksum);
	return EXIT_SUCCESS;
}
