/*
 * codec.c
 *		The rivals of bench/codec: every codec this machine can run, a plain
 *		table-driven one and a copy of 16 bytes.
 *
 * Usage: codec ROUNDS
 *
 * Codecs are called as the extension calls them, through the pointers of a
 * structure the compiler does not know, for ids that have nothing to do with each other.
 */
#include <string.h>

#include "codec.h"
#include "rounds.h"

/* What is read and written in a run fits the first cache */
#define IDS			1024
#define SLOT_BYTES	16
#define CODECS_MAX	16

_Static_assert(SLOT_BYTES >= SNO_TEXT_CHARS && SLOT_BYTES >= SNO_ID_BYTES,
			   "a slot must hold either form");
_Static_assert(ROUNDS_OPERATIONS % IDS == 0, "a run takes each id as often");

typedef uint8_t Slot[SLOT_BYTES];

static Slot ids[IDS];
static Slot texts[IDS];
static Slot results[IDS];
static uint64_t checksum = 0;

/* The floor: it must move what a codec moves, and computes nothing */
static void
memcpy_encode(const uint8_t *id, char *text)
{
	memcpy(text, id, SLOT_BYTES);
}

static int
memcpy_decode(const char *text, uint8_t *id)
{
	memcpy(id, text, SLOT_BYTES);
	return SNO_TEXT_CHARS;
}

static const SnoCodec memcpy_codec = {
	.name = "memcpy",
	.encode = memcpy_encode,
	.decode = memcpy_decode,
};

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
table_encode(const uint8_t *id, char *text)
{
	int			half;

	for (half = 0; half < 2; half++)
	{
		text[0] = alphabet[id[0] >> 3];
		text[1] = alphabet[(id[0] << 2 | id[1] >> 6) & 31];
		text[2] = alphabet[id[1] >> 1 & 31];
		text[3] = alphabet[(id[1] << 4 | id[2] >> 4) & 31];
		text[4] = alphabet[(id[2] << 1 | id[3] >> 7) & 31];
		text[5] = alphabet[id[3] >> 2 & 31];
		text[6] = alphabet[(id[3] << 3 | id[4] >> 5) & 31];
		text[7] = alphabet[id[4] & 31];
		id += 5;
		text += 8;
	}
}

static int
table_decode(const char *text, uint8_t *id)
{
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
			*id++ = (uint8_t) (bits >> count);
		}
	}
	return SNO_TEXT_CHARS;
}

static const SnoCodec table_codec = {
	.name = "table",
	.encode = table_encode,
	.decode = table_decode,
};

/* What is timed must be right; which bad texts it refuses, codec_test asks */
static void
check(const SnoCodec *codec)
{
	Slot		result;
	int			index;

	for (index = 0; index < IDS; index++)
	{
		codec->encode(ids[index], (char *) result);
		if (memcmp(result, texts[index], SNO_TEXT_CHARS) == 0 &&
			codec->decode((char *) texts[index], result) == SNO_TEXT_CHARS &&
			memcmp(result, ids[index], SNO_ID_BYTES) == 0)
			continue;
		fprintf(stderr, "%s is wrong about id %d\n", codec->name, index);
		exit(EXIT_FAILURE);
	}
}

static void
run_encode(void *state)
{
	const SnoCodec *codec = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		codec->encode(ids[index % IDS], (char *) results[index % IDS]);
}

static void
run_decode(void *state)
{
	const SnoCodec *codec = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		checksum += (uint64_t) codec->decode((char *) texts[index % IDS],
											 results[index % IDS]);
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

static void
add(Rival *rivals, size_t *count, const char *name, const SnoCodec *codec)
{
	if (*count == CODECS_MAX)
		abort();
	rivals[(*count)++] = (Rival) {
		.name = name,
		.consume = consume,
		.state = (void *) codec,
	};
}

int
main(int argc, char **argv)
{
	Rival		rivals[CODECS_MAX];
	size_t		count = 0;
	uint64_t	seed = (uint64_t) time(NULL);
	const SnoCodec *const *codec;
	int			rounds;
	int			round;
	int			index;

	table_start();
	for (index = 0; index < IDS; index++)
	{
		unit_random_bytes(&seed, ids[index], SNO_ID_BYTES);
		table_codec.encode(ids[index], (char *) texts[index]);
	}

	check(&table_codec);
	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		if (!sno_codec_available(*codec))
			continue;
		check(*codec);
		add(rivals, &count, (*codec)->name, *codec);
	}
	add(rivals, &count, "sno", sno_codec_best());
	add(rivals, &count, "table", &table_codec);
	add(rivals, &count, "memcpy", &memcpy_codec);

	rounds = rounds_start(argc, argv);
	for (round = 1; round <= rounds; round++)
	{
		size_t		number;
		size_t		rival;

		for (number = 0; number < CASES; number++)
		{
			for (rival = 0; rival < count; rival++)
				rivals[rival].run = cases[number].run;
			rounds_measure_all(round, cases[number].name,
							   cases[number].measure, rivals, count, &seed);
		}
	}
	fprintf(stderr, "# checksum %llu\n", (unsigned long long) checksum);
	return EXIT_SUCCESS;
}
