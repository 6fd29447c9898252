/*
 * codec.c
 *		What encoding and decoding an id costs: every codec this machine can
 *		run beside a plain table-driven one and a copy of 16 bytes.
 *
 * Usage: codec ROUNDS
 *
 * Codecs are called as the extension calls them, through the pointers of a
 * structure the compiler does not know.  "ns" is taken of ids that have
 * nothing to do with each other, so that the processor works on several at
 * once; "ns, dependent" of ids each of which is found by what came out of the
 * last one.
 *
 * Before anything is timed all of them must agree, on ids and on bad texts.
 */
#include <string.h>

#include "codec.h"
#include "codec_table.h"
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

/* Zero, but the compiler can't know */
static volatile size_t zero = 0;

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

static void
fail(const SnoCodec *codec, const char *what, const uint8_t *id)
{
	int			byte;

	fprintf(stderr, "%s %s, id ", codec->name, what);
	for (byte = 0; byte < SNO_ID_BYTES; byte++)
		fprintf(stderr, "%02x", id[byte]);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

/* Does it encode and decode as the plain one does?  Ends the program if not */
static void
compare(const SnoCodec *codec)
{
	char		text[SNO_TEXT_CHARS];
	Slot		id;
	int			index;

	for (index = 0; index < IDS; index++)
	{
		int			position = index % SNO_TEXT_CHARS;
		int			bad;

		codec->encode(ids[index], text);
		if (memcmp(text, texts[index], SNO_TEXT_CHARS) != 0)
			fail(codec, "encodes differently", ids[index]);
		if (codec->decode(text, id) != SNO_TEXT_CHARS ||
			memcmp(id, ids[index], SNO_ID_BYTES) != 0)
			fail(codec, "does not decode what it encoded", ids[index]);
		for (bad = 0; bad <= UINT8_MAX; bad++)
		{
			text[position] = (char) bad;
			if (codec->decode(text, id) != sno_codec_table.decode(text, id))
				fail(codec, "disagrees on which text is valid", ids[index]);
		}
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
	int			good = 0;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		good += codec->decode((char *) texts[index % IDS],
							  results[index % IDS]);
	if (good != ROUNDS_OPERATIONS * SNO_TEXT_CHARS)
		fail(codec, "took a good text for a bad one", ids[0]);
}

/*
 * The address of the next id, or text, takes all of the last result, read as
 * whoever goes on with it would: in words.
 */
static void
run_encode_dependent(void *state)
{
	const SnoCodec *codec = state;
	size_t		none = zero;
	uint64_t	last[2] = {0};
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
	{
		uint8_t    *result = results[index % IDS];

		codec->encode(ids[index % IDS] + ((last[0] ^ last[1]) & none),
					  (char *) result);
		memcpy(last, result, sizeof(last));
	}
}

static void
run_decode_dependent(void *state)
{
	const SnoCodec *codec = state;
	size_t		none = zero;
	uint64_t	last = 0;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
	{
		SnoId	   *result = (SnoId *) results[index % IDS];

		(void) codec->decode((char *) texts[index % IDS] + (last & none),
							 result->bytes);
		last = sno_id_high(result) ^ sno_id_low(result);
	}
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
	{"encode", "ns, dependent", run_encode_dependent},
	{"decode", "ns, dependent", run_decode_dependent},
};

#define CASES	(sizeof(cases) / sizeof(cases[0]))

static size_t
add(Rival *rivals, size_t count, const char *name, const SnoCodec *codec)
{
	if (count == CODECS_MAX)
		abort();
	rivals[count] = (Rival) {
		.name = name,
		.consume = consume,
		.state = (void *) codec,
	};
	return count + 1;
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

	if (argc != 2)
	{
		fprintf(stderr, "usage: %s ROUNDS\n", argv[0]);
		return EXIT_FAILURE;
	}
	sno_codec_table_start();
	for (index = 0; index < IDS; index++)
	{
		unit_random_bytes(&seed, ids[index], SNO_ID_BYTES);
		sno_codec_table.encode(ids[index], (char *) texts[index]);
	}

	compare(&sno_codec_table);
	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		if (!sno_codec_available(*codec))
			continue;
		compare(*codec);
		count = add(rivals, count, (*codec)->name, *codec);
	}
	count = add(rivals, count, "sno", sno_codec_best());
	count = add(rivals, count, sno_codec_table.name, &sno_codec_table);
	count = add(rivals, count, memcpy_codec.name, &memcpy_codec);

	rounds = rounds_start(argv[1]);
	for (round = 1; round <= rounds; round++)
	{
		size_t		number;
		size_t		rival;

		fprintf(stderr, "# round %d of %d\n", round, rounds);
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
