/*
 * word.h
 *		A word that sessions share: each access is a step of a session.
 *
 * Memory is sequentially consistent here, so that barriers have nothing to do;
 * test/unit/race_test.c is for those.
 */
#ifndef SNO_GENERATOR_WORD_H
#define SNO_GENERATOR_WORD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SnoWord
{
	uint64_t	value;
} SnoWord;

extern uint64_t sno_word_read(SnoWord *word);
extern void sno_word_write(SnoWord *word, uint64_t value);
extern bool sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value);
extern uint64_t sno_word_exchange(SnoWord *word, uint64_t value);

#define sno_read_barrier()	((void) 0)
#define sno_write_barrier()	((void) 0)

#endif							/* SNO_GENERATOR_WORD_H */
