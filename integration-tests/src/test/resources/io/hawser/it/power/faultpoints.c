/*
 * Preloaded into a node: counts the calls that change files below given directories, over all threads, and lets a chosen one kill the
 * process, fail, or write only half. Reads are counted by themselves, and a chosen one fails. Commanded through a file that both sides map. strace(1) can do the same to a call, but counts in
 * each thread by itself and knows no directories.
 *
 * FAULTPOINTS_CONTROL  the mapped file: struct control
 * FAULTPOINTS_DIRS     absolute directories, separated by colons
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { PWRITE64, WRITE, FDATASYNC, FSYNC, FTRUNCATE, FALLOCATE, CREATE, RENAME, LINK, UNLINK, MKDIR, RMDIR, READ, PREAD64, KINDS };
enum action { NOTHING, KILL, FAIL, HALF, LIE, FAIL_READ };

struct control {
    int64_t at;        /* the number of the call that it happens at; 0: none */
    int64_t calls;     /* counted so far */
    int64_t action;
    int64_t error;     /* errno of FAIL, and of what follows HALF if sticky */
    int64_t sticky;    /* also at every later call */
    int64_t hits;
    int64_t hit_kind;  /* of the first hit */
    int64_t reads;     /* counted so far, apart from the calls */
    int64_t counts[16];
    char hit_path[512];
    char hit_before[512]; /* of the first hit: the name that its thread had made, changed or removed last */
};

static struct control *control;
static char *directories;
static __thread char before[512];

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAULTPOINTS_CONTROL");
    const char *below = getenv("FAULTPOINTS_DIRS");
    if (file == NULL || below == NULL) return;
    int fd = open(file, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    void *map = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED) return;
    directories = strdup(below);
    control = map;
}

static int inside(const char *path) {
    for (const char *next = directories; next != NULL && *next != 0;) {
        const char *end = strchrnul(next, ':');
        size_t length = (size_t)(end - next);
        if (strncmp(path, next, length) == 0 && (path[length] == '/' || path[length] == 0)) return 1;
        next = *end == 0 ? end : end + 1;
    }
    return 0;
}

static void hit_first(enum kind kind, const char *path) {
    if (__atomic_add_fetch(&control->hits, 1, __ATOMIC_SEQ_CST) == 1) {
        control->hit_kind = kind;
        strncpy(control->hit_path, path, sizeof control->hit_path - 1);
        strncpy(control->hit_before, before, sizeof control->hit_before - 1);
    }
}

static enum action chosen(enum kind kind, const char *path) {
    /* Segments of a log are filled with zeros ahead of need: hundreds of writes that all mean the same. */
    if (kind == PWRITE64 && strstr(path, "/spare-") != NULL) return NOTHING;
    int64_t number = __atomic_add_fetch(&control->calls, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&control->counts[kind], 1, __ATOMIC_SEQ_CST);
    if (control->action == LIE) return kind == FDATASYNC || kind == FSYNC ? LIE : NOTHING;
    int64_t at = control->at;
    if (control->action == FAIL_READ) return NOTHING;
    if (at == 0 || number < at || (number > at && !control->sticky)) return NOTHING;
    hit_first(kind, path);
    if (control->action == KILL) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    if (control->action == HALF && number > at) return FAIL;
    errno = (int)control->error;
    return (enum action)control->action;
}

/* Whether this read is to fail. */
static int read_fails(enum kind kind, int fd) {
    char link[40], path[512];
    if (control == NULL) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int kept = errno;
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = kept;
    if (length <= 0) return 0;
    path[length] = 0;
    if (!inside(path)) return 0;
    int64_t number = __atomic_add_fetch(&control->reads, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&control->counts[kind], 1, __ATOMIC_SEQ_CST);
    int64_t at = control->at;
    if (control->action != FAIL_READ || at == 0 || number < at || (number > at && !control->sticky)) return 0;
    hit_first(kind, path);
    errno = (int)control->error;
    return 1;
}

/* What is to happen to this call now. */
static enum action count(enum kind kind, const char *path) {
    if (control == NULL || !inside(path)) return NOTHING;
    enum action action = chosen(kind, path);
    if (kind >= CREATE) strncpy(before, path, sizeof before - 1);
    return action;
}

static enum action count_fd(enum kind kind, int fd) {
    char link[40], path[512];
    if (control == NULL) return NOTHING;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return NOTHING;
    path[length] = 0;
    return count(kind, path);
}

static enum action count_at(enum kind kind, int directory, const char *path) {
    char link[40], whole[1024];
    if (control == NULL || path == NULL) return NOTHING;
    if (path[0] == '/') return count(kind, path);
    if (directory == AT_FDCWD) return NOTHING; /* the nodes use absolute paths */
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, whole, 500);
    if (length <= 0) return NOTHING;
    snprintf(whole + length, sizeof whole - (size_t)length, "/%s", path);
    return count(kind, whole);
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int failed(enum action action) {
    if (action != FAIL && action != HALF) return 0;
    errno = (int)control->error;
    return 1;
}

/* Half of a write; a file past the page cache takes whole blocks only. */
static size_t half(int fd, size_t length) {
    size_t part = length / 2;
    return fcntl(fd, F_GETFL) & O_DIRECT ? part / 4096 * 4096 : part;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    REAL(pwrite64);
    enum action action = count_fd(PWRITE64, fd);
    if (action == HALF && half(fd, length) > 0) return real(fd, bytes, half(fd, length), offset);
    return failed(action) ? -1 : real(fd, bytes, length, offset);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL(write);
    enum action action = count_fd(WRITE, fd);
    if (action == HALF && half(fd, length) > 0) return real(fd, bytes, half(fd, length));
    return failed(action) ? -1 : real(fd, bytes, length);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) {
    REAL(pread64);
    return read_fails(PREAD64, fd) ? -1 : real(fd, bytes, length, offset);
}

ssize_t read(int fd, void *bytes, size_t length) {
    REAL(read);
    return read_fails(READ, fd) ? -1 : real(fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int number) {
    REAL(writev);
    return failed(count_fd(WRITE, fd)) ? -1 : real(fd, parts, number);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    enum action action = count_fd(FDATASYNC, fd);
    return action == LIE ? 0 : failed(action) ? -1 : real(fd);
}

int fsync(int fd) {
    REAL(fsync);
    enum action action = count_fd(FSYNC, fd);
    return action == LIE ? 0 : failed(action) ? -1 : real(fd);
}

int ftruncate64(int fd, off64_t length) {
    REAL(ftruncate64);
    return failed(count_fd(FTRUNCATE, fd)) ? -1 : real(fd, length);
}

int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
    REAL(fallocate64);
    return failed(count_fd(FALLOCATE, fd)) ? -1 : real(fd, mode, offset, length);
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    struct stat there;
    if ((flags & O_CREAT) && control != NULL && inside(path) && stat(path, &there) != 0 && failed(count(CREATE, path))) return -1;
    return real(path, flags, mode);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return failed(count(RENAME, to)) ? -1 : real(from, to);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
    REAL(renameat);
    return failed(count_at(RENAME, to_directory, to)) ? -1 : real(from_directory, from, to_directory, to);
}

int link(const char *from, const char *to) {
    REAL(link);
    return failed(count(LINK, to)) ? -1 : real(from, to);
}

int unlink(const char *path) {
    REAL(unlink);
    return failed(count(UNLINK, path)) ? -1 : real(path);
}

int unlinkat(int directory, const char *path, int flags) {
    REAL(unlinkat);
    return failed(count_at(UNLINK, directory, path)) ? -1 : real(directory, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return failed(count(MKDIR, path)) ? -1 : real(path, mode);
}

int rmdir(const char *path) {
    REAL(rmdir);
    return failed(count(RMDIR, path)) ? -1 : real(path);
}
