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

#define sno_word_read(word) \
	atomic_load_explicit(word, memory_order_relaxed)
#define sno_word_write(word, value) \
	atomic_store_explicit(word, value, memory_order_relaxed)
#define sno_word_swap(word, expected, value) \
	atomic_compare_exchange_strong(word, expected, value)
#define sno_word_exchange(word, value)	atomic_exchange(word, value)
#define sno_read_barrier()				atomic_thread_fence(memory_order_acquire)
#define sno_write_barrier()				atomic_thread_fence(memory_order_release)

#endif							/* SNO_BENCH_WORD_H */
