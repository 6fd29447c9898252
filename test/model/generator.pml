/*
 * generator.pml
 *		The protocol by which backends claim slots, for the model checker spin:
 *		it tries every order in which the steps of all processes can happen.
 *
 * This is the protocol of src/pg/generator.c and src/pg/planes.c over the step
 * of src/core/step.c: claims, leases, reservations, changes of plane, the load
 * after a start, and a restore; with a clock that runs backwards and with
 * crashes.  Time, capacity and all limits are small numbers.
 *
 * How to read it.  A proctype is a process.  Each statement is one step, and
 * between any two of them every other process may do as many of its own as it
 * likes.  d_step { } makes one step of several statements: here it always is
 * one access to shared memory, or one operation on the WAL, and what follows
 * from it in the process' own memory; so does atomic { }.  "condition -> ..."
 * waits for the condition, in d_step { } as well.  Where several alternatives
 * ("::") of an if or do can go on, each of them is tried; a do is left by
 * break.  An inline is a macro.
 *
 * A value is read in the step whose condition it meets.  What only the holder
 * of the lock writes is read by the holder in the step that needs it, as
 * nobody can change it in between.
 *
 * The assertions are in hand_out() and set_head().
 */

/* The clock goes from 1 to TICKS, at most 4, and so often back to any tick */
#ifndef TICKS
#define TICKS		3
#endif
#ifndef JUMPS_BACK
#define JUMPS_BACK	2
#endif
#ifndef CRASHES
#define CRASHES		1
#endif

/* Is there a restore (0 or 1), and the highest tick it restores in each plane */
#ifndef RESTORES
#define RESTORES	1
#endif
#ifndef RESTORE_MAX
#define RESTORE_MAX	2
#endif

#ifndef BACKENDS
#define BACKENDS	2
#endif

/* Slots of a tick (at most 3), and slots that are claimed at once (at most 2) */
#ifndef CAPACITY
#define CAPACITY	1
#endif
#ifndef LEASE_LIMIT
#define LEASE_LIMIT	1
#endif

/* A clock this far behind the head is waited for */
#ifndef STEP_BACK
#define STEP_BACK	0
#endif

/*
 * A reservation reaches this far beyond the tick that needed it; what is ahead
 * of the clock by no more than that is waited for after a start.
 */
#ifndef AHEAD
#define AHEAD		0
#endif

/* The head is one word: tick, plane, next free slot */
#define EMPTY		0
#define HEAD(tick, plane, slot) ((tick) << 3 | (plane) << 2 | (slot))
#define TICK(head)	((head) >> 3)
#define PLANE(head)	((head) >> 2 & 1)
#define SLOT(head)	((head) & 3)
#define OTHER(head)	(1 - PLANE(head))

#define NO_PLANE	2

/* Is less than half of the reservation left at this tick? */
#define LOW(reserved_tick, tick) (2 * (reserved_tick) < 2 * (tick) + AHEAD)

#define MAX(a, b)	((a) > (b) -> (a) : (b))

/* The wall clock, in ticks */
byte clock = 1;
byte jumps_back = JUMPS_BACK;

/* Shared memory, lost in a crash */
byte head = EMPTY;
byte reserved[2];
byte last[2];
byte lease_epoch;
bool locked;

/* The durable record: as it was last inserted into the WAL, and as flushed */
byte inserted[2];
byte flushed[2];

/*
 * The process that is the next to be lost in a crash, 0 if there is none.  As
 * long as it is not 0 nobody else takes a step, see the provided clauses.
 */
byte losing;
byte crashes = CRASHES;

byte restores = RESTORES;

/*
 * What only the assertions look at: the slots that were ever handed out, as
 * bits, and the ticks of a restore that has returned.
 */
int handed_out;
bool restore_returned;
byte restored[2];

#define SLOT_BIT(id) (1 << ((TICK(id) * 2 + PLANE(id)) * CAPACITY + SLOT(id)))

/* The heads there were in this life of the server, as bits */
#ifdef CHECK_HEAD
int heads[2];
#define HEAD_BIT(head) (1 << (TICK(head) * (CAPACITY + 1) + SLOT(head)))
#endif

/*
 * Mutations: each leaves one thing out of the protocol, or does it in the
 * wrong way, and must make an assertion fail.
 */
#ifdef MUTATE_RESTORE_NO_PLANES
#define MUTATE_RESTORE_NO_RESERVED
#define MUTATE_RESTORE_NO_LAST
#endif

#ifdef MUTATE_TWO_LOCKS
/* The change of plane under a lock of its own, its reservation included */
bool switch_locked;
#define SWITCH_LOCKED switch_locked
#else
#define SWITCH_LOCKED locked
#endif

#ifdef MUTATE_ENTERED_AT_LAST
#define ABOVE_LAST(tick, plane) ((tick) >= last[plane])
#else
#define ABOVE_LAST(tick, plane) ((tick) > last[plane])
#endif

#ifdef MUTATE_LAST_AFTER_UNLOCK
#define STORE_LAST_LOCKED skip
#else
#define STORE_LAST_LOCKED store_last()
#endif

#ifdef MUTATE_LOADED_FREE
#define LOADED_SLOT	(reserved[plane] == 0 -> CAPACITY : 0)
#else
#define LOADED_SLOT	CAPACITY
#endif

/*
 * Hands out an id, written like a head: none twice, in this life of the server
 * or an earlier one; none that the record does not cover, once flushed; and
 * after a restore has returned none that the other server may have made.
 */
inline hand_out(id)
{
	assert(!(handed_out & SLOT_BIT(id)));
	assert(TICK(id) <= flushed[PLANE(id)]);
	assert(!after_restore || TICK(id) > restored[PLANE(id)]);
	handed_out = handed_out | SLOT_BIT(id)
}

/* The head is never changed to a value that it had before */
inline set_head(value)
{
#ifdef CHECK_HEAD
	assert(head == (value) || !(heads[PLANE(value)] & HEAD_BIT(value)));
	heads[PLANE(value)] = heads[PLANE(value)] | HEAD_BIT(value);
#endif
	head = value
}

/*
 * A backend's own memory: seen and now are what it has read of head and clock;
 * a lease is the next slot that is left of it, written like a head, and how
 * many are; own_epoch is the lease epoch it was claimed under.
 *
 * What is no longer needed is set to 0, so that states that differ in nothing
 * else are not told apart.
 */
inline drop_lease()
{
	lease = 0;
	left = 0;
	own_epoch = 0
}

inline forget()
{
	seen = EMPTY;
	now = 0;
	after_restore = false
}

/* The slots from first on are claimed: hands out one, keeps the rest */
inline start_lease(first, count)
{
	hand_out(first);
	if
	:: count > 1 ->
		lease = (first) + 1;
		left = count - 1
	:: else ->
		drop_lease()
	fi
}

inline flush()
{
	d_step {
		flushed[0] = inserted[0];
		flushed[1] = inserted[1]
	}
}

/*
 * Reserves the plane at the clock's time: the record first, which is computed
 * from shared memory, and memory when the record is flushed.  Under the lock.
 */
inline reserve(plane)
{
	d_step {
		inserted[plane] = now + AHEAD;
		inserted[1 - plane] = reserved[1 - plane]
	}
#ifdef MUTATE_PUBLISHED_FIRST
	reserved[plane] = now + AHEAD;
	flush()
#else
	flush();
	reserved[plane] = now + AHEAD
#endif
}

/* Extends the reservation of the current plane, under the lock */
inline extend()
{
	plane = PLANE(head);
	if
	:: d_step {
			LOW(reserved[plane], clock) ->
			now = clock
		};
		reserve(plane)
	:: !LOW(reserved[plane], clock)
	fi;
	d_step {
		locked = false;
		plane = 0;
		now = 0
	}
}

/*
 * Which plane to load from the record, if any.  As most recent counts the one
 * with the larger reservation: it is loaded if that is below the clock, and
 * waited for if that is not far ahead.  Only then the other one is.
 */
inline choose_plane()
{
	if
	:: inserted[1] > inserted[0] -> plane = 1
	:: else -> plane = 0
	fi;
	if
	:: inserted[plane] < clock
	:: inserted[plane] >= clock && inserted[plane] <= clock + AHEAD ->
		plane = NO_PLANE
	:: else ->
		plane = 1 - plane;
		if
		:: inserted[plane] < clock
		:: else -> plane = NO_PLANE
		fi
	fi
}

/*
 * Loads head and planes from the record, under the lock.  Nobody looks at the
 * planes before the head is there, so that these are stored in one step.
 */
inline load()
{
	if
	:: head != EMPTY
	:: head == EMPTY ->
		d_step {
			choose_plane()
		};
		if
		:: plane == NO_PLANE
		:: d_step {
				plane != NO_PLANE ->
				reserved[0] = inserted[0];
				reserved[1] = inserted[1];
#ifndef MUTATE_LAST_NOT_LOADED
				last[0] = inserted[0];
				last[1] = inserted[1]
#endif
			};
			d_step {
				set_head(HEAD(reserved[plane], plane, LOADED_SLOT))
			}
		fi
	fi;
	d_step {
		locked = false;
		plane = 0
	}
}

/*
 * The compare-and-swap by which an attempt ends: the slots from first on, or
 * nothing if the head is not the one that was seen.
 */
inline claim(first, count)
{
	if
	:: head == seen ->
		set_head((first) + count);
		start_lease(first, count)
	:: else ->
		drop_lease()
	fi;
	forget()
}

#define FREE(count)	(SLOT(seen) + (count) <= CAPACITY)

/* Is the clock so far behind that the other plane is tried, and free there? */
#define FAR_BEHIND	(clock + STEP_BACK < TICK(seen))
#define CAN_ENTER	(FAR_BEHIND && ABOVE_LAST(clock, OTHER(seen)))

/* The compare-and-swap of a change of plane */
inline enter_other_plane(count)
{
	set_head(HEAD(now, OTHER(seen), count));
	start_lease(HEAD(now, OTHER(seen), 0), count)
}

inline store_last()
{
	last[PLANE(seen)] = TICK(seen)
}

/*
 * The clock ran backwards: goes on with the other plane, or not, under the
 * lock.
 */
inline change_plane()
{
	do
	:: seen = head;
		if
		:: d_step {
				CAN_ENTER && clock > reserved[OTHER(seen)] ->
				now = clock
			};
			reserve(OTHER(seen));
			d_step {
				seen = EMPTY;
				now = 0
			}
		:: d_step {
				CAN_ENTER && clock <= reserved[OTHER(seen)] ->
				now = clock
			};
			if
			:: d_step {
					head == seen ->
					enter_other_plane(1)
				};
				STORE_LAST_LOCKED
#if LEASE_LIMIT > 1
			:: d_step {
					head == seen ->
					enter_other_plane(2)
				};
				STORE_LAST_LOCKED
#endif
			:: d_step {
					head != seen ->
					drop_lease();
					seen = EMPTY
				}
			fi;
			break
		:: d_step {
				!CAN_ENTER ->
				drop_lease();
				seen = EMPTY
			};
			break
		fi
	od;
#ifdef MUTATE_LAST_AFTER_UNLOCK
	SWITCH_LOCKED = false;
	if
	:: seen != EMPTY -> store_last()
	:: else
	fi;
	atomic {
		forget()
	}
#else
	atomic {
		SWITCH_LOCKED = false;
		forget()
	}
#endif
}

/*
 * A call, or an attempt of one: what has to wait or to start over ends here,
 * and the next one begins from nothing.  A lease may be dropped at any time,
 * as the next statement does.
 *
 * Less than half of a reservation left makes two things possible: to go on, as
 * others do, and to extend it; what has nothing left must extend it.
 */
inline generate()
{
	if
#if LEASE_LIMIT > 1
	:: d_step {
			left > 0 && own_epoch == lease_epoch ->
			after_restore = restore_returned
		};
		d_step {
			if
			:: TICK(lease) == clock ->
				hand_out(lease);
				lease++;
				left--;
				if
				:: left == 0 -> drop_lease()
				:: else
				fi
			:: else ->
				drop_lease()
			fi;
			forget()
		}
	:: d_step {
			left > 0 ->
			drop_lease()
		}
	:: d_step {
			left == 0 ->
			own_epoch = lease_epoch;
			after_restore = restore_returned
		};
		seen = head;
#else
	:: d_step {
			seen = head;
			after_restore = restore_returned
		};
#endif
		if
		:: d_step {
				seen == EMPTY && !locked ->
				locked = true;
				drop_lease();
				forget()
			};
			load()
		:: d_step {
				seen != EMPTY && clock > TICK(seen) ->
				now = clock
			};
			if
			:: now <= reserved[PLANE(seen)] ->
				if
				:: d_step {
						claim(HEAD(now, PLANE(seen), 0), 1)
					}
#if LEASE_LIMIT > 1
				:: d_step {
						claim(HEAD(now, PLANE(seen), 0), 2)
					}
#endif
				fi
			:: d_step {
					LOW(reserved[PLANE(seen)], now) ->
					drop_lease();
					forget()
				};
				d_step {
					!locked ->
					locked = true
				};
				extend()
			fi
		:: d_step {
				seen != EMPTY && clock == TICK(seen) && FREE(1) ->
				now = clock
			};
			if
			:: d_step {
					claim(seen, 1)
				}
#if LEASE_LIMIT > 1
			:: d_step {
					FREE(2) ->
					claim(seen, 2)
				}
#endif
			fi
		:: d_step {
				seen != EMPTY && FAR_BEHIND ->
				seen = EMPTY
			};
			d_step {
				!SWITCH_LOCKED ->
				SWITCH_LOCKED = true
			};
			change_plane()
		:: d_step {
				seen != EMPTY &&
				(clock == TICK(seen) && !FREE(1) ||
				 clock < TICK(seen) && !FAR_BEHIND) ->
				drop_lease();
				forget()
			}
		fi
	fi
}

/*
 * Takes over what another server has made, up to a tick of each plane, which
 * may be any from 0 to RESTORE_MAX.
 */
inline restore()
{
	atomic {
		restores > 0 && !locked ->
		restores--;
		locked = true;
		do
		:: ticks[0] < RESTORE_MAX -> ticks[0]++
		:: break
		od;
		do
		:: ticks[1] < RESTORE_MAX -> ticks[1]++
		:: break
		od
	};
	seen = head;
	if
	:: d_step {
			seen == EMPTY ->
			inserted[0] = MAX(inserted[0], ticks[0]);
			inserted[1] = MAX(inserted[1], ticks[1])
		};
		flush()
	:: d_step {
			seen != EMPTY ->
#ifndef MUTATE_RESTORE_NO_RECORD
			inserted[0] = MAX(reserved[0], ticks[0]);
			inserted[1] = MAX(reserved[1], ticks[1]);
#endif
			seen = EMPTY
		};
		flush();
#ifdef MUTATE_RESTORE_EPOCH_FIRST
		lease_epoch++;
#endif
#ifndef MUTATE_RESTORE_NO_RESERVED
		reserved[0] = MAX(reserved[0], ticks[0]);
		reserved[1] = MAX(reserved[1], ticks[1]);
#endif
#ifndef MUTATE_RESTORE_NO_LAST
		d_step {
			last[0] = MAX(last[0], ticks[0]);
			last[1] = MAX(last[1], ticks[1])
		};
#endif
#ifndef MUTATE_RESTORE_NO_HEAD
		do
		:: seen = head;
			if
			:: TICK(seen) > ticks[PLANE(seen)] ->
				break
			:: d_step {
					TICK(seen) <= ticks[PLANE(seen)] && head == seen ->
					set_head(HEAD(ticks[PLANE(seen)], PLANE(seen), CAPACITY))
				};
				break
			:: TICK(seen) <= ticks[PLANE(seen)] && head != seen
			fi
		od;
#endif
#if !defined(MUTATE_RESTORE_NO_EPOCH) && !defined(MUTATE_RESTORE_EPOCH_FIRST)
		lease_epoch++;
#endif
		skip
	fi;
	d_step {
		locked = false;
		restored[0] = ticks[0];
		restored[1] = ticks[1];
		restore_returned = true;
		ticks[0] = 0;
		ticks[1] = 0;
		seen = EMPTY
	}
}

/*
 * "unless" takes a process out of whatever it is doing: this is how it is lost
 * in a crash.  Here it begins anew at once, as one of the server's next life.
 */
#define PRESENT		(losing == 0 || losing == _pid)

proctype backend() provided (PRESENT)
{
	byte seen, now, lease, left, own_epoch, plane;
	bool after_restore;

	do
	:: {
			generate()
		} unless {
			d_step {
				losing == _pid ->
				losing = _pid + 1;
				plane = 0;
				drop_lease();
				forget()
			}
		}
	od
}

proctype restorer() provided (PRESENT)
{
	byte seen, ticks[2];

end:
	do
	:: {
			restore()
		} unless {
			d_step {
				losing == _pid ->
				losing = 0;
				ticks[0] = 0;
				ticks[1] = 0;
				seen = EMPTY
			}
		}
	od
}

/* Forward tick by tick, which nobody has to notice, and back to any tick */
inline jump_back(ticks)
{
	d_step {
		jumps_back > 0 && clock > ticks ->
		jumps_back--;
		clock = clock - ticks
	}
}

proctype wall_clock() provided (losing == 0)
{
end:
	do
	:: clock < TICKS -> clock++
	:: jump_back(1)
	:: jump_back(2)
	:: jump_back(3)
	od
}

/* Shared memory is lost; the record stays, flushed or not */
inline lose_memory()
{
	crashes--;
	losing = 1;
	head = EMPTY;
	reserved[0] = 0;
	reserved[1] = 0;
	last[0] = 0;
	last[1] = 0;
	lease_epoch = 0;
	locked = false;
	SWITCH_LOCKED = false;
#ifdef CHECK_HEAD
	heads[0] = 0;
	heads[1] = 0
#endif
}

proctype crash() provided (losing == 0)
{
end:
	do
	:: d_step {
			crashes > 0 ->
			inserted[0] = flushed[0];
			inserted[1] = flushed[1];
			lose_memory()
		}
	:: d_step {
			crashes > 0 &&
			(inserted[0] != flushed[0] || inserted[1] != flushed[1]) ->
			flushed[0] = inserted[0];
			flushed[1] = inserted[1];
			lose_memory()
		}
	od
}

init
{
	byte number;

	/* A process is known by its _pid: 1 to BACKENDS, the restorer comes next */
	atomic {
		do
		:: number < BACKENDS ->
			run backend();
			number++
		:: else ->
			break
		od;
		run restorer();
		run wall_clock();
		run crash();
		number = 0
	}
}
