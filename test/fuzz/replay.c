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

/* In a block of its own, so that the address sanitizer sees any access beyond */
static void
run(const uint8_t *data, size_t size)
{
	uint8_t    *input = fuzz_copy(data, size);

	fflush(stdout);
	LLVMFuzzerTestOneInput(input, size);
	free(input);
}

int
main(int argc, char **argv)
{
	static uint8_t data[65536];
	size_t		inputs = 0;
	int			arg;

	for (arg = 1; arg < argc; arg++)
	{
		FILE	   *file = fopen(argv[arg], "rb");
		size_t		size = file != NULL ? fread(data, 1, sizeof(data), file) : 0;
		size_t		bit;

		if (file == NULL || ferror(file) || !feof(file))
		{
			fprintf(stderr, "%s: error: cannot be read, or is too long\n", argv[arg]);
			return EXIT_FAILURE;
		}
		fclose(file);
		printf("%s\n", argv[arg]);
		run(data, size);
		for (bit = 0; bit < 8 * size; bit++)
		{
			printf("%s, with bit %zu changed\n", argv[arg], bit);
			data[bit / 8] ^= (uint8_t) (1 << bit % 8);
			run(data, size);
			data[bit / 8] ^= (uint8_t) (1 << bit % 8);
		}
		inputs += 1 + 8 * size;
	}
	printf("%d files, %zu inputs\n", argc - 1, inputs);
	return inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
