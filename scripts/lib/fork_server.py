"""Fork servers of ffmpeg and ffprobe (fork-server.c): tests start them thousands of times, which is mostly the loading of libraries.

    with fork_server.running():
        subprocess.run([fork_server.client("ffprobe"), "-v", "error", path])

While they run, RUSHES_FORK_SERVERS names a folder with a client of each; without it the programs themselves are started.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
BUILT = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build/fork-server")
VARIABLE = "RUSHES_FORK_SERVERS"
PROGRAMS = ("ffmpeg", "ffprobe")


def built(name, options, *parts):
    """Compiles one of them where it is older than its sources, and returns its path."""
    path, sources = os.path.join(BUILT, name), [os.path.join(HERE, part) for part in (name + ".c", *parts)]
    newest = max(map(os.path.getmtime, [*sources, os.path.join(HERE, "fork-server.h")]))
    if not os.path.exists(path) or os.path.getmtime(path) < newest:
        os.makedirs(BUILT, exist_ok=True)
        # Others may compile it at the same time: each puts a whole one in its place.
        part = f"{path}.{os.getpid()}"
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O2", *options, "-o", part, *sources], check=True)
        os.rename(part, path)
    return path


def start(program, folder):
    """Starts the server of one program. Returns it, and the descriptor for whose end it waits."""
    client = os.path.join(folder, os.path.basename(program))
    os.symlink(built("fork-server-client", ["-static"]), client)
    library = built("fork-server", ["-shared", "-fPIC"], "fork-server-child.c")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(client + ".socket")
        # From here on clients wait for it instead of going without.
        listener.listen(512)
        ours, theirs = os.pipe()
        try:
            server = subprocess.Popen([program], stdin=listener, stdout=theirs, env={**os.environ, "LD_PRELOAD": library})
        finally:
            os.close(theirs)
    return server, ours


@contextlib.contextmanager
def running(programs=PROGRAMS):
    """Runs the servers of those programs that are installed, by their names, unless some run already."""
    if VARIABLE in os.environ:
        yield {}
        return
    servers = {}
    with tempfile.TemporaryDirectory(prefix="rushes-fork-") as folder:
        try:
            for program in filter(None, map(shutil.which, programs)):
                servers[os.path.basename(program)] = start(program, folder)
            os.environ[VARIABLE] = folder
            yield {name: server for name, (server, _) in servers.items()}
        finally:
            os.environ.pop(VARIABLE, None)
            for server, ours in servers.values():
                os.close(ours)
                # Waited for: what it has used of the processors counts as ours.
                server.wait()


def client(name):
    """What to start in the place of a program."""
    path = os.path.join(os.environ.get(VARIABLE, ""), name)
    return path if VARIABLE in os.environ and os.access(path, os.X_OK) else name
