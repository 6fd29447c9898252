/*
 * word.h
 *		A shared word for bench/core: C11's atomics, in the orders of the server's.
 */
#ifndef SNO_BENCH_WORD_H
#define SNO_BENCH_WORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint64_t SnoWord;

static inline uint64_t
sno_word_read(SnoWord *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static inline void
sno_word_write(SnoWord *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_relaxed);
}

static inline bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	return atomic_compare_exchange_strong(word, expected, value);
}

static inline uint64_t
sno_word_exchange(SnoWord *word, uint64_t value)
{
	return atomic_exchange(word, value);
}

#define sno_read_barrier()	atomic_thread_fence(memory_order_acquire)
#define sno_write_barrier()	atomic_thread_fence(memory_order_release)

#endif							/* SNO_BENCH_WORD_H */
