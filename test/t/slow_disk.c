/*
 * slow_disk.c
 *		A disk that takes its time: fdatasync() lasts as many milliseconds longer
 *		as the file SLOW_DISK says.
 *
 * Preloaded by slow_disk.pl.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int
fdatasync(int file)
{
	const char *name = getenv("SLOW_DISK");
	FILE	   *handle = name ? fopen(name, "r") : NULL;
	long		ms = 0;
	struct timespec delay;

	if (handle)
	{
		if (fscanf(handle, "%ld", &ms) != 1)
			ms = 0;
		fclose(handle);
	}
	delay.tv_sec = ms / 1000;
	delay.tv_nsec = ms % 1000 * 1000000;
	while (nanosleep(&delay, &delay) != 0)
		 /* a signal does not make a disk faster */ ;
	return (int) syscall(SYS_fdatasync, file);
}
