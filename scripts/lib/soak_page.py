"""An attack on the page from this machine, beside a recording: what scripts/soak page does."""

import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

HEAD = 5 << 20


class Attack:
    """Strangers without the token. All they send stays on this machine, and ends when the time is up."""

    def __init__(self, port, connections):
        self.port, self.connections = port, connections
        self.answers, self.held, self.most = {}, 0, 0

    def count(self, answer):
        status = answer[9:12].decode("ascii", "replace") if answer.startswith(b"HTTP/1.1 ") else "closed"
        self.answers[status] = self.answers.get(status, 0) + 1

    async def open(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.held += 1
        self.most = max(self.most, self.held)
        return reader, writer

    async def close(self, writer):
        self.held -= 1
        writer.close()

    async def again(self, body, pause):
        """Does one thing again and again, whatever became of it."""
        while True:
            try:
                reader, writer = await self.open()
            except OSError:
                await asyncio.sleep(pause)
                continue
            try:
                await body(reader, writer)
            except OSError:
                self.count(b"")
            finally:
                await self.close(writer)
            await asyncio.sleep(pause)

    async def large_head(self, reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(HEAD // 65536):
            writer.write(b"a" * 65536)
            await writer.drain()
            if reader.at_eof():
                break
        self.count(await reader.read(4096))

    async def slow(self, reader, writer, begin):
        writer.write(begin)
        while not reader.at_eof():
            writer.write(b"x")
            await writer.drain()
            try:
                self.count(await asyncio.wait_for(reader.read(4096), 1))
                return
            except asyncio.TimeoutError:
                pass

    async def hold(self, reader, writer):
        self.count(await reader.read(4096))

    async def events(self, reader, writer):
        writer.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        self.count(await reader.read(4096))
        while await reader.read(65536):
            pass

    async def run(self, seconds):
        host = f"Host: 127.0.0.1:{self.port}\r\n".encode()
        head = b"GET / HTTP/1.1\r\n" + host + b"X: "
        body = b"POST /activities/x/stop HTTP/1.1\r\n" + host + b"Content-Length: 4096\r\n\r\n"
        share = self.connections // 5
        doings = [(self.large_head, 0.25)] * 2
        doings += [(lambda r, w: self.slow(r, w, head), 0.1)] * share + [(lambda r, w: self.slow(r, w, body), 0.1)] * share
        doings += [(self.events, 0.1)] * share + [(self.hold, 0.1)] * (self.connections - 3 * share)
        tasks = [asyncio.create_task(self.again(*doing)) for doing in doings]
        await asyncio.sleep(seconds)
        # However slowly they come to it, it is to become an attack.
        end = time.monotonic() + 120
        while time.monotonic() < end and (not self.answers.get("431") or self.most < self.connections):
            await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def ask(link, path="page/words.js"):
    """A person's request with the token; returns the status and the seconds that it took."""
    root, token = re.match(r"(.*/)\?token=(.*)", link).groups()
    began = time.monotonic()
    result = subprocess.run(
        ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-m", "60", "-H", f"Authorization: Bearer {token}", root + path],
        capture_output=True, text=True, check=False)
    return result.stdout, time.monotonic() - began


def used(pid):
    """Processor seconds and the most megabytes of a process."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status") as status:
        peak = int(re.search(r"VmHWM:\s*(\d+) kB", status.read())[1]) / 1024
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak


def states(folder):
    """What the take has told so far."""
    with open(os.path.join(folder, "events"), encoding="utf-8") as file:
        return [json.loads(line)["content-state"] for line in file if line.endswith("\n")]


def attack(port, connections, seconds):
    """In a process of its own that makes way for everything else: its work is not the page's."""
    pid = os.fork()
    if pid:
        return pid
    os.nice(19)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    strangers = Attack(port, connections)
    asyncio.run(strangers.run(seconds))
    words = ", ".join(f"{count} {status}" for status, count in sorted(strangers.answers.items()))
    print(f"strangers: at most {strangers.most} connections at once; answers: {words}", flush=True)
    faults = not strangers.answers.get("431") or strangers.most < connections
    os._exit(1 if faults else 0)


def page(chosen):
    seconds = chosen.count or 60
    with tempfile.TemporaryDirectory(prefix="rushes-soak.") as folder, contextlib.ExitStack() as stack:
        environment = {**os.environ, "XDG_STATE_HOME": os.path.join(folder, "state"), "XDG_RUNTIME_DIR": folder}

        def start(arguments, output):
            process = subprocess.Popen([chosen.rushes, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.DEVNULL, text=True)
            # Nothing outlives the soak, whatever becomes of it.
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        path, events = os.path.join(folder, "take.mp4"), stack.enter_context(open(os.path.join(folder, "events"), "w", encoding="utf-8"))
        server = start(["serve", "--listen", "127.0.0.1:0"], subprocess.PIPE)
        link = server.stdout.readline().strip()
        take = start(["record", path, "--json", "--progress", "none", "--camera", chosen.camera, "--microphone", chosen.microphone,
                      "--codec", chosen.codec or "h264", "--duration", f"{seconds}s"], events)
        while not any(state["phase"] == "running" for state in states(folder)):
            if take.poll() is not None:
                sys.exit("the take did not begin")
            time.sleep(0.05)
        faults = attacked(chosen, server, link, take, seconds)
        last = states(folder)[-1]
        found = json.loads(subprocess.run(
            ["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries",
             "stream=nb_read_packets,duration", "-of", "json", path],
            capture_output=True, text=True, check=True).stdout)["streams"][0]
    frames, dropped = int(found["nb_read_packets"]), last.get("framesDropped", 0)
    print(f"the take: {frames} frames in {float(found['duration']):.2f} s, {dropped} dropped; exit status {take.returncode}")
    if take.returncode != 0 or (dropped and not chosen.may_drop):
        faults.append("the take lost something")
    print("\n".join(faults) or "nothing was lost, and nobody was kept out")
    return bool(faults)


def attacked(chosen, server, link, take, seconds):
    """Attacks until the take has ended, asks as a person with the token meanwhile, and ends the server; returns what was wrong."""
    strangers = attack(int(re.search(r":(\d+)/", link)[1]), 500, seconds)
    faults, waits, start = [], [], time.monotonic()
    end = start + seconds - 1
    while time.monotonic() < end:
        status, wait = ask(link)
        waits.append(wait)
        if status != "200":
            faults.append(f"the person with the token got '{status}' after {wait:.1f} s")
        time.sleep(0.5)
    take.wait()
    if os.waitstatus_to_exitcode(os.waitpid(strangers, 0)[1]) != 0:
        faults.append("the attack was none: no 431, or too few connections")
    cpu, memory = used(server.pid)
    began = time.monotonic()
    lasted = began - start
    server.send_signal(signal.SIGTERM)
    try:
        status = server.wait(60)
    except subprocess.TimeoutExpired:
        status = "nothing for a minute"
    ended = time.monotonic() - began
    print(f"the page: {cpu:.1f} s of processor time in {lasted:.0f} s, at most {memory:.0f} MB; answers in {max(waits):.2f} s at most; "
          f"{ended:.2f} s after SIGTERM: {status}")
    if status != 0 or (ended > 5 and not chosen.may_drop):
        faults.append("SIGTERM was not obeyed")
    if memory > 300 or cpu > lasted / 2:
        faults.append("the page took too much")
    return faults
