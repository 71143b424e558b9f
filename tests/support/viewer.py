"""A viewer as a process of its own, and requests to it that no browser would send."""

import http.client
import json
import re
import select
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import urlparse

import knead_cli as cli

# A pool, and a jet that no body is of; not as fine as it would be by itself.
POOL = """\
format = 1
[scene]
name = "pool"
dimension = 2
duration = 0.3
fps = 20
domain = { min = [0, 0], max = [1, 1] }
[solver]
method = "liquid"
dx = 0.05
[materials.water]
preset = "water"
[[body]]
name = "pool"
material = "water"
particles_per_cell = 4
shape = { type = "box", center = [0.5, 0.15], size = [1, 0.3] }
[[source]]
name = "nozzle"
material = "water"
particles_per_cell = 4
shape = { type = "box", center = [0.05, 0.8], size = [0.1, 0.1] }
velocity = [2, 0]
[[collider]]
name = "post"
shape = { type = "box", center = [0.7, 0.1], size = [0.1, 0.2] }
"""


class Viewer:
    """`knead view ARGUMENTS` at a port, or one of its own, until end()."""

    def __init__(self, *arguments, cwd=None, port=0):
        self.process = subprocess.Popen([cli.KNEAD, "view", *map(str, arguments), "--port", str(port)], cwd=cwd, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        printed, last = b"", time.monotonic() + 60
        while b"\n" not in printed and select.select([self.process.stdout], [], [], max(0, last - time.monotonic()))[0]:
            if not (more := self.process.stdout.read(4096)):
                break
            printed += more
        self.url, _, self.printed = printed.decode().partition("\n")
        if not self.url:
            raise AssertionError(f"no address: {self.end()}")
        parsed = urlparse(self.url)
        self.port = parsed.port
        self.token = parsed.fragment.removeprefix("token=")

    def end(self):
        """Ends it as Ctrl-C does; gives what it said on stderr. What it printed after its address is in `out`."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=30)
            self.out, self.err = self.printed + out.decode(), err.decode()
        except ValueError:  # ended before
            pass
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.err

    def ask(self, path, method="GET", body=None, **headers):
        """Status and bytes of an answer. `headers` take the place of the usual ones; None leaves one out."""
        sent = {"Host": f"127.0.0.1:{self.port}", "X-Knead-Token": self.token}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def json(self, path):
        status, body = self.ask(path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def command(self, **order):
        return self.ask("/api/command", "POST", json.dumps(order).encode())

    def raw(self, text, wait=10):
        """What comes back for these bytes, until the viewer closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            answer = b""
            try:
                connection.sendall(text)
                while chunk := connection.recv(65536):
                    answer += chunk
            except (ConnectionResetError, BrokenPipeError):
                pass
            except TimeoutError:
                answer += b" (still open)"
            return answer

    def memory(self):
        """Bytes in use now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def until(self, done, seconds=30):
        """Waits until done(state) holds; gives the state."""
        end = time.monotonic() + seconds
        while True:
            state = self.json("/api/state")
            if done(state):
                return state
            assert time.monotonic() < end, state
            time.sleep(0.05)
