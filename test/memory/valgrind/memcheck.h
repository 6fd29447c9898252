/*
 * memcheck.h
 *		What a server that is built with USE_VALGRIND includes in place of
 *		valgrind's own header: tells AddressSanitizer as well what the server's
 *		memory contexts hand out, if that is loaded, so that one server is good
 *		for both.
 *
 * Neither can see by itself where an allocation of the server ends, because
 * many of them share a block of malloc.
 */
#ifndef SNO_TEST_MEMCHECK_H
#define SNO_TEST_MEMCHECK_H

#include_next <valgrind/memcheck.h>
#include <stddef.h>

extern void __asan_poison_memory_region(void const volatile *start, size_t bytes) __attribute__((weak));
extern void __asan_unpoison_memory_region(void const volatile *start, size_t bytes) __attribute__((weak));

#define CHECKED_REQUEST(region, start, bytes, request, a, b, c, d) \
	do { \
		VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__##request, a, b, c, d, 0); \
		if (__asan_##region##_memory_region) \
			__asan_##region##_memory_region(start, bytes); \
	} while (0)

#undef VALGRIND_MAKE_MEM_NOACCESS
#define VALGRIND_MAKE_MEM_NOACCESS(start, bytes) \
	CHECKED_REQUEST(poison, start, bytes, MAKE_MEM_NOACCESS, start, bytes, 0, 0)

#undef VALGRIND_MAKE_MEM_UNDEFINED
#define VALGRIND_MAKE_MEM_UNDEFINED(start, bytes) \
	CHECKED_REQUEST(unpoison, start, bytes, MAKE_MEM_UNDEFINED, start, bytes, 0, 0)

#undef VALGRIND_MAKE_MEM_DEFINED
#define VALGRIND_MAKE_MEM_DEFINED(start, bytes) \
	CHECKED_REQUEST(unpoison, start, bytes, MAKE_MEM_DEFINED, start, bytes, 0, 0)

#undef VALGRIND_MEMPOOL_ALLOC
#define VALGRIND_MEMPOOL_ALLOC(pool, start, bytes) \
	CHECKED_REQUEST(unpoison, start, bytes, MEMPOOL_ALLOC, pool, start, bytes, 0)

#undef VALGRIND_MEMPOOL_CHANGE
#define VALGRIND_MEMPOOL_CHANGE(pool, before, start, bytes) \
	CHECKED_REQUEST(unpoison, start, bytes, MEMPOOL_CHANGE, pool, before, start, bytes)

#endif
