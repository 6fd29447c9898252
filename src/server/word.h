/*
 * word.h
 *		A word that sessions share, and the order in which they see it change:
 *		the server's atomics.
 *
 * Reads and writes are of one word, in no order but what the barriers give.
 * sno_word_exchange() is a full barrier, and so is a sno_word_swap() that
 * succeeds; one that fails is a read barrier.
 */
#ifndef SNO_SERVER_WORD_H
#define SNO_SERVER_WORD_H

#include "postgres.h"

#include "port/atomics.h"

typedef pg_atomic_uint64 SnoWord;

#define sno_word_read(word)				pg_atomic_read_u64(word)
#define sno_word_write(word, value)		pg_atomic_write_u64(word, value)

/* The value before */
#define sno_word_exchange(word, value)	pg_atomic_exchange_u64(word, value)

#define sno_read_barrier()				pg_read_barrier()
#define sno_write_barrier()				pg_write_barrier()

/*
 * If the word is as expected, changes it; else expected is what it is.  On
 * macOS, a pointer to one type of 64 bits is none to the other.
 */
static inline bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	uint64		found = *expected;
	bool		swapped = pg_atomic_compare_exchange_u64(word, &found, value);

	*expected = found;
	return swapped;
}

#endif							/* SNO_SERVER_WORD_H */
