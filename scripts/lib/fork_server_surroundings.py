"""What a program finds around it, for check-fork-server: the same whether a fork server runs it or not."""

import json
import os
import resource
import signal
import subprocess

import fork_server  # beside this script

PYTHON = "/usr/bin/python3"

# What it tells: who is its parent, and all that it has from whoever started it.
TELLS = r"""
import json, os, resource, signal, stat, sys, threading, time
# What is blocked and was sent is handed on by the one that it was sent to, which may come later than what is started.
ends = time.monotonic() + 60
while signal.SIGHUP in signal.pthread_sigmask(signal.SIG_BLOCK, []) and signal.SIGHUP not in signal.sigpending():
    if time.monotonic() > ends: break
    time.sleep(0.02)
def status(name):
    return next(line.split()[1] for line in open("/proc/self/status") if line.startswith(name + ":"))
def file(number):
    try: found = os.fstat(number)
    except OSError: return None
    return [found.st_dev, found.st_ino, os.lseek(number, 0, os.SEEK_CUR) if stat.S_ISREG(found.st_mode) else 0]
mask = os.umask(0)
print(json.dumps({"parent": os.getppid(), "arguments": sys.orig_argv, "program": os.readlink("/proc/self/exe"),
    "name": open("/proc/self/comm").read(), "environment": dict(os.environ), "folder": os.getcwd(), "mask": mask,
    "limits": {number: resource.getrlimit(number) for number in range(16)},
    "nice": os.nice(0), "policy": os.sched_getscheduler(0), "processors": sorted(os.sched_getaffinity(0)),
    "group": os.getpgid(0), "session": os.getsid(0) == os.getpid() or os.getsid(0),
    "users": [os.getresuid(), os.getresgid(), os.getgroups()],
    "blocked": status("SigBlk"), "ignored": status("SigIgn"), "handled": status("SigCgt"), "pending": status("ShdPnd"),
    "capabilities": status("CapEff"), "threads": status("Threads"),
    "files": [file(number) for number in range(64) if number != 3] + [file(3) is None],
    "namespaces": [os.readlink("/proc/self/ns/" + name) for name in sorted(os.listdir("/proc/self/ns"))],
    "stack": threading.stack_size()}))
"""


def told(program, expect, **options):
    """What it tells, and who is its parent."""
    with subprocess.Popen(
            [program, "-c", TELLS, "argument"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        output, errors = process.communicate()
    if process.returncode != 0:
        expect(False, f"it tells nothing: {errors.decode()[-500:]}")
        return {}, None
    answer = json.loads(output)
    # The group of whoever was started, in its place or not.
    answer["group"] = "own" if answer["group"] == process.pid else answer["group"]
    # A pipe of each run's own.
    answer["files"][1:3] = []
    return answer, answer.pop("parent")


def limits():
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 4096))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 21))
    resource.setrlimit(resource.RLIMIT_CPU, (77, 78))


def signals():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGHUP])
    os.kill(os.getpid(), signal.SIGHUP)


def cases(client):
    """Those in which the server runs it, and those in which it cannot."""
    variables = {"PATH": os.environ["PATH"], fork_server.VARIABLE: os.environ[fork_server.VARIABLE]}
    served = {
        "as it is": {}, "another folder": {"cwd": "/usr"}, "limits": {"preexec_fn": limits}, "signals": {"preexec_fn": signals},
        "a mask": {"umask": 0o027}, "a priority": {"preexec_fn": lambda: os.nice(7)}, "a group": {"process_group": 0},
        "one processor": {"preexec_fn": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})},
        "an environment": {"env": {**variables, "TZ": "Asia/Tokyo", "LANG": "C.UTF-8", "EMPTY": "", "LINES": "a\nb"}}}
    plain = {
        "libraries elsewhere": {"env": {**os.environ, "LD_LIBRARY_PATH": "/nowhere"}},
        "OpenMP's threads": {"env": {**os.environ, "OMP_NUM_THREADS": "1"}},
        "another stack": {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 22, 1 << 23))},
        "a session": {"start_new_session": True},
        "another descriptor": {"pass_fds": [9], "preexec_fn": lambda: os.dup2(0, 9)},
        "another policy": {"preexec_fn": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))},
        "no input": {"stdin": None, "preexec_fn": lambda: os.close(0)},
        "no server": {"env": {name: value for name, value in os.environ.items() if name != fork_server.VARIABLE}}}
    if os.geteuid() == 0:
        # Who may reach the client.
        os.chmod(os.path.dirname(client), 0o755)
        plain["another user"] = {"user": 65534, "group": 65534, "extra_groups": []}
    return served, plain


def surroundings(folder, server, expect):
    """All that it finds around it is the same, in each of these."""
    client, path = fork_server.client("python3"), os.path.join(folder, "input")
    with open(path, "w", encoding="utf-8") as file:
        file.write("abcdef")
    for some, is_served in zip(cases(client), (True, False)):
        for name, options in some.items():
            with open(path, "rb", buffering=0) as stdin:
                stdin.seek(2)
                options = {"stdin": stdin, **options}
                (expected, _), (found, parent) = told(PYTHON, expect, **options), told(client, expect, **options)
            expect((parent == server) == is_served, f"{name}: its parent is {parent}, and the server {server}")
            for key, value in expected.items():
                expect(found.get(key) == value, f"{name}: {key} is {found.get(key)} instead of {value}")
    if os.geteuid() == 0:
        answer = subprocess.run(
            ["unshare", "--mount", client, "-c", "import os; print(os.getppid())"], capture_output=True, check=False)
        expect(answer.returncode == 0 and answer.stdout != b"%d\n" % server, "it leaves a namespace")
    other = os.path.join(folder, "bin")
    os.mkdir(other)
    with open(os.path.join(other, "python3"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho another\n")
    os.chmod(file.name, 0o755)
    answer = subprocess.run([client], env={**os.environ, "PATH": f"{other}:/usr/bin:/bin"}, capture_output=True, check=False)
    expect(answer.stdout == b"another\n", f"of two in PATH the first is not taken: {answer}")
    answer = subprocess.run([client], env={**os.environ, "PATH": other + "/none"}, capture_output=True, check=False)
    expect(answer.returncode == 127, f"one that is not installed is started: {answer}")
