/*
 * word.h
 *		A word that sessions share: each access is a step of a session.
 *
 * In random schedules memory is weakly ordered: a read may come early, as long
 * ago as the last barrier, and a write late, until the next one.  So may the
 * clock be read early.
 */
#ifndef SNO_SERVER_WORD_H
#define SNO_SERVER_WORD_H

#include <stdbool.h>
#include <stdint.h>

#define WORD_PAST	4

typedef struct SnoWord
{
	uint64_t	value;

	/* What it was before, the latest first, and until which step */
	struct
	{
		uint64_t	value;
		uint64_t	until_step;
	}			past[WORD_PAST];
} SnoWord;

extern uint64_t sno_word_read(SnoWord *word);
extern void sno_word_write(SnoWord *word, uint64_t value);
extern bool sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value);
extern uint64_t sno_word_exchange(SnoWord *word, uint64_t value);

extern void sno_read_barrier(void);
extern void sno_write_barrier(void);

#endif							/* SNO_SERVER_WORD_H */
