/*
 * trace.c
 *		A ring of lines, and the words of server/state.h in words.
 */
#include "trace.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/slew.h"
#include "session.h"

#define TRACE_EVENTS	200
#define EVENT_BYTES		160
#define TEXT_BYTES		100

static char events[TRACE_EVENTS][EVENT_BYTES];
static uint64_t event_count;

void
trace(const char *format,...)
{
	char	   *event = events[event_count % TRACE_EVENTS];
	char		who[16] = "world";
	va_list		args;
	int			length;

	if (!world.traced)
		return;
	if (session_current != NULL && session_current->check.is_reader)
		snprintf(who, sizeof(who), "reader");
	else if (session_current != NULL)
		snprintf(who, sizeof(who), "writer %d", session_current->check.number);
	length = snprintf(event, EVENT_BYTES, "%llu  %-8s  ", (ull) world.steps, who);
	va_start(args, format);
	vsnprintf(event + length, (size_t) (EVENT_BYTES - length), format, args);
	va_end(args);
	event_count++;
}

/* What server/state.h calls it */
static void
word_name(const SnoWord *word, char name[TEXT_BYTES])
{
	const SharedMemory *memory = &world.memory;
	const SnoState *state = &memory->state;
	int			mark = world_mark_number(word);
	int			i;

	snprintf(name, TEXT_BYTES, "%s", word == &state->head ? "head" :
			 word == &state->slew ? "slew" :
			 word == &state->changes ? "changes" :
			 word == &state->closed ? "closed" :
			 word == &state->record_end ? "record_end" : "another word");
	for (i = 0; i < 2; i++)
		if (word == &state->reserved_ticks[i] || word == &state->last_ticks[i])
			snprintf(name, TEXT_BYTES, "%s[%d]",
					 word == &state->last_ticks[i] ? "last_ticks" : "reserved_ticks", i);
	for (i = 0; i < SNO_CHANGES; i++)
		if (word == &state->entered_ticks[i])
			snprintf(name, TEXT_BYTES, "entered_ticks[%d]", i);
	if (mark >= 0)
		snprintf(name, TEXT_BYTES, "first_ticks[%d] of writer %d", mark % 2, mark / 2);
	for (i = 0; i < WRITERS_MAX; i++)
		if (word == &memory->marks[i].database || word == &memory->marks[i].slots)
			snprintf(name, TEXT_BYTES, "%s of writer %d",
					 word == &memory->marks[i].slots ? "slots" : "database", i);
}

static void
word_value(const SnoWord *word, uint64_t value, char text[TEXT_BYTES])
{
	if (word == &world.memory.state.head && value != SNO_HEAD_EMPTY)
		snprintf(text, TEXT_BYTES, "tick %llu, plane %u, slot %u",
				 (ull) sno_head_ticks(value), sno_head_plane(value), sno_head_slot(value));
	else if (word == &world.memory.state.slew && value != SNO_SLEW_NONE)
		snprintf(text, TEXT_BYTES, "%llu ahead since tick %llu",
				 (ull) (value & SNO_SLEW_AHEAD_MAX), (ull) (value >> SNO_SLEW_AHEAD_BITS));
	else
		snprintf(text, TEXT_BYTES, "%llu", (ull) value);
}

void
trace_word(const char *verb, const SnoWord *word, uint64_t value, const char *odd)
{
	char		name[TEXT_BYTES];
	char		text[TEXT_BYTES];

	if (!world.traced)
		return;
	word_name(word, name);
	word_value(word, value, text);
	trace("%s %s: %s%s", verb, name, text, odd);
}

void
trace_record(const char *verb, uint64_t record)
{
	uint64_t	ticks[2];

	sno_record_decode(record, ticks);
	trace("%s the record: up to tick %llu in plane 0, %llu in plane 1, changes %u",
		  verb, (ull) ticks[0], (ull) ticks[1], sno_record_changes(record));
}

void
trace_print(void)
{
	uint64_t	i;

	for (i = event_count < TRACE_EVENTS ? 0 : event_count - TRACE_EVENTS; i < event_count; i++)
		printf("%s\n", events[i % TRACE_EVENTS]);
}
