"""What keeps the machine busy beside what scripts/soak looks at."""

import contextlib
import subprocess
import sys


@contextlib.contextmanager
def busy(loops):
    """So many busy loops, as anybody's programs would be, with the priority of the recorder."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()
