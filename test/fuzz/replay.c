/*
 * replay.c
 *		Runs a target over the inputs of files, and each with one bit changed,
 *		without libFuzzer.
 *
 * Usage: TARGET FILE...
 *
 * A property that does not hold ends the program, and the line before says what
 * the input was.
 */
#include "fuzz.h"

#define INPUT_MAX	65536

/* In a block of its own, so that the address sanitizer sees any access beyond */
static void
run(const uint8_t *data, size_t size)
{
	uint8_t    *input = fuzz_copy(data, size);

	LLVMFuzzerTestOneInput(input, size);
	free(input);
}

static size_t
run_file(const char *name)
{
	static uint8_t data[INPUT_MAX];
	FILE	   *file = fopen(name, "rb");
	size_t		size;
	size_t		bit;

	if (file == NULL)
	{
		perror(name);
		exit(EXIT_FAILURE);
	}
	size = fread(data, 1, sizeof(data), file);
	if (ferror(file) || !feof(file))
	{
		fprintf(stderr, "%s: error: cannot be read, or is too long\n", name);
		exit(EXIT_FAILURE);
	}
	fclose(file);

	printf("%s\n", name);
	fflush(stdout);
	run(data, size);
	for (bit = 0; bit < 8 * size; bit++)
	{
		printf("%s, with bit %zu changed\n", name, bit);
		fflush(stdout);
		data[bit / 8] ^= (uint8_t) (1 << bit % 8);
		run(data, size);
		data[bit / 8] ^= (uint8_t) (1 << bit % 8);
	}
	return 1 + 8 * size;
}

int
main(int argc, char **argv)
{
	size_t		inputs = 0;
	int			arg;

	for (arg = 1; arg < argc; arg++)
		inputs += run_file(argv[arg]);
	printf("%d files, %zu inputs\n", argc - 1, inputs);
	return inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
