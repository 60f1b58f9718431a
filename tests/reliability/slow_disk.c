/* A slow disk for the programs that it is loaded into (LD_PRELOAD): every write to a file of the folder SLOW_FOLDER waits, and
 * the folder MIRROR holds what a power cut would leave: what was written is copied there by fsync and fdatasync alone;
 * what was deleted is gone there at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int path_of(int fd, char *path)
{
    char link[64];
    const char *folder = getenv("SLOW_FOLDER");
    if (folder == NULL)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static void wait_a_little(void)
{
    const char *delay = getenv("SLOW_US");
    usleep(delay == NULL ? 1000 : (useconds_t)atoi(delay));
}

static ssize_t all_written(int fd, const char *data, size_t size)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (real == NULL)
        real = dlsym(RTLD_NEXT, "write");
    return real(fd, data, size);
}

static void keep(int fd)
{
    char path[PATH_MAX], to[PATH_MAX + 64], whole[PATH_MAX + 128], data[1 << 16];
    const char *mirror = getenv("MIRROR");
    if (mirror == NULL || !path_of(fd, path))
        return;
    const char *name = strrchr(path, '/');
    snprintf(to, sizeof to, "%s%s.new", mirror, name);
    snprintf(whole, sizeof whole, "%s%s", mirror, name);
    int in = open(path, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t at = 0;
    ssize_t got;
    while (in >= 0 && out >= 0 && (got = pread(in, data, sizeof data, at)) > 0) {
        if (all_written(out, data, (size_t)got) != got)
            abort();
        at += got;
    }
    if (in >= 0)
        close(in);
    if (out >= 0) {
        close(out);
        rename(to, whole);
    }
}

ssize_t write(int fd, const void *data, size_t size)
{
    char path[PATH_MAX];
    if (path_of(fd, path))
        wait_a_little();
    return all_written(fd, data, size);
}

#define LATE_PWRITE(name, offset)                                                                                            \
    ssize_t name(int fd, const void *data, size_t size, offset at)                                                          \
    {                                                                                                                        \
        static ssize_t (*real)(int, const void *, size_t, offset);                                                           \
        char path[PATH_MAX];                                                                                                 \
        if (real == NULL)                                                                                                    \
            real = dlsym(RTLD_NEXT, #name);                                                                                  \
        if (path_of(fd, path))                                                                                               \
            wait_a_little();                                                                                                 \
        return real(fd, data, size, at);                                                                                     \
    }

LATE_PWRITE(pwrite, off_t)
LATE_PWRITE(pwrite64, off64_t)

#define KEPT_SYNC(name)                                                                                                      \
    int name(int fd)                                                                                                         \
    {                                                                                                                        \
        static int (*real)(int);                                                                                             \
        if (real == NULL)                                                                                                    \
            real = dlsym(RTLD_NEXT, #name);                                                                                  \
        int done = real(fd);                                                                                                 \
        if (done == 0)                                                                                                       \
            keep(fd);                                                                                                        \
        return done;                                                                                                         \
    }

KEPT_SYNC(fsync)
KEPT_SYNC(fdatasync)

int unlink(const char *path)
{
    static int (*real)(const char *);
    char to[PATH_MAX + 64];
    const char *folder = getenv("SLOW_FOLDER"), *mirror = getenv("MIRROR"), *name = strrchr(path, '/');
    if (real == NULL)
        real = dlsym(RTLD_NEXT, "unlink");
    if (folder != NULL && mirror != NULL && name != NULL && strncmp(path, folder, strlen(folder)) == 0) {
        snprintf(to, sizeof to, "%s%s", mirror, name);
        real(to);
    }
    return real(path);
}
