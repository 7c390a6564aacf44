// What fork-server.c has just forked becomes what its client would have been, had that started the program.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "fork-server.h"

// Whether it is read before `main`: by the loader, the allocator, OpenMP or GLib.
static int is_early(const char *variable) {
    static const char *const beginnings[] = {"LD_", "GLIBC_", "MALLOC_", "OMP_", "GOMP_", "G_"};
    for (unsigned index = 0; index < sizeof beginnings / sizeof *beginnings; index++)
        if (strncmp(variable, beginnings[index], strlen(beginnings[index])) == 0)
            return 1;
    return 0;
}

// Whether a client's variables that are read before `main` are this process' own.
static int has_same_early(char **theirs) {
    int own = 0;
    for (char **variable = environ; *variable; variable++)
        own += is_early(*variable);
    for (; *theirs; theirs++) {
        char **variable = environ;
        if (!is_early(*theirs))
            continue;
        while (*variable && strcmp(*variable, *theirs) != 0)
            variable++;
        if (!*variable)
            return 0;
        own--;
    }
    return own == 0;
}

static void take_signals(const struct request *request) {
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        // What a library handles since it was loaded stays so.
        if (sigaction(number, NULL, &action) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN))
            continue;
        action.sa_handler = request->ignored >> (number - 1) & 1 ? SIG_IGN : SIG_DFL;
        sigaction(number, &action, NULL);
    }
}

static int receive_all(int from, void *buffer, size_t size) {
    return recv(from, buffer, size, MSG_WAITALL) == (ssize_t)size;
}

// The descriptors that come with a request's first byte.
static int receive_request(int from, struct request *request, int descriptors[4]) {
    char control[CMSG_SPACE(4 * sizeof(int))];
    struct iovec part = {request, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(from, &message, 0) != 1)
        return 0;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (!head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(4 * sizeof(int)))
        return 0;
    memcpy(descriptors, CMSG_DATA(head), 4 * sizeof(int));
    return receive_all(from, (char *)request + 1, sizeof *request - 1);
}

static int send_started(int to) {
    char byte = STARTED, control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    int self = syscall(SYS_pidfd_open, getpid(), 0);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){CMSG_LEN(sizeof self), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &self, sizeof self);
    return self >= 0 && sendmsg(to, &message, MSG_NOSIGNAL) == 1;
}

// Reads the request, and takes over what the client has. The process ends where it cannot be what the client would have been, which then
// becomes the program itself.
struct words become(int connection, pid_t server, const char *program) {
    struct request request;
    struct surroundings here;
    int descriptors[4];
    uint64_t all = ~(uint64_t)0;
    // As the kernel counts signals: glibc's own call leaves out two. What comes from now on waits for the program's own mask.
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof all);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char ready = READY;
    if (getppid() != server || send(connection, &ready, 1, MSG_NOSIGNAL) != 1 || !receive_request(connection, &request, descriptors))
        _exit(0);
    char *text = malloc(request.bytes);
    char **words = calloc(request.arguments + request.variables + 2, sizeof *words);
    if (!text || !words || request.arguments == 0 || !receive_all(connection, text, request.bytes))
        _exit(0);
    char **variables = words + request.arguments + 1;
    for (uint32_t index = 0; index < request.arguments; index++, text += strlen(text) + 1)
        words[index] = text;
    for (uint32_t index = 0; index < request.variables; index++, text += strlen(text) + 1)
        variables[index] = text;
    look_around(&here);
    if (memcmp(&here, &request.surroundings, sizeof here) != 0 || strcmp(words[0], program) != 0
        || !has_same_early(variables))
        _exit(0);
    if (fchdir(descriptors[0]) != 0 || setpgid(0, request.process_group) != 0
        || setpriority(PRIO_PROCESS, 0, request.nice) != 0
        || sched_setaffinity(0, sizeof request.processors, &request.processors) != 0)
        _exit(0);
    umask(request.mask);
    for (int index = 0; index < 3; index++)
        dup2(descriptors[index + 1], index);
    take_signals(&request);
    program_invocation_name = words[0];
    program_invocation_short_name = strrchr(words[0], '/') ? strrchr(words[0], '/') + 1 : words[0];
    for (int index = 0; index < LIMITS; index++)
        if (setrlimit(index, &request.limits[index]) != 0)
            _exit(0);
    if (!send_started(connection))
        _exit(0);
    close_range(3, ~0U, 0);
    environ = variables;
    tzset();
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &request.blocked, NULL, sizeof request.blocked);
    return (struct words){request.arguments, words, variables};
}
