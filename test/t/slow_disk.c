/*
 * slow_disk.c
 *		A disk that takes its time: fdatasync() lasts as many milliseconds longer
 *		as the file SLOW_DISK says, and ends early if that becomes less.
 *
 * Preloaded by waits.pl.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PIECE_MS	10

static long
delay_ms(void)
{
	const char *name = getenv("SLOW_DISK");
	FILE	   *handle = name ? fopen(name, "r") : NULL;
	long		ms = 0;

	if (handle)
	{
		if (fscanf(handle, "%ld", &ms) != 1)
			ms = 0;
		fclose(handle);
	}
	return ms;
}

int
fdatasync(int file)
{
	long		ms;

	for (ms = 0; ms < delay_ms(); ms += PIECE_MS)
	{
		struct timespec piece = {.tv_nsec = PIECE_MS * 1000000};

		while (nanosleep(&piece, &piece) != 0)
			 /* a signal does not make a disk faster */ ;
	}
	return (int) syscall(SYS_fdatasync, file);
}
