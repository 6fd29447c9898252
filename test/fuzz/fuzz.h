/*
 * fuzz.h
 *		What the fuzz targets share: an input that is read piece by piece, blocks
 *		of exact size, properties that end the run, and the form of an id as a
 *		number of 80 bits and as a text, computed in the plainest way.
 *
 * A target is one C file that defines LLVMFuzzerTestOneInput().  libFuzzer calls
 * it with inputs of its own making, replay.c with those of the corpus.
 *
 * Nothing here uses src/core for what it computes: it is what that is compared
 * with.
 */
#ifndef SNO_TEST_FUZZ_H
#define SNO_TEST_FUZZ_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "id.h"

#define FUZZ_TEXT_CHARS	16

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A number that holds any id, and the sums and differences of some */
typedef __int128 FuzzWide;

#define FUZZ_ID_MAX		(((FuzzWide) 1 << 80) - 1)

/* Ends the run if the property does not hold: libFuzzer then keeps the input */
static inline void __attribute__((format(printf, 2, 3)))
fuzz_check(bool holds, const char *property, ...)
{
	va_list		args;

	if (holds)
		return;
	fputs("does not hold: ", stderr);
	va_start(args, property);
	vfprintf(stderr, property, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}

/*
 * A heap block of exactly that size, so that the address sanitizer sees any
 * access beyond.
 */
static inline void *
fuzz_allocate(size_t size)
{
	/* A block of no bytes is one, too */
	/* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI) */
	void	   *block = malloc(size);

	if (block == NULL)
	{
		fputs("out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return block;
}

static inline void *
fuzz_copy(const void *from, size_t size)
{
	void	   *block = fuzz_allocate(size);

	if (size > 0)
		memcpy(block, from, size);
	return block;
}

/* What is left of an input */
typedef struct FuzzInput
{
	const uint8_t *data;
	size_t		size;
} FuzzInput;

/* The next bytes as a number, the first one in front; 0s follow the last one */
static inline uint64_t
fuzz_take(FuzzInput *input, int bytes)
{
	uint64_t	number = 0;

	while (bytes-- > 0)
	{
		number <<= 8;
		if (input->size > 0)
		{
			number |= *input->data++;
			input->size--;
		}
	}
	return number;
}

static inline SnoId
fuzz_take_id(FuzzInput *input)
{
	SnoId		id;
	int			i;

	for (i = 0; i < SNO_ID_BYTES; i++)
		id.bytes[i] = (uint8_t) fuzz_take(input, 1);
	return id;
}

static inline FuzzWide
fuzz_number_of(const SnoId *id)
{
	FuzzWide	number = 0;
	int			i;

	for (i = 0; i < SNO_ID_BYTES; i++)
		number = number * 256 + id->bytes[i];
	return number;
}

static inline SnoId
fuzz_id_of(FuzzWide number)
{
	SnoId		id;
	int			i;

	for (i = SNO_ID_BYTES - 1; i >= 0; i--)
	{
		id.bytes[i] = (uint8_t) (number % 256);
		number /= 256;
	}
	return id;
}

/*
 * An id that is often near another one: the next bytes say which, or how far
 * from it.
 */
static inline SnoId
fuzz_take_id_near(FuzzInput *input, const SnoId *other)
{
	uint8_t		how = (uint8_t) fuzz_take(input, 1);
	FuzzWide	number = fuzz_number_of(other);
	FuzzWide	step;

	if (how < 64)
		return fuzz_take_id(input);
	step = (FuzzWide) fuzz_take(input, 2) << how % 64;
	number += how < 128 ? step : -step;
	if (number < 0 || number > FUZZ_ID_MAX)
		return *other;
	return fuzz_id_of(number);
}

static const char fuzz_alphabet[] = "23456789abcdefghijklmnopqrstuvwx";

/* The value of a character of a text, or -1 */
static inline int
fuzz_value_of(char character)
{
	const char *found = memchr(fuzz_alphabet, character, 32);

	return found != NULL ? (int) (found - fuzz_alphabet) : -1;
}

/* How many of its first characters are of the alphabet */
static inline int
fuzz_valid_chars(const char *text, int length)
{
	int			valid = 0;

	while (valid < length && fuzz_value_of(text[valid]) >= 0)
		valid++;
	return valid;
}

/* The number that is written as these sixteen characters, which must be valid */
static inline FuzzWide
fuzz_number_of_text(const char *text)
{
	FuzzWide	number = 0;
	int			i;

	for (i = 0; i < FUZZ_TEXT_CHARS; i++)
		number = number * 32 + fuzz_value_of(text[i]);
	return number;
}

static inline void
fuzz_text_of(FuzzWide number, char *text)
{
	int			i;

	for (i = FUZZ_TEXT_CHARS - 1; i >= 0; i--)
	{
		text[i] = fuzz_alphabet[number & 31];
		number /= 32;
	}
}

static inline int
fuzz_sign(FuzzWide number)
{
	return (number > 0) - (number < 0);
}

#endif							/* SNO_TEST_FUZZ_H */
