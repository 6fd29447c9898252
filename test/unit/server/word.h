/*
 * word.h
 *		A word that threads share, with C11 orders that promise no more than the
 *		server's atomics do on a weakly ordered machine.
 */
#ifndef SNO_SERVER_WORD_H
#define SNO_SERVER_WORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint64_t SnoWord;

/* Now and then lets others go first */
extern void race_hesitate(void);

static inline uint64_t
sno_word_read(SnoWord *word)
{
	race_hesitate();
	return atomic_load_explicit(word, memory_order_relaxed);
}

static inline void
sno_word_write(SnoWord *word, uint64_t value)
{
	race_hesitate();
	atomic_store_explicit(word, value, memory_order_relaxed);
}

static inline bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	race_hesitate();
	return atomic_compare_exchange_strong(word, expected, value);
}

static inline uint64_t
sno_word_exchange(SnoWord *word, uint64_t value)
{
	race_hesitate();
	return atomic_exchange(word, value);
}

/*
 * The thread sanitizer knows no fences, and gcc's refuses to compile them.  Words
 * are atomic, so it sees that all else is used under the lock, and no more.
 */
#ifdef __SANITIZE_THREAD__
#define sno_read_barrier()	((void) 0)
#define sno_write_barrier()	((void) 0)
#else
#define sno_read_barrier()	atomic_thread_fence(memory_order_acquire)
#define sno_write_barrier()	atomic_thread_fence(memory_order_release)
#endif

#endif							/* SNO_SERVER_WORD_H */
