// What a user does with the page, in a real browser; each test's name is what it proves. Called by test_page.py with the addresses of
// viewers as JSON: { flat, deep, live }, and a folder for pictures.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filled, openBrowser, openPage } from "./browser.mjs";

const urls = JSON.parse(process.argv[2]);
const folder = process.argv[3];
const browser = await openBrowser();
const shown = (page) => page.evaluate(() => ({ number: knead.stage.frame.number, time: knead.stage.frame.time, step: knead.stage.frame.step, rows: knead.stage.frame.rows }));
const until = (page, f, argument) => page.waitForFunction(f, argument);
const tab = (page, name) => page.locator(`#tabs [data-tab="${name}"]`).click();
const saved = async (page, action) => {
  const [download] = await Promise.all([page.waitForEvent("download"), action()]);
  return { name: download.suggestedFilename(), path: await download.path() };
};
const sceneText = (page) => page.evaluate(() => fetch("/api/toml", { headers: { "X-Knead-Token": new URLSearchParams(location.hash.slice(1)).get("token") } }).then((r) => r.text()));
// Types into a field of the panel.
const give = async (page, path, text) => {
  const input = page.locator(`#steer input[aria-label='${path}']`);
  await input.fill(text);
  await input.press("Enter");
};
// Where a particle is in the page, by what its value is.
const placeOf = (page, value) =>
  page.evaluate((wanted) => {
    const { stage } = knead;
    const i = wanted === null ? 0 : stage.frame.data.value.indexOf(wanted);
    const place = stage.mark.position.clone().set(stage.frame.data.x[2 * i], stage.frame.data.x[2 * i + 1], 0).project(stage.camera);
    const box = stage.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * place.x) * box.width, box.top + (0.5 - 0.5 * place.y) * box.height];
  }, value);
// What lies above the canvas at the points of a grid over it.
const covering = (page) =>
  page.evaluate(() => {
    const { left, top, width, height } = document.getElementById("canvas").getBoundingClientRect();
    const found = new Set();
    for (let i = 1; i < 30; ++i)
      for (let j = 1; j < 30; ++j) {
        const element = document.elementFromPoint(left + (i * width) / 30, top + (j * height) / 30);
        if (element?.id !== "canvas") found.add(element?.id || element?.className || element?.tagName);
      }
    return { found: [...found], width, height, bar: document.getElementById("bar").offsetHeight, wide: document.documentElement.scrollWidth - innerWidth };
  });

const tests = {
  async a_finished_run_in_2d_plays_loops_and_stops() {
    const page = await openPage(browser, urls.flat);
    assert.equal((await shown(page)).number, 1);
    await page.locator("#play").click();
    await until(page, () => knead.stage.frame.number > 3);
    await until(page, () => knead.stage.frame.number === 1 && knead.player.playing); // it has begun again
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => knead.player.playing), false);
    return page;
  },

  async the_slider_and_the_keys_go_to_a_frame(page) {
    await page.locator("#scrub").fill("4");
    await until(page, () => knead.stage.frame.number === 5);
    await page.keyboard.press("ArrowRight");
    await until(page, () => knead.stage.frame.number === 6);
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1);
    assert.match(await page.locator("#moment").textContent(), /frame 1 \/ 9/);
  },

  async the_matter_is_drawn_where_it_is(page) {
    await page.keyboard.press("f");
    assert.ok((await filled(page, [0.4, 0.4, 0.6, 0.6])) > 0.5, "the block is in the middle of the picture");
    await page.evaluate(() => (knead.stage.splats.object.visible = false));
    assert.ok((await filled(page, [0.45, 0.45, 0.55, 0.55])) < 0.01, "without the particles nothing is there");
    await page.evaluate(() => (knead.stage.splats.object.visible = true));
  },

  async a_click_on_a_particle_reads_its_columns(page) {
    await page.mouse.click(...(await placeOf(page, null)));
    await page.waitForSelector("#particle table");
    const text = await page.locator("#particle").innerText();
    assert.match(text, /Particle 0/);
    for (const column of ["mass", "volume", "vx", "F_xy", "J_p"]) assert.ok(text.includes(column), `${column} is told`);
    const x = Number(text.match(/^x\s+(\S+)/m)[1]);
    assert.ok(Math.abs(x - (await page.evaluate(() => knead.stage.frame.data.x[0]))) < 1e-5);
  },

  async a_column_gives_colours_and_a_legend(page) {
    await page.evaluate(() => knead.setColor("v"));
    await until(page, () => knead.stage.frame.color === "v" && document.getElementById("legend").textContent.includes("|v| (m/s)"));
    const { low, high, speed } = await page.evaluate(() => ({ low: knead.stage.frame.low, high: knead.stage.frame.high, speed: knead.plots.valueAt("max_speed", 0) }));
    assert.ok(low <= high && Math.abs(high - speed) < 1e-4 * speed, `${high} is the largest speed, ${speed}`);
  },

  async plots_show_the_statistics_and_lead_to_a_time(page) {
    await page.locator('#tabs [data-tab="plots"]').click();
    const rows = readFileSync(urls.stats, "utf8").trim().split("\n");
    const column = rows[0].split(",").indexOf("kinetic");
    const expected = rows.slice(1).map((row) => Number(row.split(",")[column]));
    assert.deepEqual(await page.evaluate(() => knead.plots.column("kinetic")), expected);
    const plot = page.locator(".plot .u-over").first();
    await until(page, () => document.querySelector(".plot .u-over").clientWidth > 200); // it was hidden, and takes its place
    const { width, height } = await plot.boundingBox();
    await plot.click({ position: { x: width - 2, y: height / 2 } });
    await until(page, () => knead.stage.frame.number === 9);
  },

  async velocities_are_red_lines(page) {
    await page.keyboard.press("Home");
    await page.keyboard.press("v");
    await until(page, () => knead.stage.frame.data.v && knead.stage.lines.object.visible);
    const along = await page.evaluate(() => {
      const p = knead.stage.lines.object.geometry.attributes.position.array;
      return [p[3] - p[0], p[4] - p[1]];
    });
    assert.ok(Math.abs(along[0] / along[1] - 0.5 / -2) < 1e-3, `${along} is the body's velocity at the start`);
    await page.keyboard.press("v");
  },

  async velocities_of_the_grid_are_made_from_the_particles_and_that_is_told(page) {
    await page.keyboard.press("g");
    await until(page, () => knead.stage.gridLines.object.visible);
    const { source, rows, worst } = await page.evaluate(() => {
      const { source, rows, data } = knead.stage.frame.grid;
      let worst = 0;
      for (let i = 0; i < rows; ++i) worst = Math.max(worst, Math.abs(data.v[2 * i] - 0.5), Math.abs(data.v[2 * i + 1] + 2));
      return { source, rows, worst };
    });
    assert.equal(source, "particles");
    assert.ok(rows > 15 * 15 && rows < 25 * 25, `${rows} nodes of 0.02 m around a block of 0.3 m`);
    assert.ok(worst < 1e-4, `all nodes move as the body does at the start, but for ${worst} m/s`);
    assert.match(await page.locator("#legend").innerText(), /made from the particles/);
    await page.screenshot({ path: join(folder, "grid.png") });
    await page.keyboard.press("g");
    await until(page, () => !knead.stage.gridLines.object.visible);
  },

  async grid_blocks_with_matter_are_drawn(page) {
    const count = await page.evaluate(() => {
      knead.stage.blocks.show(knead.stage.frame, knead.scene.dx);
      return knead.stage.blocks.count;
    });
    // 0.35 to 0.65 m by 0.15 to 0.45 m in blocks of 8 cells, 0.16 m: three a side.
    assert.equal(count, 9);
  },

  async another_run_is_shown_beside_with_the_same_camera_and_time(page) {
    await page.evaluate(() => knead.beside.choose("run"));
    await until(page, () => knead.beside.stage.frame?.number === 1);
    await page.locator("#scrub").fill("3");
    await until(page, () => knead.stage.frame.number === 4 && knead.beside.stage.frame.number === 4);
    const heights = await page.evaluate(() => [knead.stage, knead.beside.stage].map((s) => s.frame.data.x[1]));
    assert.ok(heights[1] > heights[0] + 0.1, `one was thrown up, one down: ${heights}`);
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, -300);
    await until(page, () => knead.stage.camera.zoom !== 1 && knead.beside.stage.camera.zoom === knead.stage.camera.zoom);
    await page.locator("#scrub").fill("8");
    await until(page, () => knead.stage.frame.number === 9 && knead.beside.stage.frame.number === 5); // its last
    await tab(page, "plots");
    // Both runs' curves, the other's dashed, over the times of both.
    const curves = await page.evaluate(() => {
      const plot = knead.plots.first();
      return plot.series.map(({ label, dash }, i) => ({ label, dashed: Boolean(dash), values: plot.data[i].filter((v) => v != null).length }));
    });
    const kinetic = curves.filter(({ label }) => label.startsWith("kinetic"));
    assert.deepEqual(kinetic.map((c) => [c.label, c.dashed, c.values]), [["kinetic", false, 9], ["kinetic beside", true, 5]]);
    await page.screenshot({ path: join(folder, "beside.png") });
    await page.evaluate(() => knead.beside.choose(""));
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1);
  },

  async a_picture_is_saved_and_a_frame(page) {
    const picture = await saved(page, () => page.keyboard.press("p"));
    assert.equal(picture.name, "block.0001.png");
    assert.equal(readFileSync(picture.path).subarray(1, 4).toString(), "PNG");
    const frame = await saved(page, () => page.evaluate(() => knead.saveFrame()));
    assert.equal(frame.name, "block.0001.h5");
    assert.deepEqual(readFileSync(frame.path), readFileSync(join(urls.flat_folder, "frames/frame.0001.h5")));
  },

  async a_film_of_what_is_played_can_be_watched(page) {
    const size = await page.evaluate(() => [knead.stage.canvas.clientWidth & ~1, knead.stage.canvas.clientHeight & ~1]);
    await page.keyboard.press("m");
    const drawn = await page.evaluate(() => knead.stage.drawn);
    await page.keyboard.press("Space");
    await until(page, (d) => knead.stage.drawn > d + 15, drawn);
    await page.keyboard.press("Space");
    const film = await saved(page, () => page.keyboard.press("m"));
    assert.equal(film.name, "block.webm");
    const { streams } = JSON.parse(execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-of", "json", film.path]).toString());
    assert.deepEqual([streams[0].width, streams[0].height], size);
    assert.ok(Number(streams[0].nb_read_frames) >= 3, `${streams[0].nb_read_frames} frames`); // an encoder in a hurry leaves some out
    // Each picture has the legend and the block: some pixels are bright.
    const pixels = execFileSync("ffmpeg", ["-v", "error", "-i", film.path, "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo", "-"], { maxBuffer: 1 << 28 });
    assert.ok(pixels.some((v) => v > 120), "there is something on it");
    writeFileSync(join(folder, "film.webm"), readFileSync(film.path));
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1);
  },

  async settings_are_remembered_and_the_theme_changes(page) {
    await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.reload();
    await until(page, () => window.knead?.stage.drawn > 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    assert.equal(await page.evaluate(() => knead.color), "v");
    for (const [width, height] of [[1280, 720], [1366, 768]])
      for (const name of ["view", "plots", "log"]) {
        await page.setViewportSize({ width, height });
        await tab(page, name);
        const seen = await covering(page);
        assert.deepEqual(seen.found, [], `at ${width} x ${height} nothing hides the picture`);
        assert.ok(seen.width > 0.6 * width && seen.height > 0.7 * height && seen.bar < 60 && seen.wide === 0, JSON.stringify(seen));
      }
    await tab(page, "view");
    await page.screenshot({ path: join(folder, "flat.png") });
    await page.keyboard.press("h");
    assert.ok(await page.locator("#help").isVisible());
    const [dialog, window] = [await page.locator("#help").boundingBox(), page.viewportSize()];
    assert.ok(dialog.height < window.height, "the help has room");
    await page.screenshot({ path: join(folder, "help.png") });
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async a_run_in_3d_is_seen_from_all_sides() {
    const page = await openPage(browser, urls.deep);
    await until(page, () => knead.plots.rows > 0);
    assert.match(await page.locator("#about").textContent(), /<img src=x/, "texts of a scene are texts");
    assert.match(await page.title(), /^deep/);
    const before = await page.evaluate(() => knead.stage.camera.position.toArray());
    await page.mouse.move(400, 400);
    await page.mouse.down();
    await page.mouse.move(520, 430, { steps: 3 });
    await page.mouse.up();
    const after = await page.evaluate(() => knead.stage.camera.position.toArray());
    assert.ok(Math.hypot(...before.map((b, i) => b - after[i])) > 0.1, "dragging turns the camera");
    assert.equal(await page.evaluate(() => knead.stage.picked), null, "and picks nothing");
    await page.keyboard.press("f");
    await page.waitForTimeout(100);
    await page.evaluate(() => (knead.stage.solids.object.visible = false));
    const whole = await filled(page);
    assert.ok(whole > 0.05, "the ball is there");
    // Passing over what is hidden makes no picture another one.
    const differing = await page.evaluate(() => {
      const { stage } = knead;
      const [with_, without] = [true, false].map((cull) => {
        stage.splats.cull = cull;
        stage.drawNow();
        return stage.splats.pixels.slice();
      });
      stage.splats.cull = true;
      return with_.reduce((sum, pixel, i) => sum + (pixel !== without[i]), 0) / with_.length;
    });
    assert.ok(differing < 1e-3, `${differing} of the pixels differ`);
    // Pick in the middle of the picture: the nearest to the eye of those there.
    const picked = await page.evaluate(() => {
      const box = knead.stage.canvas.getBoundingClientRect();
      const row = knead.stage.particleAt(box.width / 2, box.height / 2);
      const x = knead.stage.frame.data.x;
      const place = knead.stage.camera.position.clone();
      const far = (i) => Math.hypot(x[3 * i] - place.x, x[3 * i + 1] - place.y, x[3 * i + 2] - place.z);
      let sum = 0;
      for (let i = 0; i < knead.stage.frame.rows; ++i) sum += far(i) / knead.stage.frame.rows;
      return { row, picked: far(row), mean: sum };
    });
    assert.ok(picked.row !== null && picked.picked < picked.mean, "it is on the near side");
    await page.evaluate(() => knead.stage.slice("x", 0.3)); // the region ends at the post, so that this is near the ball's middle
    const half = await filled(page);
    assert.ok(half > 0.2 * whole && half < 0.9 * whole, `a slice takes a part of the ball away: ${half} of ${whole}`);
    await page.evaluate(() => (knead.stage.solids.object.visible = true));
    await page.screenshot({ path: join(folder, "deep.png") });
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async bodies_that_are_meshes_are_shown_by_their_surface_and_its_cracks() {
    const page = await openPage(browser, urls.torn);
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.keyboard.press("End");
    await until(page, () => knead.stage.frame.number === 11);
    assert.ok(!asked.some((url) => url.includes("surface")), "what is not shown is not asked for");
    await page.keyboard.press("x");
    await until(page, () => knead.stage.surface.cracked);
    const seen = await page.evaluate(() => {
      const { frame, particles } = knead.stage;
      const { x } = frame.surface.data;
      const ends = (array, count, body) => {
        let [low, high] = [Infinity, -Infinity];
        for (let i = 0; i < count; ++i) if (!body || body[i] === 0) [low, high] = [Math.min(low, array[3 * i + 1]), Math.max(high, array[3 * i + 1])];
        return [low, high];
      };
      return { rows: particles.rows, all: frame.rows, own: particles.data.body, surface: ends(x, x.length / 3), bar: ends(frame.data.x, frame.rows, frame.data.body) };
    });
    assert.ok(seen.rows > 0 && seen.rows < seen.all && Object.values(seen.own).every((b) => b === 1), "of the particles only the ball's are drawn");
    [0, 1].forEach((i) => assert.ok(Math.abs(seen.surface[i] - seen.bar[i]) < 0.2, `the surface reaches as far as its particles: ${seen.surface}, ${seen.bar}`));
    assert.match(await page.locator("#legend").innerText(), /crack/);
    await page.screenshot({ path: join(folder, "cracks.png") });
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1 && knead.stage.frame.surface && !knead.stage.surface.cracked);
    await page.keyboard.press("x"); // both
    await until(page, () => knead.stage.surface.object.visible && knead.stage.particles.rows === knead.stage.frame.rows);
    await page.evaluate(() => knead.beside.choose("rest"));
    await until(page, () => knead.beside.stage.surface.object.visible && knead.beside.stage.particles.rows < knead.stage.frame.rows);
    await page.keyboard.press("x"); // particles
    await until(page, () => !knead.stage.surface.object.visible);
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async cracks_and_the_grid_of_a_simulation_are_those_of_its_last_step() {
    const page = await openPage(browser, urls.tearing);
    await page.keyboard.press("x");
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await until(page, () => knead.state.live.phase === "paused" && knead.state.live.step > 0 && knead.stage.frame.step === knead.state.live.step);
    await until(page, () => knead.stage.frame.surface?.step === knead.stage.frame.step && knead.stage.frame.grid?.source === "solver");
    assert.ok(await page.evaluate(() => knead.stage.gridLines.object.visible && knead.stage.frame.grid.rows > 0));
    assert.match(await page.locator("#legend").innerText(), /of the last step/);
    assert.ok(await page.evaluate(() => !knead.stage.surface.cracked));
    await page.evaluate(() => knead.order("play"));
    await until(page, () => knead.state.live.phase === "done" && knead.stage.surface.cracked);
    await page.screenshot({ path: join(folder, "tearing.png") });
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async a_live_simulation_is_followed_paused_and_stepped() {
    const page = await openPage(browser, urls.live);
    await until(page, () => knead.state?.live?.phase === "paused");
    const first = await shown(page);
    await page.keyboard.press("s");
    await until(page, (step) => knead.stage.frame.step === step + 1, first.step);
    await page.keyboard.press("n");
    await until(page, () => knead.state.live.phase === "paused" && knead.stage.frame.number === 2);
    await page.keyboard.press("Space");
    await until(page, () => knead.stage.frame.number >= 4 && knead.player.numbers.length >= 4);
    await page.keyboard.press("Space");
    await until(page, () => knead.state.live.phase === "paused");
    return page;
  },

  async frames_of_a_live_simulation_can_be_played_back(page) {
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1 && !knead.player.follow);
    await page.keyboard.press("End");
    await until(page, () => knead.player.follow && knead.stage.frame.step === knead.state.live.step);
    await page.screenshot({ path: join(folder, "live.png") });
  },

  async a_push_from_the_page_moves_the_body(page) {
    await tab(page, "steer");
    await page.locator('#steer input[aria-label="Velocity"]').fill("[0, 5]");
    const before = await page.evaluate(() => knead.plots.column("momentum_y").at(-1));
    await page.locator("#steer button", { hasText: "do it" }).click();
    await until(page, () => knead.state.live.waiting === 1);
    await page.locator("#canvas").focus();
    await page.keyboard.press("n");
    // 0.3 x 0.3 m of 400 kg/m^3 and 1 m thick, and what it had in the frame before, but for the steps in between.
    await until(page, (b) => Math.abs(knead.plots.column("momentum_y").at(-1) - b - 36 * 5) < 18, before);
  },

  async a_parameter_is_edited_with_its_unit_and_the_scene_changes(page) {
    await page.locator("#steer summary", { hasText: "material snow" }).click();
    const young = page.locator("#steer input[aria-label='materials.snow.young']");
    assert.equal(Number(await young.inputValue()), 140000);
    assert.match(await page.locator("#steer label", { hasText: /^young$/ }).getAttribute("title"), /Must be > 0 Pa.*\nActs from the next frame on/);
    await give(page, "materials.snow.young", "-3");
    // Told beside the field in the words of the reader, and still there to be put right.
    const why = page.locator('[data-row="materials.snow.young"] .why');
    await why.waitFor();
    assert.match(await why.textContent(), /^young is -3 Pa; it must be > 0 Pa/);
    assert.equal(await young.inputValue(), "-3");
    await page.locator("#steer summary", { hasText: "solver" }).click();
    await give(page, "solver.dx", "-1 m");
    await page.locator('[data-row="solver.dx"] .why').waitFor();
    await page.screenshot({ path: join(folder, "wrong.png") });
    // A change elsewhere makes the panel anew, and loses neither.
    await give(page, "materials.snow.poisson", "0.25");
    await until(page, () => knead.state.live.waiting === 1);
    await page.locator("#canvas").focus();
    await page.keyboard.press("n");
    await until(page, () => document.querySelector("#steer input[aria-label='materials.snow.poisson']").value === "0.25" && !knead.state.live.waiting);
    assert.equal(await young.inputValue(), "-3");
    assert.equal(await page.locator("#steer input[aria-label='solver.dx']").inputValue(), "-1 m");
    await give(page, "solver.dx", "2 cm");
    await give(page, "materials.snow.young", "2 MPa");
    await until(page, () => knead.state.live.waiting === 1 && !document.querySelector("#steer .why"));
    await page.locator("#canvas").focus();
    await page.keyboard.press("n");
    await until(page, () => Number(document.querySelector("#steer input[aria-label='materials.snow.young']").value) === 2e6);
    assert.equal((await sceneText(page)).split("[[event]]").length, 4, "the push and the changes are events of the scene");
    await page.screenshot({ path: join(folder, "steer.png") });
    await page.locator("#steer button", { hasText: "forget them" }).click();
    await until(page, () => knead.state.live.for_restart === 0);
  },

  async a_body_forgets_its_strain_by_another_event(page) {
    await page.locator('#steer select[aria-label="What happens"]').selectOption("a body forgets its strain");
    await page.locator("#steer button", { hasText: "do it" }).click();
    await until(page, () => knead.state.live.waiting === 1);
    await page.locator("#canvas").focus();
    await page.keyboard.press("n");
    await until(page, () => knead.state.live.waiting === 0);
    assert.match(await sceneText(page), /reset = true/);
  },

  async bodies_are_added_by_form_and_come_with_a_restart(page) {
    const [before, camera] = await page.evaluate(() => [knead.state.live.particles, knead.stage.camera.position.toArray()]);
    const pick = (label, value) => page.locator(`#steer select[aria-label="${label}"]`).selectOption(value);
    const fill = (label, text) => page.locator(`#steer input[aria-label="${label}"]`).fill(text);
    const add = () => page.locator("details", { hasText: "Add a body" }).locator("button", { hasText: /^add$/ }).first().click();
    assert.deepEqual(await page.locator('#steer select[aria-label="Shape"] optgroup').first().locator("option").allTextContents(), ["box", "disc", "two discs", "points of a CSV file"]);
    await pick("Shape", "disc");
    assert.match(await page.locator("#steer .row", { has: page.locator('input[aria-label="Size"]') }).innerText(), /^diameter/);
    await pick("Shape", "star");
    // It waits for the click, and shows so.
    const byClick = page.locator("#steer button", { hasText: "by a click" });
    const hint = page.locator("#steer .hint");
    assert.equal(await hint.isVisible(), false);
    await byClick.click();
    const canvas = await page.locator("#canvas").boundingBox();
    await hint.waitFor();
    assert.match(await hint.innerText(), /click.*Esc/i);
    assert.equal(await page.evaluate(() => getComputedStyle(knead.stage.canvas).cursor), "crosshair");
    for (const [x, y] of [[0.3, 0.4], [0.6, 0.5]]) {
      await page.mouse.move(canvas.x + x * canvas.width, canvas.y + y * canvas.height);
      const box = await page.locator("#overlay .place").boundingBox();
      assert.ok(Math.abs(box.x + box.width / 2 - canvas.x - x * canvas.width) < 3, `the outline is at the pointer: ${JSON.stringify(box)}`);
      assert.ok(box.width > 20 && Math.abs(box.y + box.height / 2 - canvas.y - y * canvas.height) < 0.2 * box.height);
    }
    await page.screenshot({ path: join(folder, "placing.png") });
    await page.keyboard.press("Escape");
    assert.equal((await hint.isVisible()) || (await page.locator("#overlay .place").isVisible()), false, "Esc cancels");
    await byClick.click();
    await page.mouse.click(canvas.x + 0.4 * canvas.width, canvas.y + 0.2 * canvas.height);
    const center = JSON.parse(await page.locator('#steer input[aria-label="Centre"]').inputValue());
    const wanted = await page.evaluate(() => knead.stage.mark.position.clone().set(-0.2, 0.6, 0).unproject(knead.stage.camera).toArray());
    assert.ok(Math.hypot(center[0] - wanted[0], center[1] - wanted[1]) < 0.02, `${center} is ${wanted}`);
    await fill("Size", "no number");
    await add();
    await page.locator("#steer .form .why").waitFor();
    await fill("Centre", "[0.3, 0.8]");
    await fill("Size", "0.25");
    await add();
    await until(page, () => knead.state.live.for_restart === 1);
    await pick("Shape", "two discs");
    await pick("Material", "clay");
    await fill("Centre", "[0.7, 0.8]");
    await fill("Size", "0.4");
    await fill("Velocity of the body", "[0, -1]");
    await add();
    await until(page, () => knead.state.live.for_restart === 3); // the preset is a material first
    // A shape within the union becomes another one.
    await page.locator("#steer summary", { hasText: "body two discs" }).click();
    await page.locator("#steer select[aria-label='body.2.shape.of.1']").selectOption("box");
    await until(page, () => knead.state.live.for_restart === 4);
    await give(page, "body.2.shape.of.1.size", "[0.1, 0.2]");
    await until(page, () => knead.state.live.for_restart === 5);
    await page.screenshot({ path: join(folder, "union.png") });
    await page.locator("#canvas").focus();
    await page.keyboard.press("r");
    await until(page, (b) => knead.state.live.particles > b && knead.state.live.for_restart === 0 && knead.stage.frame?.count > b, before);
    assert.deepEqual(await page.evaluate(() => knead.scene.matter.map((m) => [m.name, m.material])), [["block", "snow"], ["star", "snow"], ["two discs", "clay"]]);
    assert.equal((await sceneText(page)).match(/particles_per_cell = 9\b/g)?.length, 3, "what is added is as fine as what is there");
    assert.deepEqual(await page.evaluate(() => knead.stage.camera.position.toArray()), camera, "the camera stays, since all is in the picture");
    const seen = await covering(page);
    assert.deepEqual(seen.found.filter((id) => id !== "banner"), []); // which goes by itself
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, "added.png") });
  },

  async matter_is_pulled_with_the_mouse_whatever_its_colours(page) {
    await page.keyboard.press("f");
    const at = await placeOf(page, 1); // of the star
    await page.evaluate(() => knead.setColor("J_p"));
    await until(page, () => knead.stage.frame.color === "J_p");
    await page.mouse.move(...at);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(at[0] + 120, at[1], { steps: 3 });
    assert.ok(await page.locator("#overlay .pull").isVisible(), "an arrow shows the pull");
    await page.locator("#canvas").focus();
    await page.screenshot({ path: join(folder, "pull.png") });
    await page.evaluate(() => knead.order("play"));
    // Nothing else makes momentum to the right: the block that had some is 36 kg of 0.5 m/s.
    await until(page, () => knead.plots.column("momentum_x").some((p) => p > 19));
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.keyboard.press("Space");
    assert.ok(!(await page.locator("#overlay .pull").isVisible()));
    assert.match(await sceneText(page), /body = "star"/);
    const others = page.errors.filter((text) => !text.includes("400"));
    assert.deepEqual(others, []);
    page.errors.length = 0; // the wrong values above were refused, which the browser also tells
  },

  async a_viewer_that_ends_is_told(page) {
    writeFileSync(join(folder, "end-live"), "");
    await until(page, () => document.getElementById("banner").textContent.includes("does not answer"));
    const others = page.errors.filter((text) => !text.includes("ERR_CONNECTION_REFUSED") && !text.includes("ERR_EMPTY_RESPONSE") && !text.includes("ERR_CONNECTION_RESET"));
    assert.deepEqual(others, []);
  },

  async a_viewer_that_was_started_again_is_found_by_its_new_address(page) {
    writeFileSync(join(folder, "start-live"), "");
    await until(page, () => document.getElementById("banner").textContent.includes("has not the token"));
    await page.goto(readFileSync(join(folder, "new-url"), "utf8"));
    await until(page, () => document.getElementById("banner").hidden && knead.state?.live && knead.stage.frame);
    await page.close();
  },
};

let page;
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const started = Date.now();
  try {
    page = (await test(page)) ?? page;
    console.log(`ok ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}`);
    await page?.screenshot({ path: join(folder, `${name}.png`) }).catch(() => {});
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
