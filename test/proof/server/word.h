/*
 * word.h
 *		A word that sessions share: before each access all others act.
 */
#ifndef SNO_SERVER_WORD_H
#define SNO_SERVER_WORD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SnoWord
{
	uint64_t   *value;
} SnoWord;

extern uint64_t sno_word_read(SnoWord *word);
extern void sno_word_write(SnoWord *word, uint64_t value);
extern bool sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value);
extern uint64_t sno_word_exchange(SnoWord *word, uint64_t value);

/* Every access is sequentially consistent */
#define sno_read_barrier()	((void) 0)
#define sno_write_barrier()	((void) 0)

#endif							/* SNO_SERVER_WORD_H */
