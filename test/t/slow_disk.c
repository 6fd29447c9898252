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
#include <unistd.h>

static long
delay_ms(void)
{
	FILE	   *handle = fopen(getenv("SLOW_DISK"), "r");
	long		ms;

	if (handle == NULL || fscanf(handle, "%ld", &ms) != 1)
		abort();
	fclose(handle);
	return ms;
}

/* A signal, which ends a sleep, makes a disk faster by 10 ms at most */
int
fdatasync(int file)
{
	for (long ms = 0; ms < delay_ms(); ms += 10)
		usleep(10000);
	return (int) syscall(SYS_fdatasync, file);
}
