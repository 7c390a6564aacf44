// Starts a program many times for the price of one: nine tenths of what `ffprobe` costs is the loading of its 200 libraries. Preloaded
// into the program, it takes the place of its `main`, when all is loaded, and forks for each request of fork-server-client, whose
// arguments, environment, folder, descriptors 0 to 2, limits, priority and signals the new process takes over before `main`
// runs in it. So it is the same program with the same libraries, and nothing of an earlier one is in it. Only /proc/PID/cmdline is the
// server's.
//
//   cc -shared -fPIC -o fork-server.so fork-server.c fork-server-child.c
//   LD_PRELOAD=./fork-server.so ffprobe <SOCKET >PIPE        scripts/lib/fork_server.py does that
//
// SOCKET listens. When nobody has the other end of PIPE open any more, the server ends, and what it has started with it. It does not
// serve where the program opens files or starts threads before `main`, which a fork would not have.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "fork-server.h"

typedef int main_function(int, char **, char **);
static main_function *program_main;
// Those of the clients, beside each other; further ones run the program themselves.
enum { MOST = 500, LISTENER = 0, OWNER = 1, FIRST = 3 };
static struct client {
    pid_t process, asker;
    int is_stopped;
} clients[MOST];
static struct pollfd polled[FIRST + MOST];
static int count;

static int entries(const char *path) {
    DIR *folder = opendir(path);
    int found = -2;
    while (folder && readdir(folder))
        found++;
    if (folder)
        closedir(folder);
    return found;
}

static void add(int connection, pid_t process) {
    struct ucred asker = {0};
    socklen_t size = sizeof asker;
    getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &asker, &size);
    clients[count] = (struct client){.process = process, .asker = asker.pid};
    // Its end is told without being asked for; the rest is the new process' to read.
    polled[FIRST + count++] = (struct pollfd){.fd = connection};
}

// Those that ended: their clients are told.
static void reap(void) {
    int status;
    for (pid_t process; (process = waitpid(-1, &status, WNOHANG)) > 0;)
        for (int index = 0; index < count; index++) {
            if (clients[index].process != process)
                continue;
            char answer[1 + sizeof status] = {ENDED};
            memcpy(answer + 1, &status, sizeof status);
            if (polled[FIRST + index].fd >= 0) {
                send(polled[FIRST + index].fd, answer, sizeof answer, MSG_NOSIGNAL);
                close(polled[FIRST + index].fd);
            }
            clients[index] = clients[--count];
            polled[FIRST + index] = polled[FIRST + count];
            break;
        }
}

// SIGSTOP reaches no program that could hand it on, and nothing tells of it: the kernel is asked ten times a second.
static void stop_with_client(struct client *client) {
    char path[32], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", client->asker);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t size = read(file, line, sizeof line - 1);
    close(file);
    const char *state = size > 0 ? strrchr(line, ')') : NULL;
    int is_stopped = state && state[2] == 'T';
    // As often as it is seen: a client that went on between two looks has handed that on itself.
    if (is_stopped || client->is_stopped)
        kill(client->process, is_stopped ? SIGSTOP : SIGCONT);
    client->is_stopped = is_stopped;
}

static int serve(int arguments, char **words, __attribute__((unused)) char **variables) {
    // Of entries the folder's own descriptor is one.
    if (arguments != 1 || entries("/proc/self/fd") != 4 || entries("/proc/self/task") != 1) {
        dprintf(2, "fork-server: %s has open files or threads before main\n", words[0]);
        return 1;
    }
    // It is here, and no client has it.
    unsetenv("LD_PRELOAD");
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    pid_t server = getpid();
    polled[0] = (struct pollfd){LISTENER, POLLIN, 0};
    polled[1] = (struct pollfd){OWNER, 0, 0};
    polled[2] = (struct pollfd){signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK), POLLIN, 0};
    for (;;) {
        if (poll(polled, FIRST + count, count > 0 ? 100 : -1) < 0)
            continue;
        if (polled[1].revents)
            return 0;
        for (int index = 0; index < count; index++) {
            if (polled[FIRST + index].fd >= 0 && polled[FIRST + index].revents) {
                // Not reaped yet, so that the number is still its own.
                kill(clients[index].process, SIGKILL);
                close(polled[FIRST + index].fd);
                polled[FIRST + index].fd = -1;
            }
            stop_with_client(&clients[index]);
        }
        if (polled[2].revents) {
            struct signalfd_siginfo told;
            while (read(polled[2].fd, &told, sizeof told) > 0)
                ;
            reap();
        }
        if (!polled[0].revents)
            continue;
        int connection = accept4(LISTENER, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0)
            continue;
        pid_t process = count < MOST ? fork() : -1;
        if (process == 0) {
            struct words own = become(connection, server, words[0]);
            return program_main(own.count, own.arguments, own.variables);
        }
        if (process > 0)
            add(connection, process);
        else
            close(connection);
    }
}

// glibc's own, which the program's first instructions call.
int __libc_start_main(
    main_function *main, int arguments, char **words, void (*begin)(void), void (*end)(void), void (*loader)(void), void *stack
) {
    __typeof__(&__libc_start_main) real = (__typeof__(real))dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = main;
    return real(serve, arguments, words, begin, end, loader, stack);
}
