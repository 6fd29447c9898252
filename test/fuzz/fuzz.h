/*
 * fuzz.h
 *		What the fuzz targets share: an input that is read piece by piece, blocks
 *		of exact size, properties that end the run, and an id as a number of 80
 *		bits.
 *
 * A target is one C file that defines LLVMFuzzerTestOneInput().
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
 * access beyond; and one that is a copy.
 */
static inline void *
fuzz_block(size_t size)
{
	/* A block of no bytes is one, too */
	/* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI) */
	void	   *block = malloc(size);

	if (block == NULL)
		abort();
	return block;
}

static inline void *
fuzz_copy(const void *from, size_t size)
{
	void	   *block = fuzz_block(size);

	return size > 0 ? memcpy(block, from, size) : block;
}

/* What is left of an input */
typedef struct FuzzInput
{
	const uint8_t *data;
	size_t		size;
} FuzzInput;

/* The next bytes as a number, the first one in front; 0s follow the last one */
static inline FuzzWide
fuzz_take(FuzzInput *input, int bytes)
{
	FuzzWide	number = 0;

	while (bytes-- > 0)
	{
		number *= 256;
		if (input->size > 0)
		{
			number += *input->data++;
			input->size--;
		}
	}
	return number;
}

static inline FuzzWide
fuzz_number_of(const SnoId *id)
{
	return fuzz_take(&(FuzzInput) {id->bytes, SNO_ID_BYTES}, SNO_ID_BYTES);
}

static inline SnoId
fuzz_id_of(FuzzWide number)
{
	SnoId		id;
	int			i;

	for (i = SNO_ID_BYTES - 1; i >= 0; i--, number /= 256)
		id.bytes[i] = (uint8_t) (number % 256);
	return id;
}

/*
 * An id that is often near another one: the next bytes say which, or how far
 * from it.
 */
static inline SnoId
fuzz_take_id_near(FuzzInput *input, const SnoId *other)
{
	int			how = (int) fuzz_take(input, 1);
	FuzzWide	number = fuzz_number_of(other);
	FuzzWide	step;

	if (how < 64)
		return fuzz_id_of(fuzz_take(input, SNO_ID_BYTES));
	step = fuzz_take(input, 2) << how % 64;
	number += how < 128 ? step : -step;
	return number < 0 || number > FUZZ_ID_MAX ? *other : fuzz_id_of(number);
}

#endif							/* SNO_TEST_FUZZ_H */
