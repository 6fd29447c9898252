/*
 * scenarios.c
 *		What is explored.  Each is as small as a fault of its kind allows: a few
 *		ticks that the clock may show, on both sides of a limit, and a few calls.
 */
#include "scenarios.h"

/*
 * A plane that is reserved at RECORD - 250 to RECORD - 123 is so up to RECORD,
 * the last tick of a unit; LATER lies beyond what a reservation reaches, FAR so
 * far ahead that nobody waits for it.
 */
#define RECORD	UINT64_C(10367)
#define LATER	(RECORD + 500)
#define FAR		UINT64_C(127999)

const Scenario scenarios[] = {
	{
		.name = "load",
		.text = "a server that was just started, and is so again",
		.clock = {1000, 1001},
		.calls = {2, 2},.crashes = 1,
	},
	{
		.name = "drop",
		.text = "sno is dropped and created",
		.clock = {1000, 1001},.back = 1,
		.first_calls = 1,.calls = {1, 1},
		.tasks = {TASK_DROP, TASK_CREATE},
	},
	{
		.name = "three writers",
		.text = "the clock is put back",
		.clock = {10000, 10020},.start = 1,.back = 1,
		.first_calls = 1,.calls = {1, 1, 1},
	},
	{
		.name = "planes",
		.text = "the clock is put back twice",
		.clock = {10000, 10010, 10020},.start = 1,.back = 2,
		.first_calls = 1,.calls = {2, 2},
	},
	{
		.name = "crash after both planes",
		.text = "the clock is put back before a crash, and after",
		.clock = {10000, 10020, LATER},.start = 1,.back = 2,
		.first_calls = 1,.calls = {3},.crashes = 1,
	},
	{
		.name = "extension",
		.text = "both planes are reserved anew at once, and there is a crash",
		.clock = {10000, 10020, RECORD + 1},.start = 1,.back = 1,
		.first_calls = 1,.calls = {1, 2},.crashes = 1,
	},
	{
		.name = "last reserved tick",
		.text = "the disk is slow, and there is a crash when the last one is used",
		.clock = {RECORD, RECORD + 1},.back = 1,.slow = true,
		.reserved_ticks = {RECORD, 127},.head_ticks = RECORD - 100,
		.calls = {2, 2},.crashes = 1,
	},
	{
		.name = "restore behind",
		.text = "what is restored lies behind the head, in both planes",
		.clock = {10000, 10020, RECORD + 10, LATER + 300},.start = 1,.back = 1,
		.first_calls = 1,.calls = {2},.crashes = 1,
		.tasks = {TASK_RESTORE},.restored_ticks = {9990, 10000},
	},
	{
		.name = "restore ahead",
		.text = "what is restored lies ahead of the head, and of the reservation",
		.clock = {10000, LATER, LATER + 1},
		.reserved_ticks = {RECORD, 127},.head_ticks = 9999,
		.calls = {1, 1},
		.tasks = {TASK_RESTORE},.restored_ticks = {LATER, 10000},
	},
	{
		.name = "restore and crash",
		.text = "what is restored lies ahead of the head, and there is a crash",
		.clock = {10000, LATER, LATER + 1},
		.reserved_ticks = {RECORD, 127},.head_ticks = 9999,
		.calls = {2},.crashes = 1,
		.tasks = {TASK_RESTORE},.restored_ticks = {LATER, 10000},
	},
	{
		.name = "restore and leases",
		.text = "leases are held of the tick that is restored",
		.clock = {10000, 10001},.capacity = 32,.lease_limit = 2,
		.first_calls = 1,.calls = {2, 1},
		.tasks = {TASK_RESTORE},.restored_ticks = {10000, 127},
	},
	{
		.name = "reset",
		.text = "a clock that was wrong for a moment has reserved one plane far ahead",
		.clock = {10111, 10112},.start = 1,.back = 1,
		.reserved_ticks = {FAR, 127},.head_ticks = 10111,
		.calls = {1, 1},
		.tasks = {TASK_RESET},
	},
	{
		.name = "reset of both planes",
		.text = "they are reserved far ahead, and the clock steps meanwhile",
		.clock = {10100, 10111, 10112},.start = 1,.back = 1,
		.reserved_ticks = {FAR, FAR},.head_ticks = 10099,
		.calls = {3},
		.tasks = {TASK_RESET},
	},
	{
		.name = "reset and leases",
		.text = "leases are held ahead of the clock that the reset is made at",
		.clock = {10100, 10112},.start = 1,.back = 1,
		.reserved_ticks = {FAR, FAR},.head_ticks = 10099,
		.capacity = 32,.lease_limit = 2,
		.first_calls = 1,.calls = {2, 1},
		.tasks = {TASK_RESET},
	},
	{
		.name = "reset and the same head",
		.text = "a claim is held up until the head is again what it was before a reset",
		.clock = {RECORD - 256, RECORD + 123, RECORD + 385},.start = 2,.back = 1,
		.reserved_ticks = {RECORD + 512, 127},.head_ticks = RECORD + 123,.head_slot = 1,
		.calls = {1, 1},
		.tasks = {TASK_RESET},
	},
	{
		.name = "reset that fails",
		.text = "its record cannot be written; then ids are restored",
		.clock = {10100, 10112},
		.reserved_ticks = {FAR, 127},.head_ticks = 10099,
		.capacity = 32,.lease_limit = 2,.failures = 1,
		.first_calls = 1,.calls = {2},
		.tasks = {TASK_RESET, TASK_RESTORE},.restored_ticks = {10100, 127},
	},
	{
		.name = "reset at the beginning",
		.text = "both planes are taken back to where there would be no record",
		.clock = {100, 200},
		.reserved_ticks = {FAR, FAR},.head_ticks = 99,
		.calls = {2},
		.tasks = {TASK_RESET},
	},
	{
		.name = "standby",
		.text = "commits wait for a standby, which replays",
		.clock = {10000, RECORD + 1},.synchronous = true,.back = 1,
		.reserved_ticks = {RECORD, 127},.head_ticks = RECORD - 100,
		.calls = {1, 1},.replays = 2,
	},
	{
		.name = "promotion",
		.text = "commits wait for a standby, which is promoted",
		.clock = {10000, 10020, RECORD + 1},.start = 1,.back = 1,.synchronous = true,
		.reserved_ticks = {RECORD, 127},.head_ticks = 10000,
		.calls = {2},.replays = 2,.promotions = 1,
	},
	{
		.name = "drop and leases",
		.text = "leases are held while sno is dropped and created",
		.clock = {10000, 10001},.capacity = 32,.lease_limit = 2,
		.first_calls = 1,.calls = {2, 1},
		.tasks = {TASK_DROP, TASK_CREATE},
	},
	{
		.name = "snapshot",
		.text = "of a server whose clock is put back",
		.clock = {10000, 10020},.start = 1,.back = 1,
		.first_calls = 1,.calls = {2, 2},
		.tasks = {TASK_SNAPSHOT},
	},
	{
		.name = "end of the range",
		.text = "the last ticks that an id can hold, and a crash",
		.clock = {SNO_TIME_MAX - 200, SNO_TIME_MAX},
		.reserved_ticks = {SNO_TIME_MAX - 256, 127},.head_ticks = SNO_TIME_MAX - 256,
		.calls = {3},.crashes = 1,
	},
	{
		.name = "create again",
		.text = "there is a record already, and a crash",
		.clock = {1000, 1001},
		.first_calls = 1,.calls = {1},.crashes = 1,
		.tasks = {TASK_CREATE},
	},
	{
		.name = "drop and load",
		.text = "a claim is held up while sno is dropped, created and loaded as it was",
		.clock = {RECORD - 100},
		.reserved_ticks = {RECORD, 127},.head_ticks = 255,
		.calls = {1, 1},
		.tasks = {TASK_DROP, TASK_CREATE},
	},
	{.name = NULL}
};
