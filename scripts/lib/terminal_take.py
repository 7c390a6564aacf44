"""A recording whose keys a script presses and whose events it reads."""

import fcntl
import json
import os
import pty
import signal
import subprocess
import termios
import threading
import time

from soak_unplug import Events


class Take:
    """A recording at a terminal of its own, whose keys are pressed here; its events come through a pipe."""

    def __init__(self, rushes, path, *options):
        self.rushes, self.path = rushes, path
        self.keys, terminal = pty.openpty()
        command = [rushes, "record", path, "--json", "--progress", "none", *options]
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=terminal, stderr=terminal, stdout=subprocess.PIPE, text=True, start_new_session=True,
            # Whoever is not in a terminal's foreground gets no keys.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(terminal)
        threading.Thread(target=self.read_terminal, daemon=True).start()
        self.events = Events(self.process)

    def read_terminal(self):
        """What it says to people; a terminal that nobody reads would hold it up."""
        try:
            while os.read(self.keys, 65536):
                pass
        except OSError:
            pass

    def until(self, words, seconds=120):
        if not self.events.until(words, seconds):
            raise RuntimeError(f"“{words}” was not told; the last event is {json.dumps(self.events.last, ensure_ascii=False)}")

    def press(self, key):
        """Returns when, by the monotonic clock."""
        now = time.monotonic()
        os.write(self.keys, key.encode())
        return now

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.events.until("never told", 60)
        status = self.process.wait(timeout=60)
        os.close(self.keys)
        if status:
            raise RuntimeError(f"rushes ended with {status}: {json.dumps(self.events.last, ensure_ascii=False)}")

    def seconds(self):
        """Processor time until now."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            words = file.read().rpartition(")")[2].split()
        return sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")
