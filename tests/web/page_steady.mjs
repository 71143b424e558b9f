// Following a simulation for long: what a picture costs does not grow, and none is asked for before the last one is drawn.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPage, soon, until } from "./browser.mjs";

export const tests = ({ browser, urls, folder }) => ({
  async a_run_that_another_process_writes_is_followed_to_its_last_frame() {
    const page = await openPage(browser, urls.written);
    assert.equal(await page.evaluate(() => knead.stage.frame.number), 3, "it opens where the run is");
    for (const number of [4, 5]) {
      writeFileSync(join(folder, `write-${number}`), "");
      await until(page, (n) => knead.stage.frame.number === n, number); // the last one comes with the end of the run
    }
    await until(page, () => knead.state.status === "stopped");
    // It was asked for frames up to 9 of a scene of 13.
    await soon(async () => {
      assert.match(await page.locator("#moment").textContent(), /^frame 5 \/ 9 /);
      assert.deepEqual(await page.evaluate(() => [knead.bar.slider.value, knead.bar.slider.max, knead.bar.slide.className]), ["4", "8", "slide partly"]);
    });
    await until(page, () => document.getElementById("legend").textContent.includes("stopped after frame 5. To resume: knead run written/scene.toml --out written --resume"));
    await page.keyboard.press("ArrowLeft");
    await page.screenshot({ path: join(folder, "stopped.png") });
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async only_new_rows_of_the_statistics_are_sent() {
    const page = await openPage(browser, urls.going);
    const sent = [];
    page.on("response", async (response) => {
      const { pathname, searchParams } = new URL(response.url());
      if (pathname === "/api/stats") sent.push(response.json().then(({ columns, rows }) => ({ first: Number(searchParams.get("first")), sent: columns[0].length, rows })));
    });
    await page.evaluate(() => knead.order("play"));
    await until(page, () => knead.plots.rows >= 12);
    await page.evaluate(() => knead.order("pause"));
    await until(page, () => knead.state.live.phase === "paused" && knead.plots.rows === knead.player.numbers.length);
    const answers = await Promise.all(sent);
    const total = answers.reduce((sum, answer) => sum + answer.sent, 0);
    const rows = await page.evaluate(() => knead.plots.rows);
    assert.ok(total <= rows + answers.length, `${total} rows were sent for ${rows}: ${JSON.stringify(answers)}`);
    await soon(async () => {
      const { frames, whole } = await page.evaluate(async () => {
        const answer = await fetch("/api/stats", { headers: { "X-Knead-Token": new URLSearchParams(location.hash.slice(1)).get("token") } });
        return { frames: knead.plots.column("frame"), whole: (await answer.json()).columns[0] };
      });
      assert.deepEqual(frames, whole, "no row is there twice or missing");
    });
    return page;
  },

  async only_new_lines_of_the_log_are_sent(page) {
    await page.evaluate(() => knead.side.choose("log"));
    await until(page, () => document.getElementById("log-text").textContent.includes("frame 3"));
    const asked = [];
    page.on("request", (request) => request.url().includes("/api/log") && asked.push(Number(new URL(request.url()).searchParams.get("first"))));
    const before = await page.evaluate(() => document.getElementById("log-text").textContent.length);
    await page.evaluate(() => knead.order("frame"));
    const whole = () => page.evaluate(() => fetch("/api/log", { headers: { "X-Knead-Token": new URLSearchParams(location.hash.slice(1)).get("token") } }).then((answer) => answer.json()));
    await until(page, (n) => document.getElementById("log-text").textContent.length > n && knead.state.live.phase === "paused", before);
    await soon(async () => assert.equal(await page.evaluate(() => document.getElementById("log-text").textContent), (await whole()).text));
    assert.ok(asked.filter((first) => first > 0).length > 0, `from ${asked}`);
  },

  async curves_of_a_long_run_have_few_points_and_all_their_peaks(page) {
    await page.evaluate(() => knead.side.choose("plots"));
    await until(page, () => knead.plots.first());
    const seen = await page.evaluate(async () => {
      const { plots } = knead;
      const before = plots.table;
      const rows = 20_000;
      const columns = before.names.map((name) => Array.from({ length: rows }, (_, i) => (name === "time" ? i / 100 : name === "kinetic" && i === 12_345 ? 1000 : 1)));
      plots.table = { names: before.names, columns, rows, moving: before.moving };
      plots.restyle();
      const plot = plots.first();
      const kinetic = plot.series.findIndex(({ label }) => label === "kinetic");
      const [times, values] = [plot.data[0], plot.data[kinetic]];
      const result = { points: times.length, peak: Math.max(...values), rising: times.every((t, i) => !i || t > times[i - 1]), ends: [times[0], times.at(-1)] };
      plots.table = before;
      plots.restyle();
      return result;
    });
    assert.ok(seen.points <= 800, `${seen.points} points`);
    assert.deepEqual([seen.peak, seen.rising, seen.ends], [1000, true, [0, 199.99]]);
  },

  async a_time_step_that_was_not_made_is_no_point_of_a_curve(page) {
    const [value, curve] = await page.evaluate(() => {
      const choose = (name) => {
        const select = document.querySelector('select[aria-label="What is plotted"]');
        select.value = name;
        select.dispatchEvent(new Event("change"));
      };
      choose("time step");
      const { data } = knead.plots.first();
      choose("energies");
      return [knead.plots.column("dt_max")[0], data[1][0]];
    });
    assert.deepEqual([value, curve], [0, null]);
  },

  async no_picture_is_asked_for_before_the_last_one_is_drawn(page) {
    await page.evaluate(() => {
      const { stage } = knead;
      const gl = stage.renderer.getContext();
      window.ask = gl.getSyncParameter.bind(gl);
      gl.getSyncParameter = (fence, what) => (window.held ? gl.UNSIGNALED : window.ask(fence, what)); // a GL that is slow
      window.held = true;
      window.before = stage.drawn;
    });
    let asked = 0;
    page.on("request", (request) => (asked += request.url().includes("/api/frame")));
    await page.evaluate(() => knead.order("play"));
    await page.waitForTimeout(1500);
    assert.ok(asked <= 2, `${asked} states were asked for`); // by the order, and by what was under way
    const drawn = await page.evaluate(() => {
      for (let i = 0; i < 10; ++i) knead.stage.draw();
      return knead.stage.drawn - window.before;
    });
    assert.ok(drawn <= 1, `${drawn} pictures were drawn`);
    await page.evaluate(() => (window.held = false));
    await until(page, () => knead.stage.drawn > window.before + 3); // it goes on
    await page.evaluate(() => knead.order("pause"));
    assert.deepEqual(page.errors, []);
    await page.close();
  },
});
