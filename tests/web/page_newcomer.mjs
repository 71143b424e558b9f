// What somebody who has never seen the page expects of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { filled, give, openPage, placeOf, renewing, saved, soon, tab, told, until } from "./browser.mjs";

const options = (page, label) => page.locator(`select[aria-label="${label}"]`).first().locator("option").allTextContents();

// As (L + 0.05) of the lighter to that of the darker, after WCAG 2; colours as "#rrggbb".
function contrast(...colors) {
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (hex) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => sum + weight * linear(parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16) / 255), 0);
  const [dark, bright] = colors.map(light).sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

export const tests = ({ browser, urls, folder }) => ({
  async a_browser_that_prefers_light_gets_a_light_page() {
    const page = await openPage(browser, urls.flat, { colorScheme: "light", viewport: { width: 1280, height: 720 } });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    return page;
  },

  async the_range_of_the_colours_is_chosen_and_told(page) {
    await page.evaluate(() => knead.beside.choose(""));
    await page.evaluate(() => knead.paint.setColor("v"));
    const range = page.locator('#legend select[aria-label="Range of the colours"]');
    await range.waitFor();
    assert.deepEqual(await options(page, "Range of the colours"), ["this frame", "frames seen so far", "fixed"]);
    const look = () => page.evaluate(() => ({ ends: knead.paint.ends, frame: [knead.stage.frame.low, knead.stage.frame.high] }));
    const go = async (number) => {
      await page.locator("#scrub").fill(String(number - 1));
      await until(page, (n) => knead.stage.frame.number === n && knead.stage.frame.color === "v", number);
      return look();
    };
    await range.selectOption("frame");
    const [early, late] = [await go(1), await go(9)];
    assert.deepEqual(early.ends, early.frame);
    assert.deepEqual(late.ends, late.frame);
    await range.selectOption("seen");
    const both = await look();
    assert.deepEqual(both.ends, [Math.min(early.frame[0], late.frame[0]), Math.max(early.frame[1], late.frame[1])]);
    await go(1);
    await range.selectOption("fixed");
    await range.selectOption("frame");
    await range.selectOption("fixed");
    assert.deepEqual((await go(9)).ends, early.frame);
    await tab(page, "view");
    await range.selectOption("frame");
    // Of two runs, it is that of both.
    await page.evaluate(() => knead.beside.choose("run"));
    await soon(async () => {
      const ends = await page.evaluate(() => [knead.stage, knead.beside.stage].map(({ frame }) => [frame?.low, frame?.high]));
      assert.deepEqual((await look()).ends, [Math.min(ends[0][0], ends[1][0]), Math.max(ends[0][1], ends[1][1])]);
    });
    await range.selectOption("seen");
  },

  async both_ends_of_the_colours_can_be_seen_on_dark_and_light(page) {
    for (const theme of ["light", "dark"]) {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
      const { ground, maps } = await page.evaluate(() => {
        const maps = {};
        for (const name of Object.keys(knead.scene.colormaps)) {
          knead.paint.setColormap(name);
          maps[name] = [0, 32].map((i) => knead.paint.legend.scale.colors[i]);
        }
        knead.paint.setColormap("viridis");
        return { ground: `#${knead.stage.world.background.getHexString()}`, maps };
      });
      for (const [name, ends] of Object.entries(maps)) for (const end of ends) assert.ok(contrast(end, ground) >= 1.5, `${name}: ${end} on ${theme}`);
      await page.screenshot({ path: join(folder, `colours-${theme}.png`) });
      await page.keyboard.press("t");
    }
  },

  async no_colour_is_offered_twice(page) {
    const names = await page.evaluate(() => [...document.querySelectorAll("#options select")][0].querySelectorAll("option").length);
    const distinct = await page.evaluate(() => new Set([...[...document.querySelectorAll("#options select")][0].options].map((o) => o.textContent)).size);
    assert.equal(names, distinct);
  },

  async plots_offer_what_the_run_has_and_tell_its_values_at_the_mark(page) {
    await until(page, () => !knead.beside.what || knead.plots.beside); // which makes the plots anew
    await tab(page, "plots");
    await until(page, () => knead.plots.first());
    const offered = await options(page, "What is plotted");
    assert.ok(offered.length < 20, offered.join(", "));
    assert.ok(!offered.some((name) => ["over-density", "deformation skipped", "heat"].includes(name)), offered.join(", "));
    assert.ok(["energies", "volume", "time step", "centre of mass"].every((name) => offered.includes(name)), offered.join(", "));
    await page.locator('select[aria-label="What is plotted"]').first().selectOption("centre of mass");
    const labels = await page.evaluate(() => knead.plots.first().series.map(({ label }) => label));
    assert.deepEqual(labels.filter((l) => !l.includes("beside")), ["t", "center_x", "center_y"]);
    await page.locator('select[aria-label="What is plotted"]').first().selectOption("energies");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await until(page, () => knead.stage.frame.number === 2);
    await soon(async () => {
      const [shown, value] = await page.evaluate(() => [document.querySelectorAll(".plot .u-value")[1].textContent, knead.plots.column("kinetic")[1]]);
      assert.ok(Math.abs(Number(shown) - value) < 1e-3 * value, `${shown} is ${value}`);
    });
  },

  async a_click_beside_the_matter_leaves_no_particle(page) {
    await page.evaluate(() => knead.beside.choose(""));
    await until(page, () => {
      const { camera, canvas } = knead.stage;
      return Math.abs(camera.right / camera.top - canvas.clientWidth / canvas.clientHeight) < 1e-9; // the picture takes its place
    });
    await page.mouse.click(...(await placeOf(page, null)));
    await page.waitForSelector("#particle table");
    assert.match(await page.locator("#particle").innerText(), /volume\s+\S+\s+m³, 1 m thick/);
    await page.mouse.click(30, 60);
    await until(page, () => !document.querySelector("#particle table"));
    assert.match(await page.locator("#particle").innerText(), /Click on a particle/);
  },

  async keys_go_to_the_page_after_its_controls_were_used(page) {
    await tab(page, "view");
    const lines = () => page.evaluate(() => knead.look(knead.scene).velocity);
    const used = ["select >> nth=0", ".lil-controller:has-text('grips') input", "button.lil-title >> nth=1", "button.lil-title >> nth=1"].map((what) => page.locator(`#options ${what}`));
    for (const control of [...used, page.locator("#bar select[title^='Speed']")]) {
      const before = await lines();
      if (await control.evaluate((e) => e.matches("select"))) await control.focus().then(() => control.selectOption({ index: 1 }));
      else await control.click();
      await page.keyboard.press("v");
      assert.equal(await lines(), !before, await control.evaluate((e) => e.outerHTML.slice(0, 60)));
    }
    const before = await lines();
    await page.locator("#bar select[title^='Speed']").focus();
    await page.keyboard.press("v");
    assert.equal(await lines(), !before, "a list that is not open has no keys of its own");
    if (await lines()) await page.keyboard.press("v");
  },

  async a_key_that_can_do_nothing_says_so(page) {
    await page.keyboard.press("r");
    await told(page, /can only be watched/);
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async the_eye_stays_above_a_floor_that_is_shown() {
    const page = await openPage(browser, urls.deep, { viewport: { width: 1280, height: 720 } });
    const corner = [0, 0.85, 0.15, 1];
    assert.ok((await filled(page, corner)) > 0.9, "from above there is the floor");
    await page.screenshot({ path: join(folder, "above.png") });
    const height = () => page.evaluate(() => knead.stage.camera.position.y);
    const turn = async () => {
      const before = await height();
      await page.mouse.move(400, 300);
      await page.mouse.down();
      await page.mouse.move(400, 60, { steps: 4 });
      await page.mouse.up();
      await until(page, (y) => knead.stage.camera.position.y < y, before);
      return height();
    };
    assert.ok((await turn()) > 0, "it stays above");
    const reach = await page.evaluate(() => knead.stage.eye.reach);
    await page.mouse.wheel(0, 500);
    await until(page, (r) => knead.stage.eye.reach > r, reach);
    assert.ok((await height()) > 0, "and goes back above it too");
    await page.keyboard.press("f");
    await tab(page, "view");
    await page.locator("#options .lil-controller", { hasText: "colliders" }).locator("input").click();
    assert.ok((await turn()) < 0, "without colliders, the eye goes below");
    assert.ok((await filled(page, corner)) < 0.01, "and sees no floor");
    assert.ok((await filled(page)) > 0.05, "but the ball");
    await page.screenshot({ path: join(folder, "below.png") });
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async plots_of_a_run_that_has_not_begun_have_its_duration() {
    const page = await openPage(browser, urls.short, { viewport: { width: 1280, height: 720 } });
    await tab(page, "plots");
    await until(page, () => knead.plots.rows === 1);
    await until(page, () => knead.plots.first()); // drawn a while after
    await soon(async () => assert.deepEqual(await page.evaluate(() => [knead.plots.first().scales.x.min, knead.plots.first().scales.x.max]), [0, 0.2]));
    return page;
  },

  async a_time_step_that_is_alone_is_plotted_and_axes_have_short_numbers(page) {
    await page.keyboard.press("n");
    await until(page, () => knead.plots.rows === 2);
    const ink = () =>
      page.evaluate(() => {
        const canvas = document.querySelectorAll(".plot canvas")[1];
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += Math.abs(data[i] - 0x1b) + Math.abs(data[i + 1] - 0x9e) + Math.abs(data[i + 2] - 0xa3) < 60; // of the second curve, which lies above the first
        return count;
      });
    await until(page, () => knead.plots.first().data[0].length === 2);
    await soon(async () => assert.ok((await ink()) > 5, "the point of dt_max is drawn"));
    await page.screenshot({ path: join(folder, "one-step.png") });
  },

  async a_value_that_comes_after_the_end_waits_for_a_restart(page) {
    await until(page, () => knead.state.live.phase === "paused"); // the frame is there before that
    await page.keyboard.press("Space");
    await until(page, () => knead.state.live.phase === "done" && knead.player.numbers.length === 6);
    await until(page, () => [...document.querySelectorAll("#bar button")].filter((b) => ["resume", "pause", "step", "+1 frame"].includes(b.textContent)).every((b) => b.disabled));
    await tab(page, "steer");
    await page.locator("#steer summary", { hasText: "material snow" }).click();
    await renewing(page, () => give(page, "materials.snow.young", "2e5"));
    await until(page, () => knead.state.live.for_restart === 1);
    assert.equal(await page.locator("#steer .why").count(), 0);
    await told(page, /Takes effect after a restart/);
  },

  async a_simulation_that_has_ended_is_filmed_frame_by_frame(page) {
    await page.locator("#canvas").focus();
    assert.ok(await page.evaluate(() => knead.player.follow));
    const film = await saved(page, () => page.keyboard.press("m"));
    const { streams } = JSON.parse(execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-of", "json", film.path]).toString());
    assert.equal(Number(streams[0].nb_read_frames), 6);
    await until(page, () => !knead.saving.recorder.on);
    await page.keyboard.press("End");
  },

  // Both keys before the program could answer anything.
  async a_restart_is_followed_at_once_and_space_pauses_it(page) {
    await page.locator("#canvas").focus();
    const after = await page.evaluate(() => {
      for (const key of ["r", " "]) document.getElementById("canvas").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      const { player, plots, banner } = knead;
      return { numbers: player.numbers.length, playing: player.playing, follow: player.follow, rows: plots.rows, slider: document.getElementById("scrub").value, told: banner.box.textContent };
    });
    assert.deepEqual(after, { numbers: 0, playing: false, follow: true, rows: 0, slider: "0", told: "" }, "what was noted of the restart is gone too");
    await until(page, () => knead.state.live.phase === "paused" && knead.player.numbers.length > 0);
    assert.ok(await page.evaluate(() => knead.player.numbers.length < 6 && knead.player.follow && !knead.player.playing));
    assert.equal(Number(await page.locator("#steer input[aria-label='materials.snow.young']").inputValue()), 2e5);
    assert.equal(await page.evaluate(() => document.querySelectorAll("#steer .changed").length), 0);
    await page.keyboard.press("Space");
    await until(page, () => knead.state.live.phase === "done" && knead.stage.frame.number === 6 && knead.plots.rows === 6);
  },

  async a_restart_while_frames_are_played_asks_for_none_that_is_gone(page) {
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await until(page, () => knead.player.playing && knead.stage.frame.number > 1);
    await page.keyboard.press("r");
    await until(page, () => knead.player.follow && knead.plots.rows > 0 && knead.stage.frame.step > 0 && !knead.stale);
    assert.deepEqual(page.errors, []);
  },

  async a_restart_by_another_page_is_followed_too(page) {
    await until(page, () => knead.state.live.phase === "done" && knead.player.numbers.length === 6);
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1 && !knead.player.follow);
    const run = await page.evaluate(() => knead.state.live.run);
    await page.evaluate(() => fetch("/api/command", { method: "POST", body: '{"do": "restart"}', headers: { "X-Knead-Token": new URLSearchParams(location.hash.slice(1)).get("token") } }));
    await until(page, (r) => knead.state.live.run === r + 1 && knead.player.follow && knead.stage.frame.number === 6 && knead.plots.rows === 6, run);
    assert.deepEqual(page.errors, []);
    await page.close();
  },
});
