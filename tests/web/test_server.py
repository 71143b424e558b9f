"""The viewer's server against those who mean it ill or do not know better: refused and told, and the simulation goes on unharmed."""

import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import frames
import knead_cli as cli
import viewer


# Parts of most kinds, shapes within shapes among them.
RICH = cli.BLOCK + """\
[materials.jelly]
model = "neo-hookean"
young = 1e4
[materials."wet clay"]
model = "neo-hookean"
young = 2e4
[[body]]
name = "pair"
material = "wet clay"
shape = { type = "union", of = [{ type = "sphere", center = [0.2, 0.7], radius = 0.08 }, { type = "sphere", center = [0.8, 0.7], radius = 0.08 }] }
velocity = ["-y", 0]
[[collider]]
name = "post"
shape = { type = "box", center = [0.9, 0.1], size = [0.1, 0.2] }
motion = { translate = [0, "0.02*sin(20*t)"], keyframes = [{ time = 0 }, { time = 1, translate = [0.01, 0] }] }
[[grip]]
name = "hold"
body = "pair"
[[probe]]
name = "front"
type = "front"
[[expect]]
name = "it moves"
value = "max(kinetic)"
min = 0
"""


# Matter without a grid, which may be let melt.
WAX = """\
format = 1
[scene]
name = "wax"
dimension = 2
duration = 0.3
fps = 20
[solver]
method = "mls"
dx = 0.05
[materials.wax]
model = "strain-yield"
young = 2e4
[[body]]
name = "block"
material = "wax"
shape = { type = "box", center = [0.5, 0.3], size = [0.5, 0.4] }
[[collider]]
name = "floor"
shape = { type = "plane" }
"""


class Playback(cli.Case):
    """All against one viewer of a finished run."""

    @classmethod
    def setUpClass(cls):
        import shutil
        import tempfile

        cls.shared = Path(tempfile.mkdtemp(prefix="knead-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        (cls.shared / "block.toml").write_text(cli.BLOCK)
        (cls.shared / "secret.txt").write_text("the secret")
        done = cli.knead("run", "block.toml", "--out", "run", "--frames", 3, "-q", cwd=cls.shared)
        assert done.code == 0, done.err
        cls.before = {p: (cls.shared / "run" / p).read_bytes() for p in cli.files_of(cls.shared / "run")}
        cls.viewer = viewer.Viewer("run", cwd=cls.shared)
        cls.addClassCleanup(cls.viewer.end)

    def status_of(self, raw):
        answer = self.viewer.raw(raw)
        self.assertNotIn(b"(still open)", answer, raw[:80])
        return int(answer.split(b" ", 2)[1]) if answer else 0

    def request(self, line="GET /api/state HTTP/1.1", *headers):
        host, token = f"Host: 127.0.0.1:{self.viewer.port}", f"X-Knead-Token: {self.viewer.token}"
        return "\r\n".join([line, host, token, "Connection: close", *headers, "", ""]).encode("latin-1")

    def test_the_state_of_a_finished_run(self):
        state = self.viewer.json("/api/state")
        self.assertEqual(state["frames"], [[1, 4, 1]])
        self.assertEqual(state["status"], "done")

    def test_a_frame_holds_the_positions_and_the_column_of_its_file(self):
        import h5py
        import numpy

        with h5py.File(self.shared / "run/frames/frame.0003.h5") as file:
            x, J_p, v = (file["particles"][name][:] for name in ("x", "J_p", "v"))
        for stride, skip, rows in ((1, 0, slice(None)), (16, 0, slice(None, None, 16)), (1, 16, [i for i in range(len(x)) if i % 16])):
            status, body = self.viewer.ask(f"/api/frame?number=3&color=J_p&velocity=1&stride={stride}&skip={skip}")
            self.assertEqual((status, body[:8]), (200, b"KNEADFR1"))
            length = int.from_bytes(body[8:12], "little")
            about = json.loads(body[12:12 + length])
            numbers = numpy.frombuffer(body[12 + length:], "<f4")
            parts, at = {}, 0
            for array in about["arrays"]:
                self.assertEqual((array["type"], array["rows"]), ("f32", about["rows"]))
                size = about["rows"] * array["components"]
                parts[array["name"]], at = numbers[at:at + size], at + size
            self.assertEqual(at, len(numbers))
            self.assertEqual(about["count"], len(x))
            numpy.testing.assert_array_equal(parts["x"].reshape(-1, 2), x[rows])
            numpy.testing.assert_array_equal(parts["v"].reshape(-1, 2), v[rows])
            numpy.testing.assert_array_equal(parts["value"], J_p[rows])
            self.assertEqual((about["low"], about["high"]), (float(J_p.min()), float(J_p.max())))

    def test_colours_are_any_quantity_of_the_scene(self):
        import h5py
        import numpy

        quantities = self.viewer.json("/api/scene")["quantities"]
        self.assertLessEqual({"x", "vx", "speed", "J", "pressure", "von_mises", "stress_xy", "J_p", "v", "F"}, set(quantities))
        with h5py.File(self.shared / "run/frames/frame.0003.h5") as file:
            v, tau, F, J_p = (file["particles"][name][:].astype(float) for name in ("v", "tau", "F", "J_p"))
        J = numpy.linalg.det(F) * J_p
        wanted = {"vx": v[:, 0], "speed": numpy.hypot(*v.T), "J": J, "pressure": -tau[:, :2].mean(1) / J, "vx%20-%202*vy": v @ [1, -2]}
        for color, values in wanted.items():
            status, body = self.viewer.ask(f"/api/frame?number=3&color={color}")
            self.assertEqual(status, 200, body)
            about = json.loads(body[12:12 + int.from_bytes(body[8:12], "little")])
            size = max(abs(values))
            self.assertAlmostEqual(about["low"] / size, min(values) / size, 4, color)
            self.assertAlmostEqual(about["high"] / size, max(values) / size, 4, color)
        status, body = self.viewer.ask("/api/frame?number=3&color=presure")
        self.assertEqual(status, 400)
        self.assertIn("did you mean 'pressure'", body.decode())

    def test_a_history_is_a_particle_in_all_frames(self):
        import h5py

        history = self.viewer.json("/api/history?number=2&row=5&of=speed")
        self.assertEqual((history["title"], history["unit"], len(history["times"])), ("speed", "m/s", 4))
        for number, value in enumerate(history["values"], 1):
            with h5py.File(self.shared / f"run/frames/frame.{number:04}.h5") as file:
                vx, vy = file["particles"]["v"][5].astype(float)
                self.assertAlmostEqual(history["times"][number - 1], file.attrs["time"], 12)
            self.assertAlmostEqual(value, (vx * vx + vy * vy)**0.5, 6)
        for wrong in ("number=2&row=5&of=sped", "number=2&row=999999&of=speed", "number=9&row=5&of=speed"):
            self.assertEqual(self.viewer.ask("/api/history?" + wrong)[0], 400, wrong)

    def test_a_compact_frame_is_smaller_and_as_good_to_look_at(self):
        import h5py
        import numpy

        with h5py.File(self.shared / "run/frames/frame.0003.h5") as file:
            x = file["particles/x"][:]
        status, body = self.viewer.ask("/api/frame?number=3&color=body&compact=1")
        self.assertEqual(status, 200)
        length = int.from_bytes(body[8:12], "little")
        about = json.loads(body[12:12 + length])
        places = about["arrays"][0]
        self.assertEqual((places["name"], places["type"]), ("x", "u16"))
        steps = numpy.frombuffer(body[12 + length:], "<u2", count=x.size).reshape(x.shape)
        error = numpy.abs(numpy.array(places["low"]) + steps * numpy.array(places["step"]) - x).max()
        self.assertLess(error, about["radius"] / 16)
        self.assertLess(len(body), 12 + length + 5.5 * len(x) + 8)

    def test_surfaces_are_of_all_matter_and_grids_of_methods_that_have_one(self):
        status, body = self.viewer.ask("/api/surface?number=3&color=body")
        self.assertEqual(status, 200)
        length = int.from_bytes(body[8:12], "little")
        about = json.loads(body[12:12 + length])
        rows = {array["name"]: array["rows"] for array in about["arrays"]}
        self.assertEqual(about["bodies"], [0])
        self.assertGreater(rows["outside"], 20)
        self.assertGreater(rows["outline"], 20)
        self.assertEqual(rows["crack"], 0)
        for path in ("/api/surface?number=99", "/api/grid?number=99", "/api/grid?number=now", "/api/grid", "/api/surface?number=3&rest=2"):
            self.assertEqual(self.viewer.ask(path)[0], 400, path)
        status, body = self.viewer.ask("/api/grid?number=1")
        self.assertEqual(status, 200)
        length = int.from_bytes(body[8:12], "little")
        self.assertEqual(json.loads(body[12:12 + length])["source"], "particles")

    def test_a_frame_in_another_space_takes_its_places_from_another_column(self):
        def x_of(place):
            status, body = self.viewer.ask(f"/api/frame?number=3&color=plain&place={place}")
            if status != 200:
                return status
            length = int.from_bytes(body[8:12], "little")
            rows = json.loads(body[12:12 + length])["rows"]
            return numpy.frombuffer(body[12 + length:12 + length + 8 * rows], "<f4").reshape(-1, 2)

        import h5py
        import numpy

        with h5py.File(self.shared / "run/frames/frame.0003.h5") as file:
            numpy.testing.assert_array_equal(x_of("v"), file["particles/v"][:])
        for wrong in ("mass", "F", "nothing", ""):
            self.assertEqual(x_of(wrong), 400)

    def test_no_path_leads_out_of_the_run(self):
        paths = ("/../../etc/passwd", "/../secret.txt", "/%2e%2e/%2e%2e/secret.txt", "/..%5c..%5csecret.txt", "/%252e%252e/secret.txt", "//etc/passwd",
                 "/a/%00.png", "/./././", "/%c0%ae%c0%ae/secret.txt", "/api/../secret.txt", "/scene.toml", "/frames/frame.0001.h5", "/api/frame/../../x")
        for path in paths:
            with self.subTest(path):
                answer = self.viewer.raw(self.request(f"GET {path} HTTP/1.1"))
                self.assertIn(int(answer.split(b" ", 2)[1]), (400, 404), answer[:200])
                for leak in (b"secret", b"root:", b"[scene]"):
                    self.assertNotIn(leak, answer.split(b"\r\n\r\n", 1)[1])
        for number in ("../../x", "-1", "1e18", "99999999999999999999", "5", "now", "", "1.5", "%2e%2e"):
            with self.subTest(number=number):
                self.assertEqual(self.viewer.ask(f"/api/frame?number={number}")[0], 400)

    def test_without_the_token_nothing_is_told(self):
        for token in (None, "", "0" * 32, self.viewer.token[:-1], self.viewer.token + "0", self.viewer.token.upper() + "é"):
            for path in ("/api/state", "/api/scene", "/api/frame?number=1", "/api/log", "/api/toml"):
                with self.subTest(token=token, path=path):
                    status, body = self.viewer.ask(path, X_Knead_Token=token.encode() if token else token)
                    self.assertEqual(status, 401)
                    self.assertIn(b"a wrong token" if token else b"no token", body)
                    self.assertNotIn(b"block", body)
            self.assertEqual(self.viewer.ask("/api/command", "POST", b'{"do": "pause"}', X_Knead_Token=token and token.encode())[0], 401)

    def test_foreign_pages_and_names_are_refused(self):
        port = self.viewer.port
        for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://127.0.0.1:{port + 1}", f"http://localhost:{port}"):
            for path in ("/", "/api/state"):
                with self.subTest(origin=origin):
                    self.assertEqual(self.viewer.ask(path, Origin=origin)[0], 403)
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "localhost.evil.example", "192.168.1.7", "[::1", ""):
            for path in ("/", "/api/state"):
                with self.subTest(host=host):
                    self.assertEqual(self.viewer.ask(path, Host=host)[0], 403)
        self.assertEqual(self.viewer.ask("/api/state", Host=None)[0], 403)
        self.assertEqual(self.viewer.ask("/api/state", Origin=f"http://127.0.0.1:{port}")[0], 200)
        # A tunnel of ssh has a port of its own.
        self.assertEqual(self.viewer.ask("/api/state", Host="localhost:9000", Origin="http://localhost:9000")[0], 200)
        preflight = self.viewer.ask("/api/command", "OPTIONS", Origin="http://evil.example", Access_Control_Request_Method="POST")
        self.assertEqual(preflight[0], 403)

    def test_ranges_of_an_answer_are_not_given(self):
        whole = self.viewer.raw(self.request("GET /api/frame?number=2 HTTP/1.1"))
        for ranges in ("0-9", "0-,0-", ",".join(["0-"] * 1000), "-5", "9-2", "junk"):
            answer = self.viewer.raw(self.request("GET /api/frame?number=2 HTTP/1.1", "Range: bytes=" + ranges))
            self.assertIn(answer.split(b" ", 2)[1], (b"200", b"416"), ranges)
            self.assertLessEqual(len(answer), len(whole) + 200, ranges)

    def test_malformed_requests_are_refused(self):
        refused = {
            b"nonsense\r\n\r\n": 400,
            b"\r\n\r\n": 400,
            b"GET\r\n\r\n": 400,
            b"GET /api/state\r\n\r\n": 400,
            b"GET /\x00 HTTP/1.1\r\n\r\n": 400,
            b"GET / HTTP/9.9\r\n\r\n": 505,
            b"GET http://evil.example/ HTTP/1.1\r\n\r\n": 400,
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n": 400,
            self.request("GET / HTTP/1.1", "no colon here"): 400,
            self.request("GET / HTTP/1.1", ": no name"): 400,
            self.request("GET / HTTP/1.1", "Folded: a", " b"): 400,
            self.request("GET / HTTP/1.1", "Bare: a\nb: c"): 400,
            self.request("GET / HTTP/1.1", "Bare: a\rb"): 400,
            self.request("POST /api/command HTTP/1.1", "Content-Length: -1"): 400,
            self.request("POST /api/command HTTP/1.1", "Content-Length: 1", "Content-Length: 2"): 400,
            self.request("POST /api/command HTTP/1.1", "Content-Length: 99999999999999999999999"): 400,
            self.request("POST /api/command HTTP/1.1", "Transfer-Encoding: chunked"): 411,
            self.request("POST /api/command HTTP/1.1", "Content-Length: 10000000"): 413,
            self.request("GET / HTTP/1.1", *["Many: x"] * 200): 431,
        }
        for text, status in refused.items():
            with self.subTest(text[:60]):
                self.assertEqual(self.status_of(text), status)
        for query in ("stride=0", "stride=-1", "stride=x", "stride=99999999999", "skip=-3", "velocity=7", "color=nothing", "color=%00", "color=../x"):
            with self.subTest(query):
                self.assertEqual(self.viewer.ask(f"/api/frame?number=1&{query}")[0], 400)
        self.assertEqual(self.viewer.ask("/api/particle?number=1&row=99999999")[0], 400)
        for body in (b"", b"{", b"[]", b'{"do": 3}', b'{"do": "burn"}', b"\xff\xfe", b'{"do": "pause"}', b"[" * 100_000):
            with self.subTest(body[:20]):
                self.assertEqual(self.viewer.ask("/api/command", "POST", body)[0], 400)

    def test_large_requests_cost_nothing(self):
        before = self.viewer.memory()
        head = self.request().removesuffix(b"\r\n")
        for text, status in ((b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n\r\n", 414), (head + b"Long: " + b"a" * 1_000_000 + b"\r\n\r\n", 431),
                             (head + b"Many: x\r\n" * 10_000 + b"\r\n", 431), (b"a" * 1_000_000, 414)):
            for _ in range(5):
                answer = self.viewer.raw(text)
                if answer:  # a reset may overtake it
                    self.assertEqual(int(answer.split(b" ", 2)[1]), status)
        self.assertLess(self.viewer.memory() - before, 20e6)
        self.assertEqual(self.viewer.ask("/api/state")[0], 200)

    def test_slow_and_silent_clients_are_closed_and_hold_nobody_up(self):
        silent = [socket.create_connection(("127.0.0.1", self.viewer.port)) for _ in range(60)]
        slow = socket.create_connection(("127.0.0.1", self.viewer.port))
        started = time.monotonic()
        answer, worst = b"", 0
        slow.setblocking(False)
        for at in range(100):
            try:
                slow.send(b"GET / HTTP/1.1\r\n"[at % 8:at % 8 + 1] if at < 8 else b"x")
                answer += slow.recv(4096)
            except BlockingIOError:
                pass
            except OSError:
                break
            if b"408" in answer:
                break
            asked = time.monotonic()
            self.assertEqual(self.viewer.ask("/api/state")[0], 200)
            worst = max(worst, time.monotonic() - asked)
            time.sleep(0.1)
        slow.close()
        self.assertIn(b"408", answer)
        self.assertLess(time.monotonic() - started, 20)
        self.assertLess(worst, 2)
        for connection in silent:
            connection.settimeout(20)
            self.assertEqual(connection.recv(1), b"")
            connection.close()

    def test_a_body_that_never_comes_is_waited_for_a_while_only(self):
        started = time.monotonic()
        answer = self.viewer.raw(self.request("POST /api/command HTTP/1.1", "Content-Length: 100", "Expect: 100-continue") + b'{"do"', wait=20)
        self.assertIn(b" 408 ", answer)
        self.assertLess(time.monotonic() - started, 15)

    def test_readers_that_take_nothing_hold_nobody_up(self):
        text = self.request("GET / HTTP/1.1")  # most of a megabyte: more than the system takes for them
        deaf = []
        for _ in range(20):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", self.viewer.port))
            connection.sendall(text)
            deaf.append(connection)
        for _ in range(20):
            asked = time.monotonic()
            self.assertEqual(self.viewer.ask("/api/state")[0], 200)
            self.assertLess(time.monotonic() - asked, 2)
        for connection in deaf:
            connection.close()

    def test_only_the_header_carries_the_token_and_only_once(self):
        port, token = self.viewer.port, self.viewer.token
        for path, headers in ((f"/api/state?token={token}", []), ("/api/state", [f"Cookie: token={token}"]), ("/api/state", [f"Authorization: Bearer {token}"])):
            text = "\r\n".join([f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close", *headers, "", ""]).encode()
            self.assertEqual(self.status_of(text), 401, (path, headers))
        self.assertEqual(self.status_of(self.request("GET /api/state HTTP/1.1", f"Host: 127.0.0.1:{port}")), 403)
        self.assertEqual(self.status_of(self.request("GET /api/state HTTP/1.1", "Host: evil.example")), 403)
        wrong_first = f"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Knead-Token: wrong\r\nX-Knead-Token: {token}\r\nConnection: close\r\n\r\n"
        self.assertEqual(self.status_of(wrong_first.encode()), 401)

    def test_other_methods_do_nothing(self):
        for method in ("PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "BREW"):
            with self.subTest(method):
                status = self.status_of(self.request(f"{method} /api/state HTTP/1.1", "Content-Length: 0"))
                self.assertEqual(status, 405)
        self.assertEqual(self.status_of(self.request("GET /api/command HTTP/1.1")), 404)

    def test_a_request_hidden_in_anothers_body_is_none(self):
        inner = self.request("GET /api/scene HTTP/1.1")
        answer = self.viewer.raw(self.request("POST /api/command HTTP/1.1", f"Content-Length: {len(inner)}") + inner)
        self.assertEqual(answer.count(b"HTTP/1.1 "), 1)
        self.assertNotIn(b"matter", answer)

    def test_answers_forbid_what_a_page_could_be_made_to_do(self):
        head = self.viewer.raw(self.request("GET / HTTP/1.1")).split(b"\r\n\r\n", 1)[0].decode().lower()
        for line in ("content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "x-frame-options: deny", "referrer-policy: no-referrer",
                     "cross-origin-resource-policy: same-origin", "cache-control: no-store"):
            self.assertIn(line, head)
        self.assertNotIn("access-control", head)

    def test_a_thousand_connections_do_not_bring_it_down(self):
        before = self.viewer.memory()
        crowd = []
        for _ in range(1000):
            try:
                crowd.append(socket.create_connection(("127.0.0.1", self.viewer.port), timeout=5))
            except OSError:
                break
        # A reset in the middle of an answer.
        for connection in crowd:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        end = time.monotonic() + 15
        status = 0
        while status != 200 and time.monotonic() < end:
            try:
                status = self.viewer.ask("/api/state")[0]
            except OSError:
                time.sleep(0.1)
        self.assertEqual(status, 200)
        self.assertLess(self.viewer.memory() - before, 50e6)

    def test_a_reader_that_goes_away_in_the_middle_is_no_trouble(self):
        for _ in range(20):
            connection = socket.create_connection(("127.0.0.1", self.viewer.port))
            connection.sendall(self.request("GET / HTTP/1.1"))
            connection.recv(100)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        self.assertEqual(self.viewer.ask("/api/state")[0], 200)

    def test_too_many_requests_are_slowed_down(self):
        time.sleep(1.1)
        text = self.request("GET /api/nothing HTTP/1.1").replace(b"Connection: close\r\n", b"")
        with socket.create_connection(("127.0.0.1", self.viewer.port), timeout=10) as connection:
            threading.Thread(target=lambda: connection.sendall(text * 2000), daemon=True).start()
            answer = b""
            while answer.count(b"HTTP/1.1") < 2000 and (chunk := connection.recv(65536)):
                answer += chunk
        self.assertIn(b" 429 ", answer)
        self.assertLess(answer.count(b"HTTP/1.1 404"), 1500)
        time.sleep(0.5)
        self.assertEqual(self.viewer.ask("/api/state")[0], 200)

    def test_the_run_is_left_as_it_was_and_refusals_are_logged(self):
        other = viewer.Viewer("run", cwd=self.shared)
        other.ask("/api/state", X_Knead_Token="wrong")
        other.ask("/api/state", Origin="http://evil.example")
        other.raw(b"nonsense\r\n\r\n")
        err = other.end()
        for line in ("rejected GET /api/state from 127.0.0.1: a wrong token", "rejected GET /api/state from 127.0.0.1: a foreign Origin",
                     "rejected nonsense from 127.0.0.1: a malformed request line"):
            self.assertIn(line, err)
        self.assertNotIn(other.token, err)
        self.assertEqual(other.process.returncode, 130)
        self.assertEqual(self.before, {p: (self.shared / "run" / p).read_bytes() for p in cli.files_of(self.shared / "run")})


class Forged(cli.Case):
    """A frame under a good seal that no run has written."""

    def setUp(self):
        super().setUp()
        self.write("block.toml", cli.BLOCK)
        self.run_well("run", "block.toml", "--out", "run", "--frames", "2", "-q")
        self.frame = self.dir / "run/frames/frame.0002.h5"

    def test_matter_of_no_body_is_told_and_ends_nothing(self):
        def forge(file):
            file["particles/body"][7] = body

        whole = self.frame.read_bytes()
        watched = viewer.Viewer("run", cwd=self.dir)
        self.addCleanup(watched.end)
        for body in (99, -1, 1):
            self.frame.write_bytes(whole)
            frames.change(self.frame, forge)
            for path in ("frame?number=2", "frame?number=2&color=material", "surface?number=2", "particle?number=2&row=7"):
                with self.subTest(body=body, path=path):
                    status, said = watched.ask("/api/" + path)
                    self.assertEqual(status, 500, said)
                    self.assertIn(f"frame.0002.h5' is damaged: particle 7 is of body {body}", json.loads(said)["error"])
            history = watched.json("/api/history?number=1&row=7&of=speed")
            self.assertEqual(len(history["times"]), 2)
            self.assertEqual(watched.ask("/api/frame?number=3")[0], 200)
        self.frame.write_bytes(whole)
        self.assertEqual(watched.ask("/api/particle?number=2&row=7")[0], 200)
        self.assertIsNone(watched.process.poll())

    def test_an_endless_one_keeps_nobody_from_the_rest_nor_the_viewer_from_ending(self):
        frames.make_endless(self.frame)
        for number in (signal.SIGTERM, signal.SIGINT):
            watched = viewer.Viewer("run", cwd=self.dir)
            self.addCleanup(watched.process.kill)
            request = f"GET /api/frame?number=2 HTTP/1.1\r\nHost: 127.0.0.1:{watched.port}\r\nX-Knead-Token: {watched.token}\r\n\r\n"
            endless = socket.create_connection(("127.0.0.1", watched.port))
            endless.sendall(request.encode())
            time.sleep(0.5)
            self.assertEqual(watched.json("/api/state")["frames"], [[1, 3, 1]])
            if number == signal.SIGTERM:
                started = time.monotonic()
                status, said = watched.ask("/api/frame?number=3")
                self.assertEqual(status, 500)
                self.assertIn(b"takes too long", said)
                self.assertLess(time.monotonic() - started, 15)
            stopped = time.monotonic()
            watched.process.send_signal(number)
            self.assertEqual(watched.process.wait(timeout=30), 128 + number)
            self.assertLess(time.monotonic() - stopped, 2)
            watched.end()
            endless.close()


class Imported(cli.Case):
    def test_columns_that_only_its_frames_have_are_colours(self):
        (self.dir / "points").mkdir()
        self.write("points/p1.geo", "PGEOMETRY V5\nNPoints 2 NPrims 0\nNPointGroups 0 NPrimGroups 0\nNPointAttrib 1 NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n"
                   "PointAttrib\npscale 1 float 0\n0 0 0 1 (0.25)\n1 0 0 1 (0.5)\nbeginExtra\nendExtra\n")
        self.run_well("import", "points", "--out", "run", "-q")
        shown = viewer.Viewer("run", cwd=self.dir)
        self.addCleanup(shown.end)
        status, body = shown.ask("/api/frame?number=1&color=2*pscale")
        self.assertEqual(status, 200, body)
        about = json.loads(body[12:12 + int.from_bytes(body[8:12], "little")])
        self.assertEqual((about["low"], about["high"]), (0.5, 1))
        self.assertEqual(shown.ask("/api/surface?number=1&color=pscale")[0], 200)
        status, body = shown.ask("/api/frame?number=1&color=pscal")
        self.assertEqual(status, 400)
        self.assertIn("did you mean 'pscale'", body.decode())


class Busy(cli.Case):
    """An answer that takes longer than the viewer waits for at its end: a surface of many points."""

    def request_of(self, watched, path):
        connection = socket.create_connection(("127.0.0.1", watched.port))
        self.addCleanup(connection.close)
        head = f"Host: 127.0.0.1:{watched.port}\r\nX-Knead-Token: {watched.token}"
        connection.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n\r\n".encode())

    def test_it_does_not_keep_the_viewer_from_ending(self):
        (self.dir / "points").mkdir()
        places = [f"{x} {y} {z} 1" for x in range(120) for y in range(120) for z in range(10)]
        head = f"PGEOMETRY V5\nNPoints {len(places)} NPrims 0\nNPointGroups 0 NPrimGroups 0\n"
        self.write("points/p1.geo", "\n".join([head + "NPointAttrib 0 NVertexAttrib 0 NPrimAttrib 0 NAttrib 0", *places, "beginExtra\nendExtra\n"]))
        self.run_well("import", "points", "--out", "run", "-q")
        for delay in (0.5, 1.5):
            watched = viewer.Viewer("run", "--threads", 2, cwd=self.dir)
            self.addCleanup(watched.process.kill)
            self.request_of(watched, "/api/surface?number=1")
            time.sleep(delay)
            watched.end()
            self.assertEqual(watched.process.returncode, 130)


class SeeThrough(cli.Case):
    def test_solids_say_how_much_they_cover(self):
        scene = cli.BLOCK + "".join(f'[[collider]]\n{more}shape = {{ type = "box", center = [0.85, {y}], size = [0.1, 0.1] }}\n'
                                    for y, more in ((0.3, ""), (0.6, "opacity = 0.3\n")))
        self.run_well("run", self.write("glass.toml", scene), "--out", "run", "--frames", "1", "-q")
        shown = viewer.Viewer("run", cwd=self.dir)
        self.addCleanup(shown.end)
        self.assertEqual([solid["opacity"] for solid in shown.json("/api/solids")], [1, 0.3])


class Usage(cli.Case):
    def test_what_cannot_be_shown_is_told(self):
        self.refuse(2, "needs a run folder or a scene file", "view")
        self.refuse(3, "is not a run folder", "view", ".")
        scene = self.write("block.toml", cli.BLOCK.replace("snow", "snwo", 1))
        self.refuse(3, "block.toml:", "view", scene)
        self.refuse(3, "missing.toml", "view", "missing.toml")
        self.refuse(2, "65535", "view", scene, "--port", "70000")
        self.refuse(2, "--listen", "view", self.write("good.toml", cli.BLOCK), "--listen", "no such place")

    def test_a_name_that_is_not_there_is_told_with_what_is(self):
        (self.dir / "runs/block/frames").mkdir(parents=True)
        self.write("runs/block/scene.toml", cli.BLOCK)
        self.write("snowball.toml", cli.BLOCK)
        expected = "no run folder or scene file"
        self.refuse(3, ["runs/blok", expected, "did you mean 'runs/block'"], "view", "runs/blok")
        self.refuse(3, ["snowbal.toml", expected, "did you mean 'snowball.toml'"], "view", "snowbal.toml")
        self.refuse(3, ["nowhere/at/all", expected, "runs/block"], "view", "nowhere/at/all")
        self.refuse(3, ["a_fifo", "neither a run folder nor a scene file"], "view", self.fifo("a_fifo"))

    def fifo(self, name):
        os.mkfifo(self.dir / name)
        return name

    def test_a_file_that_is_no_scene_is_told(self):
        self.write("README.md", "# Read me\n\nIt's a file.\n")
        self.refuse(3, ["README.md is neither a run folder nor a scene file (.toml)", "README.md:3:"], "view", "README.md")
        (self.dir / "runs/block/frames").mkdir(parents=True)
        self.write("runs/block/scene.toml", cli.BLOCK)
        self.write("runs/block/frames/frame.0001.h5", b"\x89HDF")
        for file in ("frames/frame.0001.h5", "stats.csv"):
            self.write(f"runs/block/{file}", b"\x89HDF")
            self.refuse(3, ["is a file of a run", "knead view runs/block"], "view", f"runs/block/{file}")
        # Its name does not make a scene.
        self.write("block.txt", cli.BLOCK)
        viewer.Viewer("block.txt", "--paused", "--out", "another", cwd=self.dir).end()

    def test_an_address_of_another_machine_is_told(self):
        scene = self.write("block.toml", cli.BLOCK)
        for more in ((), ("--port", "0")):
            said = self.refuse(2, ["--listen 203.0.113.7", "not an address of this machine", "127.0.0.1", "0.0.0.0"], "view", scene, "--listen", "203.0.113.7", *more)
            self.assertNotIn("--port", said.err)

    def test_a_run_that_was_killed_is_told_from_one_that_runs(self):
        self.write("long.toml", cli.BLOCK.replace("duration = 0.5", "duration = 500"))
        process = subprocess.Popen([cli.KNEAD, "run", "long.toml", "--out", "run", "-q", "--frames", "9000"], cwd=self.dir, stdin=subprocess.DEVNULL)
        try:
            for _ in range(300):
                if (self.dir / "run/frames/frame.0001.h5").exists():
                    break
                time.sleep(0.1)
            shown = viewer.Viewer("run", cwd=self.dir)
            self.addCleanup(shown.end)
            state = shown.json("/api/state")
            self.assertEqual((state["status"], state["last_frame"]), ("running", 9001))
        finally:
            process.kill()
            process.wait()
        self.assertEqual(shown.json("/api/state")["status"], "killed")

    def test_a_run_is_not_replaced_by_a_look(self):
        self.write("block.toml", cli.BLOCK)
        self.assertEqual(self.knead("run", "block.toml", "--out", "run", "-q", "--frames", "3").code, 0)
        look = ["view", "block.toml", "--paused", "--out", "run", "--port", "0"]
        before = cli.results_of(self.dir / "run")
        self.refuse(3, ["run contains a run of this scene", "knead view run", "--out", "--force"], *look, "--frames", "3")
        self.assertEqual(cli.results_of(self.dir / "run"), before)
        self.assertEqual(len(list((self.dir / "run/frames").iterdir())), 4)
        for more in (["--force"], []):  # what a look has left is replaced unasked
            viewer.Viewer(*look[1:-2], *more, cwd=self.dir).end()
        self.assertEqual(len(list((self.dir / "run/frames").iterdir())), 1)
        self.write("run/film.mp4", "a film")
        self.refuse(3, ["run contains a run of this scene and its film"], *look)

    def test_a_run_folder_is_only_looked_at(self):
        (self.dir / "run/frames").mkdir(parents=True)
        self.refuse(2, "only be watched", "view", "run", "--paused")

    def test_a_port_that_is_taken_is_told(self):
        scene = self.write("block.toml", cli.BLOCK)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.refuse(4, "--port", "view", scene, "--port", taken.getsockname()[1])

    def test_listening_to_others_warns(self):
        scene = self.write("block.toml", cli.BLOCK)
        shown = viewer.Viewer(scene, "--paused", "--listen", "0.0.0.0", cwd=self.dir)
        self.assertEqual(shown.ask("/api/state", Host="192.168.1.7:80")[0], 200)
        self.assertEqual(shown.ask("/api/state", Host="evil.example")[0], 403)
        # The addresses that others can open are printed too.
        others = [a for a in subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split() if ":" not in a]
        for address in others:
            self.assertEqual(shown.ask("/api/state", Host=f"{address}:{shown.port}")[0], 200)
        self.assertIn("warning: listening at 0.0.0.0", shown.end())
        for address in others:
            self.assertIn(f"http://{address}:{shown.port}/#token={shown.token}\n", shown.out)


class Live(cli.Case):
    def live(self, *more, scene=cli.BLOCK):
        shown = viewer.Viewer(self.write("block.toml", scene), "--out", "live", "-q", *more, cwd=self.dir)
        self.addCleanup(shown.end)
        return shown

    def done(self, shown):
        return shown.until(lambda s: s["live"]["phase"] == "done", 120)

    def plain_run(self, scene="block.toml", out="plain"):
        done = self.knead("run", scene, "--out", out, "-q")
        self.assertEqual(done.code, 0, done.err)
        return cli.results_of(self.dir / out)

    def test_what_follows_from_the_deformation_is_shown_while_it_runs(self):
        shown = self.live("--paused")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="pace", speed=0.01)
        shown.command(do="play")
        for color in ("pressure", "J", "von_mises", "stress_xy", "F"):
            end = time.monotonic() + 30
            for what in (f"frame?number=now&color={color}", f"surface?number=now&color={color}"):
                body = b""
                while not body and time.monotonic() < end:
                    status, body = shown.ask("/api/" + what)
                    self.assertIn(status, (200, 204), body)
                    time.sleep(0.05)
                self.assertGreater(len(body), 1000, what)
            self.assertEqual(shown.json("/api/state")["live"]["phase"], "running")

    def test_time_that_it_was_paused_for_is_none_that_frames_take(self):
        shown = self.live("--paused")
        time.sleep(2.5)
        shown.command(do="frame")
        shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["frame"] == 2)
        line = next(line for line in (self.dir / "live/log.txt").read_text().splitlines() if "frame 2/13" in line)
        took = float(re.search(r"([0-9.]+) s, .* left$", line)[1])
        self.assertLess(took, 2, line)

    def test_many_who_steer_and_watch_at_once_break_nothing(self):
        shown = self.live("--paused", "--frames", "4")
        orders = [{"do": d} for d in ("play", "pause", "step", "frame", "restart", "forget")]
        orders += [{"do": "event", "toml": toml} for toml in ('{ body = "block", velocity = [0, 0.5] }', '{ material = "snow", set = { young = 2e5 } }')]
        orders += [{"do": "set", "path": path, "toml": toml} for path, toml in (("solver.dx", "0.025"), ("body.0.velocity", "[0, -1]"), ("camera.fov", '"30 deg"'), ("body.0.color", "[1, 0, 0]"))]
        orders += [{"do": "add", "path": "probe", "toml": '{ name = "front", type = "front" }'}, {"do": "remove", "path": "probe.0"}]
        questions = [f"/api/{q}" for q in ("scene", "solids", "panel", "state", "toml", "stats", "log", "frame?number=now&color=v", "frame?number=now&color=J_p&velocity=1", "frame?number=1",
                                           "grid?number=now", "grid?number=2", "particle?number=now&row=3", "file?number=1")]
        wrong, end = [], time.monotonic() + 3

        def one(number):
            chance = random.Random(number)
            while time.monotonic() < end and not wrong:
                try:
                    status, answer = shown.command(**chance.choice(orders)) if chance.random() < 0.4 else shown.ask(chance.choice(questions))
                    if status not in (200, 204, 400, 429):
                        wrong.append((status, answer[:300]))
                except OSError as error:
                    wrong.append(error)
                time.sleep(0.01)

        many = [threading.Thread(target=one, args=(number,)) for number in range(5)]
        for t in many:
            t.start()
        for t in many:
            t.join()
        self.assertEqual(wrong, [])
        time.sleep(1)  # so many requests are too many for a while
        shown.command(do="forget")
        runs = int(shown.json("/api/scene")["run"])
        shown.command(do="restart")
        shown.command(do="play")
        shown.until(lambda s: int(s["revision"].split()[1]) > runs and s["live"]["phase"] == "done", 60)
        live = cli.results_of(self.dir / "live")
        shown.end()
        self.assertEqual(self.knead("run", "live/scene.toml", "--out", "again", "--frames", 4, "-q").code, 0)
        self.assertEqual(live, cli.results_of(self.dir / "again"))

    def test_a_simulation_under_attack_gives_the_same_bits(self):
        shown = self.live("--paused")
        stop = threading.Event()

        def attack():
            while not stop.is_set():
                for text in (b"nonsense\r\n\r\n", b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", b"GET /api/state HTTP/1.1\r\nHost: x\r\n\r\n"):
                    try:
                        shown.raw(text, wait=2)
                    except OSError:
                        pass
                time.sleep(0.01)

        attackers = [threading.Thread(target=attack) for _ in range(3)]
        for a in attackers:
            a.start()
        try:
            shown.command(do="play")
            while shown.json("/api/state")["live"]["phase"] != "done":
                shown.ask("/api/frame?number=now&color=v")
                time.sleep(0.02)
        finally:
            stop.set()
            for a in attackers:
                a.join()
        self.assertEqual(cli.results_of(self.dir / "live"), self.plain_run())

    def test_pausing_and_stepping_change_nothing(self):
        shown = self.live("--paused")
        step = lambda: shown.json("/api/state")["live"]["step"]
        shown.until(lambda s: s["live"]["phase"] == "paused")
        self.assertEqual(step(), 0)
        for n in (1, 2, 3):
            shown.command(do="step")
            shown.until(lambda s: s["live"]["step"] == n)
        time.sleep(0.2)
        self.assertEqual(step(), 3)
        shown.command(do="frame")
        shown.until(lambda s: s["live"]["frame"] == 2 and s["live"]["phase"] == "paused")
        shown.command(do="play")
        self.done(shown)
        self.assertEqual(cli.results_of(self.dir / "live"), self.plain_run())

    def test_a_pace_is_kept_and_changes_nothing(self):
        shown = self.live("--paused", "--frames", "4")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="pace", speed=1e-300)
        shown.command(do="play")
        time.sleep(1)
        state = shown.json("/api/state")["live"]
        self.assertEqual(state["phase"], "running")
        self.assertLessEqual(state["step"], 1)  # it waits after the first
        shown.command(do="pause")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="pace", speed=0.1)
        started = time.monotonic()
        shown.command(do="play")
        self.done(shown)
        self.assertGreater(time.monotonic() - started, (4 / 24 - state["time"]) / 0.1 * 0.95)  # 1.7 s for 4 frames
        self.assertEqual(shown.json("/api/state")["live"]["pace"], 0.1)
        self.assertEqual(shown.command(do="pace", speed=-1)[0], 400)
        done = self.knead("run", "block.toml", "--out", "plain", "--frames", 4, "-q")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(cli.results_of(self.dir / "live"), cli.results_of(self.dir / "plain"))

    def test_a_change_is_an_event_that_a_run_of_the_scene_repeats_to_the_bit(self):
        shown = self.live("--paused")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="frame")
        shown.until(lambda s: s["live"]["frame"] == 2 and s["live"]["phase"] == "paused")
        status, answer = shown.command(do="event", event={"material": "snow", "set": {"young": 2e6}})
        self.assertEqual((status, json.loads(answer)), (200, {"acts": "next frame"}), answer)
        status, _ = shown.command(do="event", event={"body": "block", "velocity": [0, 3]})
        self.assertEqual(status, 200)
        shown.command(do="play")
        self.done(shown)
        scene = (self.dir / "live/scene.toml").read_text()
        self.assertEqual(scene.count("[[event]]"), 2)
        log = (self.dir / "live/log.txt").read_text()
        self.assertIn("changed at t = 0.0833333 s: { material", log)
        changed = cli.results_of(self.dir / "live")
        shown.end()
        self.assertEqual(changed, self.plain_run("live/scene.toml", "again"))
        unchanged = self.plain_run("block.toml", "plain")
        self.assertEqual(changed["frames/frame.0002.h5"], unchanged["frames/frame.0002.h5"])
        self.assertNotEqual(changed["frames/frame.0004.h5"], unchanged["frames/frame.0004.h5"])

    def test_a_change_that_cannot_happen_ends_the_run_as_failed(self):
        shown = self.live("--paused")
        status, answer = shown.command(do="event", event={"body": "block", "velocity": ["1/(x - x)", 0]})
        self.assertEqual(status, 200, answer)
        shown.command(do="play")
        shown.until(lambda s: s["live"]["phase"] == "failed")
        self.assertEqual(json.loads((self.dir / "live/run.json").read_text())["status"], "failed")

    def test_wrong_changes_are_refused_with_the_readers_words(self):
        shown = self.live("--paused")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        for order, words in (({"do": "event", "event": {"material": "snwo", "set": {"young": 1}}}, "snow"),
                             ({"do": "event", "event": {"material": "snow", "set": {"young": -1}}}, "young"),
                             ({"do": "event", "event": {"time": 3, "material": "snow", "set": {"young": 1e5}}}, "time"),
                             ({"do": "event", "event": {"material": "snow\"\n[[body]]", "set": {"young": 1e5}}}, "snow"),
                             ({"do": "set", "path": "solver.dxx", "value": 0.1}, "dx"),
                             ({"do": "set", "path": "body.0.points", "value": "/etc/passwd"}, "files"),
                             ({"do": "set", "path": "solver.dx", "value": {"a": 1}}, "dx"),
                             ({"do": "set", "path": "solver.dx", "toml": "0.1\nformat = 2"}, "one line"),
                             ({"do": "set", "path": "solver.dx", "toml": "[0.1"}, "not valid TOML"),
                             ({"do": "set", "path": "solver.dx", "toml": ""}, "no value"),
                             ({"do": "set", "path": "solver.dx=3", "toml": "1"}, "no path"),
                             ({"do": "set", "path": "solver.dx"}, "not a command"),
                             ({"do": "set", "path": "body.9.velocity", "toml": "[0, 1]"}, "there is no number 9"),
                             ({"do": "set", "path": ".".join("a" * 40), "toml": "1"}, "parts"),
                             ({"do": "remove", "path": "body.0"}, "body"),
                             ({"do": "remove", "path": "body.0.material"}, "material"),
                             ({"do": "add", "path": "solver.dx", "toml": "1"}, "not a list"),
                             ({"do": "event", "toml": "3"}, "time"),
                             ({"do": "event", "toml": "{ body = \"block\", velocity = [\"X\", 0] }"}, "initial position"),
                             ({"do": "event", "toml": "{ time = 3, body = \"block\", reset = true }"}, "time"),
                             ({"do": "set", "path": "body.0.shape", "value": {"type": "mesh", "file": "/etc/passwd"}}, "files"),
                             ({"do": "set", "path": "body.0.shape", "toml": "{ type = 'mesh', file = '/etc/passwd' }"}, "files"),
                             ({"do": "set", "path": "body.0.poi nts", "toml": "'/etc/passwd'"}, "files"),
                             ({"do": "set", "path": "body.0.'points'", "toml": "'/etc/passwd'"}, "files"),
                             ({"do": "set", "path": "body", "toml": "[{ material = 'snow', shape = { type = 'shell', of = { type = 'mesh', file = '/etc/passwd' } } }]"}, "files"),
                             ({"do": "add", "path": "body", "value": {"material": "snow", "shape": {"type": "mesh", "file": "/etc/passwd"}}}, "files"),
                             ({"do": "add", "path": "body", "value": {"material": "snow", "points": "/etc/passwd"}}, "files"),
                             ({"do": "add", "path": "body", "value": {"material": "mud", "shape": {"type": "box"}}}, "mud"),
                             ({"do": "add", "path": "body", "toml": "{ a = " + "[" * 30_000 + "]" * 30_000 + " }"}, "")):
            with self.subTest(order):
                status, body = shown.command(**order)
                self.assertEqual(status, 400, body)
                self.assertIn(words, json.loads(body)["error"])
                self.assertNotIn("root", json.loads(body)["error"])
        deep = b'{"do": "set", "path": "solver.dx", "value": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        self.assertEqual(shown.ask("/api/command", "POST", deep)[0], 400)
        live = shown.json("/api/state")["live"]
        self.assertEqual((live["waiting"], live["for_restart"]), (0, 0))

    def test_a_wrong_value_has_the_words_of_knead_check(self):
        wrong = self.write("wrong.toml", cli.BLOCK.replace("size = [0.3, 0.3]", "size = [0.3, -1]"))
        told = re.search(r"toml:\d+:\d+: (.*)", self.knead("check", wrong).err)[1]
        shown = self.live("--paused")
        status, body = shown.command(do="set", path="body.0.shape.size", toml="[0.3, -1]")
        self.assertEqual((status, json.loads(body)["error"]), (400, f"the scene as changed: {told}"))

    def test_the_panel_has_every_value_with_its_unit_range_and_time(self):
        shown = self.live("--paused", scene=RICH)
        fields = {f["path"]: f for section in shown.json("/api/panel") for f in section["fields"]}
        young = fields["materials.snow.young"]
        self.assertEqual((young["unit"], float(young["text"]), young["low"], young["acts"]), ("Pa", 140e3, 0, "next frame"))
        self.assertEqual((fields["solver.dx"]["unit"], fields["solver.dx"]["text"], fields["solver.dx"]["acts"]), ("m", "0.02", "after restart"))
        self.assertEqual(fields["camera.fov"]["acts"], "live")
        self.assertIn("liquid", fields["solver.method"]["choices"])
        self.assertEqual((fields["body.1.shape"]["text"], fields["body.1.shape.of"]["text"]), ("union", "2"))
        self.assertEqual((fields["body.1.shape.of.1"]["text"], fields["body.1.shape.of.1.radius"]["unit"]), ("sphere", "m"))
        # Each is taken back as it is, and taking it back changes nothing.
        before = shown.ask("/api/toml")[1]
        for path, f in fields.items():
            if f["acts"] == "next frame" or f["text"] is None or (text := f.get("toml", f["text"])) in ('""', "[]"):
                continue
            with self.subTest(path):
                status, answer = shown.command(do="set", path=path, toml=text)
                self.assertEqual(status, 200, answer)
                # A part's looks wait with it, where changes of the list of parts may wait.
                self.assertIn(json.loads(answer)["acts"], (f["acts"],) if path.startswith("camera.") else (f["acts"], "after restart"))
        self.assertEqual(shown.ask("/api/toml")[1], before)

    def test_variants_lists_and_optional_values_change_with_a_restart(self):
        shown = self.live("--paused", "--frames", "1", scene=RICH)
        shown.until(lambda s: s["live"]["phase"] == "paused")
        for order in ({"do": "set", "path": "body.1.shape.of.1", "toml": '{ type = "box", center = [0.8, 0.4], size = [0.1, 0.1] }'},
                      {"do": "add", "path": "body.1.shape.of", "toml": '{ type = "sphere", center = [0.8, 0.8], radius = 0.08 }'},
                      {"do": "remove", "path": "body.1.shape.of.0"},
                      {"do": "set", "path": "body.0.color", "toml": "[1, 0, 0]"},
                      {"do": "remove", "path": "scene.domain"},
                      {"do": "add", "path": "probe", "toml": '{ name = "top", type = "front", axis = "y" }'},
                      {"do": "remove", "path": "grip.0"},
                      {"do": "set", "path": 'materials."wet clay"', "toml": '{ preset = "clay" }'}):
            status, answer = shown.command(**order)
            self.assertEqual(status, 200, answer)
        fields = {f["path"]: f for section in shown.json("/api/panel") for f in section["fields"]}
        self.assertEqual((fields["body.1.shape.of.0"]["text"], fields["body.1.shape.of.0"]["now"]), ("box", "sphere"))
        self.assertEqual(fields["body.1.shape.of.1"]["text"], "sphere")
        self.assertIsNone(fields["scene.domain"]["text"])
        self.assertNotIn("grip.0.name", fields)
        shown.command(do="restart")
        shown.until(lambda s: s["live"]["for_restart"] == 0 and s["live"]["phase"] == "paused")
        self.assertIn("top_front", shown.json("/api/stats")["names"])
        # What waits can be dropped instead.
        shown.command(do="set", path="solver.dx", toml="0.04")
        shown.command(do="forget")
        self.assertEqual(shown.json("/api/state")["live"]["for_restart"], 0)
        self.assertIn("dx = 0.02", shown.ask("/api/toml")[1].decode())

    def test_every_kind_of_event_is_repeated_to_the_bit(self):
        shown = self.live("--paused", scene=RICH)
        events = ('{ body = "block", velocity = ["0.5 - y", "2*x"] }', '{ material = "snow", set = { young = "1 MPa", hardening = 5 } }',
                  '{ body = "pair", material = "jelly", reset = true }', '{ body = "block", reset = true }',
                  '{ release = ["hold", "post"] }', '{ gravity = [2, "-4 m/s^2"] }', '{ enable = ["post"] }')
        for n, event in enumerate(events):
            shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["frame"] == n + 1)
            status, answer = shown.command(do="event", toml=event)
            self.assertEqual((status, json.loads(answer)), (200, {"acts": "next frame"}), answer)
            # What is only looked at changes at once, and no particle feels it.
            status, answer = shown.command(do="set", path="camera.fov", toml=f'"{30 + n} deg"')
            self.assertEqual((status, json.loads(answer)), (200, {"acts": "live"}), answer)
            shown.command(do="frame")
        shown.command(do="play")
        self.done(shown)
        scene = (self.dir / "live/scene.toml").read_text()
        self.assertEqual(scene.count("[[event]]"), len(events))
        self.assertRegex(scene, r"gravity = \[2(\.0)?, -4(\.0)?(, 0(\.0)?)?\]")
        self.assertIn(f"fov = {(29 + len(events)) * 3.141592653589793 / 180:.6f}"[:10], scene)
        log = (self.dir / "live/log.txt").read_text()
        for event in events:
            self.assertIn(event, log)
        self.assertRegex(log, r"'[^']+' is (not )?met: .* = .*, expected")
        changed = cli.results_of(self.dir / "live")
        shown.end()
        self.assertEqual(changed, self.plain_run("live/scene.toml", "again"))

    def test_gravity_is_a_value_that_changes_at_the_next_frame(self):
        shown = self.live("--paused")

        def row():
            return next(f for section in shown.json("/api/panel") for f in section["fields"] if f["path"] == "scene.gravity")

        def on(frame):
            shown.command(do="frame")
            shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["frame"] == frame)

        shown.until(lambda s: s["live"]["phase"] == "paused")
        self.assertEqual(row()["acts"], "next frame")
        self.assertIn("-9.81", row()["text"])
        on(2)
        for gravity, words in (("3", "list of two numbers"), ("[0, 1e9]", "stronger pull"), ("[0, -1, 1]", "leaves the plane"), ('["1 kg", 0]', "mass")):
            status, answer = shown.command(do="event", toml=f"{{ gravity = {gravity} }}")
            self.assertEqual(status, 400, gravity)
            self.assertIn(words, answer.decode())
        self.assertEqual(shown.command(do="event", event={"gravity": [0, 7.5]})[0], 200)
        on(3)
        self.assertIn("7.5", row()["text"])
        # With a restart the scene itself begins with another; what was done by hand comes after it.
        self.assertEqual(json.loads(shown.command(do="set", path="scene.gravity", toml="[1, -2]")[1]), {"acts": "after restart"})
        shown.command(do="restart")
        shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["for_restart"] == 0)
        self.assertIn("-2", row()["text"])
        shown.command(do="play")
        self.done(shown)
        self.assertIn("7.5", row()["text"])
        stats = shown.json("/api/stats")
        shown.end()
        momentum, mass = (stats["columns"][stats["names"].index(name)] for name in ("momentum_y", "mass"))
        self.assertAlmostEqual(momentum[1] / mass[1], -2 - 2 / 24, 3)

    def test_what_was_done_by_hand_is_repeated_by_a_restart_and_forgotten_afresh(self):
        shown = self.live("--paused", scene=RICH)
        own = '{ time = 0.3, body = "block", velocity = [0, 1] }'

        def on(frame):
            shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["frame"] == frame)
            shown.command(do="frame")
            return shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["frame"] == frame + 1)["live"]

        def again(order):
            run = shown.json("/api/state")["live"]["run"]
            shown.command(do=order)
            return shown.until(lambda s: s["live"]["run"] == run + 1 and s["live"]["phase"] != "starting")["live"]

        on(1)
        self.assertEqual(shown.command(do="event", toml='{ body = "block", velocity = ["y", 2] }')[0], 200)
        self.assertEqual(shown.command(do="event", toml='{ velocity = [1, 0] }')[0], 200)
        self.assertEqual(on(2)["by_hand"], [0, 1])
        # An event of the scene's own comes behind those in the list, and one more by hand behind it.
        self.assertEqual(shown.command(do="add", path="event", toml=own)[0], 200)
        self.assertEqual(again("restart")["by_hand"], [0, 1])
        on(1)
        self.assertEqual(shown.command(do="event", toml='{ release = ["hold"] }')[0], 200)
        self.assertEqual(on(2)["by_hand"], [0, 1, 3])
        self.assertEqual(shown.ask("/api/toml")[1].count(b"[[event]]"), 4)
        # What waits is told, and can be forgotten before it acts.
        shown.command(do="event", toml='{ enable = ["hold"] }')
        shown.command(do="set", path="solver.dx", toml="0.03")
        live = shown.json("/api/state")["live"]
        self.assertEqual(live["pending"], {"next_frame": ['{ enable = ["hold"] }'], "after_restart": ["solver.dx = 0.03"]})
        self.assertIn(b"dx = 0.02", shown.ask("/api/toml?of=run")[1])
        self.assertIn(b"dx = 0.03", shown.ask("/api/toml")[1])
        shown.command(do="forget", what="next frame")
        live = shown.json("/api/state")["live"]
        self.assertEqual((live["waiting"], live["for_restart"], live["pending"]["next_frame"]), (0, 1, []))
        shown.command(do="forget")
        self.assertEqual(again("afresh")["by_hand"], [])
        shown.command(do="play")
        self.done(shown)
        live = cli.results_of(self.dir / "live")
        shown.end()
        self.write("plain.toml", RICH + "[[event]]\n" + "\n".join(own.strip("{} ").replace(", v", "\nv").replace(", b", "\nb").split("\n")) + "\n")
        self.assertEqual(live, self.plain_run("plain.toml"))

    def test_what_waits_for_the_next_frame_happens_at_the_start_of_a_restart(self):
        shown = self.live("--paused", scene=RICH)
        shown.until(lambda s: s["live"]["phase"] == "paused")
        young, push = '{ material = "snow", set = { young = "1 MPa" } }', '{ body = "block", velocity = ["y", 2] }'
        for order in ("afresh", "restart"):
            for event in (young, push):
                self.assertEqual(shown.command(do="event", toml=event)[0], 200)
            run = shown.json("/api/state")["live"]["run"]
            shown.command(do=order)
            live = shown.until(lambda s: s["live"]["run"] == run + 1 and s["live"]["phase"] == "paused")["live"]
            self.assertEqual((live["waiting"], live["by_hand"]), (0, [0, 1] if order == "restart" else []))
        shown.command(do="play")
        self.done(shown)
        live = cli.results_of(self.dir / "live")
        shown.end()
        events = [event[2:-2].replace(", set", "\nset").replace(", velocity", "\nvelocity") for event in (young, push)]
        self.write("plain.toml", RICH + "".join(f"[[event]]\ntime = 0\n{event}\n" for event in events))
        self.assertEqual(live, self.plain_run("plain.toml"))

    def test_what_is_changed_before_the_first_step_holds_from_the_start(self):
        shown = self.live("--paused", scene=RICH)
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="event", toml='{ material = "snow", set = { young = "1 MPa" } }')
        shown.command(do="frame")
        live = shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["frame"] == 2)["live"]
        self.assertEqual((live["by_hand"], live["waiting"]), ([0], 0))
        shown.command(do="play")
        self.done(shown)
        live = cli.results_of(self.dir / "live")
        shown.end()
        self.write("plain.toml", RICH + '[[event]]\ntime = 0\nmaterial = "snow"\nset = { young = "1 MPa" }\n')
        self.assertEqual(live, self.plain_run("plain.toml"))

    def test_a_restart_goes_back_to_the_scene_file(self):
        shown = self.live("--paused", scene=RICH)
        state = shown.until(lambda s: s["live"]["phase"] == "paused")

        def again(order):
            run = shown.json("/api/state")["live"]["run"]
            shown.command(do=order)
            return shown.until(lambda s: s["live"]["run"] == run + 1 and s["live"]["phase"] == "paused")["live"]

        shown.command(do="add", path="event", toml='{ time = 0.3, body = "block", velocity = [0, 1] }')
        shown.command(do="set", path="solver.dx", toml="0.03")
        shown.command(do="event", toml='{ velocity = [1, 0] }')
        changed = again("restart")
        self.assertEqual((changed["unlike_file"], changed["by_hand"]), (2, [1]))
        # One that the run does not last for is none that is repeated.
        shown.command(do="frame")
        shown.until(lambda s: s["live"]["frame"] == 2 and s["live"]["phase"] == "paused")
        shown.command(do="event", toml='{ velocity = [0, 1] }')
        shown.command(do="frame")
        shown.until(lambda s: s["live"]["by_hand"] == [1, 2] and s["live"]["phase"] == "paused")
        shown.command(do="set", path="scene.duration", toml="0.03")
        self.assertEqual(again("restart")["by_hand"], [1])
        shown.command(do="set", path="solver.dx", toml="0.05")
        live = again("original")
        self.assertEqual((live["unlike_file"], live["for_restart"], live["by_hand"], live["particles"]), (0, 0, [], state["live"]["particles"]))
        self.assertNotIn("differs from the scene file", shown.json("/api/log")["text"])
        shown.command(do="play")
        self.done(shown)
        live = cli.results_of(self.dir / "live")
        shown.end()
        self.assertEqual(live, self.plain_run())

    def test_what_was_made_by_hand_is_not_lost_to_another_look(self):
        shown = self.live("--paused", "--frames", "2")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="set", path="solver.dx", toml="0.03")
        shown.command(do="restart")
        shown.until(lambda s: s["live"]["run"] == 2 and s["live"]["phase"] == "paused")
        shown.end()
        self.refuse(3, ["live contains a run of block.toml that was changed by hand", "knead view live", "--force"], "view", "block.toml", "--out", "live", "--frames", "2")

    def test_only_what_the_method_has_is_offered(self):
        for scene, there, not_there in ((RICH, {"grip", "collider"}, {"source", "drain", "explosion"}), (viewer.POOL, {"source", "drain", "explosion"}, {"grip"})):
            shown = self.live("--paused", "--force", scene=scene)
            forms = shown.json("/api/forms")
            self.assertLessEqual(there, set(forms["lists"]))
            self.assertEqual(not_there & set(forms["lists"]), set())
            types = next(f for f in forms["lists"]["probe"]["fields"] if f["path"] == "type")["choices"]
            self.assertEqual("losses" in types, scene is RICH)
            paths = {f["path"] for section in shown.json("/api/panel") for f in section["fields"]}
            self.assertEqual(any(p.startswith("solver.liquid.") for p in paths), scene is viewer.POOL)
            self.assertFalse(any(p.startswith("solver.meshless.") for p in paths))
            # A parameter changes when the panel says so.
            kind, own = next((section["path"], f) for section in shown.json("/api/panel") for f in section["fields"] if f["path"].startswith("materials.") and f["kind"] == "number" and f["text"])
            order = {"do": "event", "toml": f'{{ material = "{kind[10:]}", set = {{ {own["path"].rsplit(".")[-1]} = {own["text"]} }} }}'}
            self.assertEqual(shown.command(**order)[0], 200 if own["acts"] == "next frame" else 400, order)
            self.assertIn(f"written to {'live'}", shown.end())

    def test_a_liquid_is_pulled_whatever_it_came_from_and_that_is_repeated_to_the_bit(self):
        import h5py
        import numpy

        for transfer in ("flip", "apic"):
            with self.subTest(transfer):
                shown = self.live("--paused", "--force", scene=viewer.POOL.replace("dx = 0.05", f'dx = 0.05\nliquid = {{ transfer = "{transfer}" }}'))
                plain = self.plain_run(out=f"plain_{transfer}")
                for frame in (2, 3):
                    shown.until(lambda s: s["live"]["phase"] == "paused")
                    shown.command(do="frame")
                    shown.until(lambda s: s["live"]["frame"] == frame and s["live"]["phase"] == "paused")
                status, answer = shown.command(do="event", event={"velocity": ["X", 0]})
                self.assertEqual(status, 400)
                self.assertIn(b"initial position", answer)
                status, answer = shown.command(do="event", event={"velocity": ["2*y", "0.5*exp(-(x-0.5)^2/0.01)"]})
                self.assertEqual((status, json.loads(answer)), (200, {"acts": "next frame"}), answer)
                self.assertEqual(shown.command(do="event", event={"gravity": [1, -3]})[0], 200)
                shown.command(do="play")
                self.done(shown)
                live = cli.results_of(self.dir / "live")
                shown.end()
                self.assertEqual(live, self.plain_run("live/scene.toml", f"again_{transfer}"))
                self.assertEqual(live["frames/frame.0003.h5"], plain["frames/frame.0003.h5"])
                # The frame at the event is as without it, but for what it has added to all matter.
                with h5py.File(self.dir / "live/frames/frame.0004.h5") as a, h5py.File(self.dir / f"plain_{transfer}/frames/frame.0004.h5") as b:
                    a, b = ({name: f["particles"][name][:] for name in f["particles"]} for f in (a, b))
                self.assertEqual(set(a["body"]), {0, 1})
                numpy.testing.assert_array_equal(a["x"], b["x"])
                x, y = a["x"][:, 0], a["x"][:, 1]
                bump = 0.5 * numpy.exp(-((x - 0.5) ** 2) / 0.01)
                numpy.testing.assert_allclose(a["v"] - b["v"], numpy.stack([2 * y, bump], 1), atol=1e-5)
                if transfer == "apic":
                    turn = (a["C"] - b["C"]).reshape(-1, 2, 2)
                    numpy.testing.assert_allclose(turn[:, 0, 1], 2, atol=1e-4)
                    numpy.testing.assert_allclose(turn[:, 1, 0], -2 * (x - 0.5) / 0.01 * bump, atol=1e-3)

    def test_matter_that_is_let_melt_is_repeated_to_the_bit(self):
        import h5py
        import numpy

        shown = self.live("--paused", scene=WAX)
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="frame")
        shown.until(lambda s: s["live"]["frame"] == 2 and s["live"]["phase"] == "paused")
        self.assertEqual(shown.command(do="event", toml='{ material = "wax", set = { melt = true } }')[0], 200)
        shown.command(do="play")
        self.done(shown)
        shown.end()
        live, again = cli.results_of(self.dir / "live"), self.plain_run("live/scene.toml", "again")
        self.assertEqual(live["stats.csv"], again["stats.csv"])
        for path in sorted(live):
            if not path.endswith(".h5"):
                continue
            with h5py.File(self.dir / "live" / path) as a, h5py.File(self.dir / "again" / path) as b:
                # Before the event only the run that knew of it has the column.
                self.assertLessEqual(set(b["particles"]) - set(a["particles"]), {"molten"}, path)
                for name in a["particles"]:
                    numpy.testing.assert_array_equal(a["particles"][name][:], b["particles"][name][:], f"{name} of {path}")
        with h5py.File(self.dir / "live" / max(p for p in live if p.endswith(".h5"))) as last:
            self.assertTrue((last["particles/molten"][:] == 1).all())

    def test_points_from_the_page_are_kept_in_the_run_folder_and_become_a_body(self):
        shown = self.live("--paused", "--frames", "1")
        before = shown.until(lambda s: s["live"]["phase"] == "paused")["live"]["particles"]
        csv = "x,y\n" + "".join(f"{0.2 + 0.01 * (i % 10)},{0.7 + 0.01 * (i // 10)}\n" for i in range(100))
        status, answer = shown.command(do="points", csv=csv)
        self.assertEqual(status, 200, answer)
        file = json.loads(answer)["file"]
        self.assertEqual(Path(file).read_text(), csv)
        self.assertEqual(Path(file).parent, (self.dir / "live").resolve())
        shape = {"type": "box", "center": [0.245, 0.745], "size": [0.1, 0.1]}
        status, answer = shown.command(do="add", path="body", value={"material": "snow", "shape": shape, "sampling": "file", "points": file})
        self.assertEqual(status, 200, answer)
        shown.command(do="restart")
        shown.until(lambda s: s["live"]["particles"] == before + 100)

    def test_a_frame_is_saved_as_it_is_on_the_disk(self):
        shown = self.live("--paused")
        shown.until(lambda s: s["frames"])
        self.assertEqual(shown.ask("/api/file?number=1"), (200, (self.dir / "live/frames/frame.0001.h5").read_bytes()))
        for number in ("99", "now", "-1", "../log.txt", ""):
            self.assertEqual(shown.ask(f"/api/file?number={number}")[0], 400)

    def test_a_particle_of_the_state_now_has_all_its_columns(self):
        shown = self.live("--paused")
        shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["shown_step"] >= 0)
        answer = json.loads(shown.ask("/api/particle?number=now&row=7")[1])
        self.assertLessEqual({"x", "v", "mass", "volume", "id", "F", "tau", "J_p"}, {c["name"] for c in answer["columns"]})

    def test_a_value_changes_with_a_restart(self):
        shown = self.live("--paused", "--frames", "2")
        before = shown.until(lambda s: s["live"]["phase"] == "paused" and s["live"]["particles"])["live"]["particles"]
        status, answer = shown.command(do="set", path="solver.dx", value=0.04)
        self.assertEqual((status, json.loads(answer)["acts"]), (200, "after restart"))
        self.assertIn("dx = 0.04", shown.ask("/api/toml")[1].decode())
        shown.command(do="restart")
        shown.until(lambda s: 0 < s["live"]["particles"] < before / 3)
        shown.command(do="play")
        self.done(shown)
        self.assertIn("dx = 0.04", (self.dir / "live/scene.toml").read_text())

    def test_the_log_of_a_restarted_run_has_all_that_was_changed_since_the_scene_file(self):
        shown = self.live("--paused", "--frames", "1")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        ball = '{ name = "ball", material = "snow", shape = { type = "sphere", center = [0.3, 0.8], radius = 0.1 } }'
        for n, order in enumerate(({"do": "add", "path": "body", "toml": ball}, {"do": "set", "path": "body.1.shape.radius", "toml": "0.12"})):
            shown.command(**order)
            shown.command(do="restart")
            shown.until(lambda s: s["live"]["for_restart"] == 0 and s["live"]["phase"] == "paused" and s["revision"].startswith(f"live {n + 2} "))
        log = shown.json("/api/log")["text"]
        self.assertIn(f"differs from the scene file: body has one more: {ball}", log)
        self.assertIn("differs from the scene file: body.1.shape.radius = 0.12", log)

    def test_what_is_odd_in_what_was_added_is_told_at_the_start(self):
        shown = self.live("--paused", "--frames", "1")
        state = shown.until(lambda s: s["live"]["phase"] == "paused")
        self.assertEqual(state["live"]["warnings"], [])
        body = cli.BLOCK[cli.BLOCK.index("shape = "):].splitlines()[0]
        self.assertEqual(shown.command(do="add", path="body", toml=f'{{ name = "twin", material = "snow", {body} }}')[0], 200)
        shown.command(do="restart")
        state = shown.until(lambda s: s["live"]["run"] == 2 and s["live"]["phase"] == "paused")
        self.assertIn("overlap", " ".join(state["live"]["warnings"]))

    def test_ended_in_the_middle_it_can_be_resumed(self):
        shown = self.live("--paused")
        shown.until(lambda s: s["live"]["phase"] == "paused")
        shown.command(do="frame")
        shown.until(lambda s: s["live"]["frame"] == 2)
        shown.command(do="step")
        self.assertIn("--resume", shown.end())
        self.assertEqual(shown.process.returncode, 130)
        done = self.knead("run", "live/scene.toml", "--out", "live", "--resume", "-q")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(cli.results_of(self.dir / "live"), self.plain_run())


if __name__ == "__main__":
    cli.main()
