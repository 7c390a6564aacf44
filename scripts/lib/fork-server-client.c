// Is to whoever starts it what the program of its name would be, and lets the fork server of that program run it (fork-server.c).
//
//   cc -static -o ffprobe fork-server-client.c
//   RUSHES_FORK_SERVERS=FOLDER ./ffprobe -v error take.mov        FOLDER/ffprobe.socket is the server's
//
// Signals go on to the program, its end and how it ended are this one's, and this one's end is the program's. Where the server is not
// there, does not answer, or cannot start the program as it would run here, it becomes the program, found in PATH.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "fork-server.h"

// Seconds that a server may take to start the program.
enum { PATIENCE = 10 };

static char *find_program(const char *name) {
    struct stat self, found;
    const char *folders = getenv("PATH");
    if (stat("/proc/self/exe", &self) != 0)
        return NULL;
    for (char *rest = strdup(folders ? folders : "/usr/local/bin:/usr/bin:/bin"), *folder; (folder = strsep(&rest, ":"));) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s", folder, name) > 0 && access(path, X_OK) == 0 && stat(path, &found) == 0
            && (found.st_ino != self.st_ino || found.st_dev != self.st_dev))
            return path;
        free(path);
    }
    return NULL;
}

// Whether there are descriptors beside those that are handed over, or one of those is closed.
static int has_other_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    int found = 0, others = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(folder))
            continue;
        others += atoi(entry->d_name) > 2;
        found++;
    }
    if (folder)
        closedir(folder);
    return others > 0 || found != 3;
}

static int reach(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *folder = getenv("RUSHES_FORK_SERVERS");
    int size = folder ? snprintf(address.sun_path, sizeof address.sun_path, "%s/%s.socket", folder, name) : -1;
    if (size < 0 || size >= (int)sizeof address.sun_path)
        return -1;
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval patience = {PATIENCE, 0};
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0)
        return connection;
    close(connection);
    return -1;
}

static int send_all(int to, const void *data, size_t size) {
    while (size > 0) {
        ssize_t sent = send(to, data, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return 0;
        data = (const char *)data + sent;
        size -= sent;
    }
    return 1;
}

static void add_words(FILE *file, char **words, uint32_t *count) {
    for (*count = 0; *words; words++, ++*count)
        fwrite(*words, 1, strlen(*words) + 1, file);
}

static int send_request(int to, uint64_t blocked, char **words) {
    struct request request = {.blocked = blocked, .process_group = getpgrp(), .nice = getpriority(PRIO_PROCESS, 0)};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    look_around(&request.surroundings);
    sched_getaffinity(0, sizeof request.processors, &request.processors);
    request.mask = umask(0);
    umask(request.mask);
    for (int index = 0; index < LIMITS; index++)
        getrlimit(index, &request.limits[index]);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            request.ignored |= (uint64_t)1 << (number - 1);
    }
    add_words(file, words, &request.arguments);
    add_words(file, environ, &request.variables);
    fclose(file);
    request.bytes = size;

    int descriptors[4] = {open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), 0, 1, 2};
    char control[CMSG_SPACE(sizeof descriptors)] = {0};
    struct iovec part = {&request, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){CMSG_LEN(sizeof descriptors), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(head), descriptors, sizeof descriptors);
    int is_sent = sendmsg(to, &message, MSG_NOSIGNAL) == 1
        && send_all(to, (char *)&request + 1, sizeof request - 1) && send_all(to, text, size);
    close(descriptors[0]);
    return is_sent;
}

// Whether a process is there for it. Only then descriptors are sent: those that nobody takes up would stay open.
static int is_ready(int server) {
    struct pollfd answer = {server, POLLIN, 0};
    char byte;
    return poll(&answer, 1, PATIENCE * 1000) == 1 && recv(server, &byte, 1, 0) == 1 && byte == READY;
}

// A descriptor of the process that runs the program, or -1, where none does or ever will.
static int receive_started(int from) {
    char byte = 0, control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct pollfd answer = {from, POLLIN, 0};
    // From then on it cannot say so any more, and does not begin; what it has said by then is received all the same.
    if (poll(&answer, 1, PATIENCE * 1000) == 0)
        shutdown(from, SHUT_RD);
    if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != 1 || byte != STARTED)
        return -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    int process = -1;
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(&process, CMSG_DATA(head), sizeof process);
    return process;
}

static void die_by(int number) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t one;
    // The program has left its own where it was to leave one.
    prctl(PR_SET_DUMPABLE, 0);
    sigaction(number, &action, NULL);
    raise(number);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

// Hands signals on until the program has ended, and ends as it did.
static void follow(int server, int process, int signals) {
    struct pollfd polled[2] = {{server, POLLIN, 0}, {signals, POLLIN, 0}};
    for (;;) {
        struct signalfd_siginfo told;
        if (poll(polled, 2, -1) < 0)
            continue;
        // A terminal has sent it to the program too, which is of the same group.
        if (polled[1].revents && read(signals, &told, sizeof told) == sizeof told && told.ssi_signo != SIGCHLD
            && told.ssi_code != SI_KERNEL)
            syscall(SYS_pidfd_send_signal, process, told.ssi_signo, NULL, 0);
        if (polled[0].revents)
            break;
    }
    char answer[1 + sizeof(int)];
    int status;
    if (recv(server, answer, sizeof answer, MSG_WAITALL) != sizeof answer || answer[0] != ENDED) {
        // What has begun cannot be done again.
        dprintf(2, "fork-server-client: the server of this program has ended\n");
        syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
        poll(&(struct pollfd){process, POLLIN, 0}, 1, -1);
        die_by(SIGKILL);
    }
    memcpy(&status, answer + 1, sizeof status);
    if (WIFSIGNALED(status))
        die_by(WTERMSIG(status));
    _exit(WEXITSTATUS(status));
}

int main(int arguments, char **words) {
    if (arguments < 1)
        return 127;
    const char *name = strrchr(words[0], '/') ? strrchr(words[0], '/') + 1 : words[0];
    char *program = find_program(name);
    if (!program) {
        dprintf(2, "fork-server-client: %s is not in PATH\n", name);
        return 127;
    }
    words[0] = program;
    uint64_t all = ~(uint64_t)0, blocked;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &blocked, sizeof all);
    int server = has_other_descriptors() ? -1 : reach(name);
    if (server >= 0 && is_ready(server) && send_request(server, blocked, words)) {
        int process = receive_started(server);
        sigset_t every;
        sigfillset(&every);
        if (process >= 0)
            follow(server, process, signalfd(-1, &every, SFD_CLOEXEC));
    }
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, NULL, sizeof blocked);
    execv(program, words);
    return errno == ENOENT ? 127 : 126;
}
