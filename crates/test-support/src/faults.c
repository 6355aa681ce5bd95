/* Loaded before the C library. Counts the changes of a process in a folder, and makes one of the changes fail or kills
 * the process. faults.rs builds and loads it, and sets the variables. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long counted;
static long chosen;
static int error, kills, stays, log_file = -1;
static char folder[PATH_MAX];
static size_t folder_length;

__attribute__((constructor)) static void begin(void) {
    const char *in = getenv("FAULT_FOLDER");
    if (!in || !realpath(in, folder)) return;
    folder_length = strlen(folder);
    chosen = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
    const char *kind = getenv("FAULT_KIND") ? getenv("FAULT_KIND") : "";
    kills = !strcmp(kind, "kill");
    stays = !strcmp(kind, "full");
    error = stays ? ENOSPC : EIO;
    const char *log = getenv("FAULT_LOG");
    if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    /* Child processes are not changed. */
    unsetenv("LD_PRELOAD");
}

static int is_inside(const char *path) {
    if (!folder_length) return 0;
    char full[PATH_MAX * 2];
    if (path[0] != '/') {
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here)) return 0;
        snprintf(full, sizeof full, "%s/%s", here, path);
        path = full;
    }
    return !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

static int path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    if (n < 0) return 0;
    path[n] = 0;
    return is_inside(path);
}

static void stop(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Counts a change. Returns whether it must fail. */
static int fails(const char *what, const char *path) {
    long n = atomic_fetch_add(&counted, 1) + 1;
    if (log_file >= 0) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%ld %s %s\n", n, what, path);
        syscall(SYS_write, log_file, line, (size_t)length);
    }
    if (!chosen || n < chosen || (n > chosen && !stays)) return 0;
    /* Removing files and changing permissions work on a full disk. */
    if (stays && (!strcmp(what, "remove") || !strcmp(what, "chmod"))) return 0;
    errno = error;
    return 1;
}

/* Counts a change before it is done, and returns an error or kills the process if it must fail. */
#define CHANGE(what, path)                   \
    if (is_inside(path) && fails(what, path)) { \
        if (kills) stop();                   \
        return -1;                           \
    }
#define CHANGE_FILE(what, file)                  \
    char path[PATH_MAX];                         \
    if (path_of(file, path) && fails(what, path)) { \
        if (kills) stop();                       \
        return -1;                               \
    }
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(int at, const char *path, int flags, mode_t mode) {
    if (flags & (O_CREAT | O_TRUNC)) CHANGE("create", path)
    return (int)syscall(SYS_openat, at, path, flags, mode);
}

#define MODE                        \
    mode_t mode = 0;                \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
        va_list more;               \
        va_start(more, flags);      \
        mode = va_arg(more, mode_t); \
        va_end(more);               \
    }
int open(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return opened(at, path, flags, mode); }

ssize_t write(int file, const void *bytes, size_t n) {
    char path[PATH_MAX];
    if (path_of(file, path) && fails("write", path)) {
        /* Half of the bytes are written before the fault. */
        if (n > 1 && (kills || (stays && atomic_load(&counted) == chosen))) {
            ssize_t done = syscall(SYS_write, file, bytes, n / 2);
            if (!kills && done > 0) return done;
        }
        if (kills) stop();
        errno = error;
        return -1;
    }
    return syscall(SYS_write, file, bytes, n);
}

ssize_t writev(int file, const struct iovec *pieces, int n) {
    CHANGE_FILE("write", file)
    return syscall(SYS_writev, file, pieces, n);
}

int fsync(int file) { CHANGE_FILE("sync", file) return (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { CHANGE_FILE("sync", file) return (int)syscall(SYS_fdatasync, file); }
int fchmod(int file, mode_t mode) { CHANGE_FILE("chmod", file) return (int)syscall(SYS_fchmod, file, mode); }
int ftruncate64(int file, off64_t n) { CHANGE_FILE("truncate", file) return (int)syscall(SYS_ftruncate, file, n); }
int ftruncate(int file, off_t n) { CHANGE_FILE("truncate", file) return (int)syscall(SYS_ftruncate, file, n); }
int rename(const char *from, const char *to) { CHANGE("rename", to) return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0); }
int unlink(const char *path) { CHANGE("remove", path) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
int mkdir(const char *path, mode_t mode) { CHANGE("folder", path) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode); }
int link(const char *from, const char *to) { CHANGE("link", to) return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int a, const char *from, int b, const char *to, int flags) { CHANGE("link", to) return (int)syscall(SYS_linkat, a, from, b, to, flags); }
