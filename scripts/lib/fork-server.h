// What fork-server.c and fork-server-client.c say to each other, over a socket of the file system.
//
// Where a process is there for it, which tells READY, the client sends a `struct request` with four descriptors (its folder, and 0 to
// 2), then its arguments and its environment. The answers are STARTED with a descriptor of the process, just before that begins, and
// ENDED with its wait status (waitpid(2)). Where there is an ENDED without a STARTED, nothing has begun.
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READY = 'r', STARTED = 's', ENDED = 'e' };
enum { LIMITS = RLIM_NLIMITS };

// What a process cannot take over from another one.
struct surroundings {
    uid_t user;
    gid_t group;
    pid_t session;
    int policy;
    dev_t root_device;
    ino_t root, namespaces[7];
    // Of threads, read before `main`.
    struct rlimit stack;
};

struct request {
    struct surroundings surroundings;
    struct rlimit limits[LIMITS];
    cpu_set_t processors;
    // Bit n - 1 is signal n.
    uint64_t blocked, ignored;
    pid_t process_group;
    mode_t mask;
    int nice;
    // `bytes` of strings, each with its end: the arguments, then the environment.
    uint32_t arguments, variables, bytes;
};

// What `main` is given.
struct words {
    int count;
    char **arguments, **variables;
};

// In fork-server-child.c: to be called in the new process.
struct words become(int connection, pid_t server, const char *program);

// All bytes are set, so that two can be compared as bytes.
static inline void look_around(struct surroundings *here) {
    static const char *const names[] = {"mnt", "user", "pid", "net", "ipc", "uts", "cgroup"};
    struct stat found;
    memset(here, 0, sizeof *here);
    here->user = geteuid();
    here->group = getegid();
    here->session = getsid(0);
    here->policy = sched_getscheduler(0);
    if (stat("/", &found) == 0) {
        here->root_device = found.st_dev;
        here->root = found.st_ino;
    }
    for (int index = 0; index < 7; index++) {
        char path[32] = "/proc/self/ns/";
        if (stat(strcat(path, names[index]), &found) == 0)
            here->namespaces[index] = found.st_ino;
    }
    getrlimit(RLIMIT_STACK, &here->stack);
}
