"""`knead lcp`: small problems with known answers, and files that are wrong."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli


def ones_and_twos(n):
    return [[i, j, 1 if i == j else 2] for i in range(n) for j in range(i + 1)]


class Lcp(cli.Case):
    def problem(self, **keys):
        return self.write("problem.json", json.dumps(keys))

    def solve(self, path, *more):
        self.run_well("lcp", "--problem", path, "--output", self.dir / "answer.json", *more)
        return json.loads((self.dir / "answer.json").read_text())

    def test_murty(self):
        n = 12
        path = self.problem(matrix=ones_and_twos(n), size=n, b=[-1] * n)
        for more in ([], ["--method", "pgs"]):  # not symmetric: pgs by itself
            answer = self.solve(path, *more)
            self.assertEqual([round(q, 9) for q in answer["q"]], [1] + [0] * (n - 1))
            self.assertGreater(min(answer["w"]), -1e-9)
        said = self.refuse(3, ["not symmetric", "--method pgs"], "lcp", "--problem", path, "--method", "mprgp")
        self.assertIn("problem.json", said.err)

    def test_a_matrix_with_bounds(self):
        path = self.problem(matrix=[[0, 0, 2], [1, 1, 2], [0, 1, -1], [1, 0, -1]], size=2, b=[1, -3], lower=[-0.25, 0])
        for method in ("mprgp", "pgs"):  # q0 = max(-1/4, ...) and both rows hold: 2 q0 - q1 = -1, 2 q1 - q0 = 3
            answer = self.solve(path, "--method", method)
            self.assertAlmostEqual(answer["q"][0], 1 / 3, 7)
            self.assertAlmostEqual(answer["q"][1], 5 / 3, 7)

    def test_a_grid_by_all_methods(self):
        nx, ny = 9, 7
        b = [((7 * i) % 13 - 6) / 6 for i in range(nx * ny)]
        path = self.problem(grid=[nx, ny], b=b, unknown=[int(i % 11 > 0) for i in range(nx * ny)],
                            open_x=[(i % 5) / 4 for i in range((nx + 1) * ny)])
        answers = [self.solve(path, "--method", method)["q"] for method in ("multigrid", "mprgp", "pgs")]
        self.assertGreater(max(answers[0]), 0.1)
        for other in answers[1:]:
            self.assertLess(max(abs(a - b) for a, b in zip(answers[0], other)), 1e-6)
        line = json.loads(self.run_well("lcp", "--problem", path, "--json").out)
        self.assertEqual((line["method"], line["converged"], line["infeasible"]), ("multigrid", True, 0))
        self.assertLess(line["residual"], 1e-8)

    def test_problems_without_a_solution(self):
        # w = (q0 - 2 q1 - 1, -2 q0 + q1 - 1) >= 0 asks for q0 >= 2 q1 + 1 and q1 >= 2 q0 + 1.
        path = self.problem(matrix=[[0, 0, 1], [0, 1, -2], [1, 0, -2], [1, 1, 1]], size=2, b=[-1, -1])
        for method in ("mprgp", "pgs"):
            self.refuse(5, ["problem.json: no"], "lcp", "--problem", path, "--method", method, "--output",
                        self.dir / "answer.json")
            self.assertFalse((self.dir / "answer.json").exists())

    def test_files_that_are_wrong(self):
        matrix, b = [[0, 0, 1], [1, 1, 1]], [1, 1]
        for expected, keys in [
                (["'b' is missing"], dict(matrix=matrix, size=2)),
                (["either a 'matrix' or a 'grid'"], dict(b=b)),
                (["'b' has 3 numbers", "needs 2"], dict(matrix=matrix, size=2, b=[1, 1, 1])),
                (["[2,0,1]", "0 to 1"], dict(matrix=[[2, 0, 1]], size=2, b=b)),
                (["diagonal", "(1, 1)"], dict(matrix=[[0, 0, 1]], size=2, b=b)),
                (["'b'", "null", "finite number"], dict(matrix=matrix, size=2, b=[1, None])),
                (["'size'", "1 to"], dict(matrix=matrix, size=-2, b=b)),
                (["'grid'", "[nx, ny]"], dict(grid=[4], b=b)),
                (["'grid'", "[nx, ny]"], dict(grid=[4, -1], b=b)),
                (["'open_x'", "0 to 1"], dict(grid=[1, 2], b=b, open_x=[1, 1, 1, 2])),
                (["'open_y' has 2", "needs 3"], dict(grid=[1, 2], b=b, open_y=[1, 1])),
                (["'unknown'", "0 or 1"], dict(grid=[1, 2], b=b, unknown=[1, 2])),
                (["no 'right'"], dict(matrix=matrix, size=2, b=b, right=3))]:
            self.refuse(3, ["problem.json"] + expected, "lcp", "--problem", self.problem(**keys))
        self.refuse(3, ["not JSON"], "lcp", "--problem", self.write("cut.json", '{"b": [1, '))
        self.refuse(3, ["not JSON"], "lcp", "--problem", self.write("huge.json", '{"b": [1e999]}'))
        self.refuse(4, ["nowhere.json"], "lcp", "--problem", "nowhere.json")
        self.refuse(2, ["--problem"], "lcp")
        self.refuse(2, ["lemke"], "lcp", "--problem", "a.json", "--method", "lemke")
        self.refuse(3, ["multigrid", "'grid'"], "lcp", "--method", "multigrid", "--problem", self.problem(matrix=matrix, size=2, b=b))

    def test_what_cannot_be_solved_ends_with_5(self):
        n = 30
        string = [[i, j, 2 if i == j else -1] for i in range(n) for j in (i - 1, i, i + 1) if 0 <= j < n]
        self.refuse(5, ["residual", "--iterations"], "lcp", "--problem", self.problem(matrix=string, size=n, b=[-1] * n),
                    "--method", "pgs", "--iterations", "5")
        closed = self.problem(grid=[2, 2], b=[-1] * 4, open_x=[0, 0, 1, 1, 0, 0], open_y=[0, 1, 0, 0, 1, 0])
        self.refuse(5, ["4 enclosed cells", "room"], "lcp", "--problem", closed)


if __name__ == "__main__":
    cli.main()
