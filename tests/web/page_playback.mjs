// Looking at a run that is finished, flat and in space.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { covering, filled, openPage, placeOf, saved, shown, soon, tab, until } from "./browser.mjs";

export const tests = ({ browser, urls, folder }) => ({
  async another_run_is_shown_beside_at_once_with_the_same_camera_and_time() {
    const page = await openPage(browser, urls.flat);
    await until(page, () => knead.beside.stage?.frame?.number === 1);
    assert.equal(await page.locator("#first-name").textContent(), "flat");
    await soon(async () => assert.match(await page.locator("#second-name").textContent(), /^other {3}t = 0\.0000 s$/));
    await page.locator("#scrub").fill("3");
    await until(page, () => knead.stage.frame.number === 4 && knead.beside.stage.frame.number === 4);
    const heights = await page.evaluate(() => [knead.stage, knead.beside.stage].map((s) => s.frame.data.x[1]));
    assert.ok(heights[1] > heights[0] + 0.1, `one was thrown up, one down: ${heights}`);
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, -300);
    await until(page, () => knead.stage.camera.zoom !== 1 && knead.beside.stage.camera.zoom === knead.stage.camera.zoom);
    await page.locator("#scrub").fill("8");
    await until(page, () => knead.stage.frame.number === 9 && knead.beside.stage.frame.number === 5); // its last
    await until(page, () => document.getElementById("second-name").textContent === "other   t = 0.1667 s: it ended here");
    await tab(page, "plots");
    // Both runs' curves, the other's dashed, over the times of both.
    await until(page, () => knead.plots.first());
    await soon(async () => {
      const curves = await page.evaluate(() => {
        const plot = knead.plots.first();
        return plot.series.map(({ label, dash }, i) => ({ label, dashed: Boolean(dash), values: plot.data[i].filter((v) => v != null).length }));
      });
      const kinetic = curves.filter(({ label }) => label.startsWith("kinetic"));
      assert.deepEqual(kinetic.map((c) => [c.label, c.dashed, c.values]), [["kinetic", false, 9], ["kinetic beside", true, 5]]);
    });
    await page.screenshot({ path: join(folder, "beside.png") });
    // A click in the right-hand picture reads a particle of the other run.
    await page.mouse.click(...(await placeOf(page, null, true)));
    await until(page, () => document.querySelector("#particle table"));
    assert.match(await page.locator("#particle").innerText(), /frame 5, t = 0\.1667 s/);
    await page.evaluate(() => knead.beside.choose(""));
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1);
    return page;
  },

  async a_finished_run_in_2d_plays_loops_and_stops(page) {
    assert.equal((await shown(page)).number, 1);
    await page.locator("#play").click();
    await until(page, () => knead.stage.frame.number > 3);
    await until(page, () => knead.stage.frame.number === 1 && knead.player.playing); // it has begun again
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => knead.player.playing), false);
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
    await until(page, () => /frame 1, /.test(document.getElementById("particle").innerText)); // another one was read before
    const text = await page.locator("#particle").innerText();
    assert.match(text, /Particle 0/);
    for (const column of ["mass", "volume", "vx", "F_xy", "J_p"]) assert.ok(text.includes(column), `${column} is told`);
    const x = Number((await page.locator("#particle table").innerText()).match(/^x\s+(\S+)/m)[1]);
    const drawn = await page.evaluate(() => knead.stage.frame.data.x[0]);
    assert.ok(Math.abs(x - drawn) < 1e-5, `${x} is ${drawn}: ${text}`);
  },

  async a_column_gives_colours_and_a_legend(page) {
    await page.evaluate(() => knead.paint.setColor("v"));
    await until(page, () => knead.stage.frame.color === "v" && document.getElementById("legend").textContent.includes("|v| (m/s)"));
    await tab(page, "view");
    assert.equal(await page.locator("#options .meaning").innerText(), "Velocity.");
    const { low, high, speed } = await page.evaluate(() => ({ low: knead.stage.frame.low, high: knead.stage.frame.high, speed: knead.plots.valueAt("max_speed", 0) }));
    assert.ok(low <= high && Math.abs(high - speed) < 1e-4 * speed, `${high} is the largest speed, ${speed}`);
  },

  async derived_quantities_are_colours_too(page) {
    const offered = await page.evaluate(() => knead.options.gui.controllersRecursive().find((c) => c.property === "color").$select.innerText.split("\n"));
    for (const name of ["vx", "speed", "pressure", "von_mises", "J", "stress_xy", "J_p"]) assert.ok(offered.includes(name), `${name}: ${offered}`);
    assert.ok(!offered.includes("F_xy"), "entries of matrices have no place in a menu");
    await page.evaluate(() => knead.paint.setColor("von_mises"));
    await until(page, () => knead.stage.frame.color === "von_mises" && document.getElementById("legend").textContent.includes("von_mises (Pa)"));
    await page.screenshot({ path: join(folder, "von_mises.png") });
    await page.evaluate(() => knead.paint.setColor("v"));
    await until(page, () => knead.stage.frame.color === "v");
  },

  async a_picked_particle_has_a_plot_of_its_history(page) {
    await page.mouse.click(...(await placeOf(page, null)));
    await until(page, () => knead.side.history.plot?.data[0].length === 9);
    await page.locator('select[aria-label="Quantity over time"]').selectOption("y");
    await until(page, () => knead.side.history.plot.series[1].label === "y");
    const { y, drawn } = await page.evaluate(() => ({ y: knead.side.history.plot.data[1][knead.player.index], drawn: knead.stage.frame.data.x[1] }));
    assert.ok(Math.abs(y - drawn) < 1e-5, `${y} is where it is drawn, ${drawn}`);
    await page.screenshot({ path: join(folder, "history.png") });
  },

  async plots_show_the_statistics_and_lead_to_a_time(page) {
    await page.locator('#tabs [data-tab="plots"]').click();
    const rows = readFileSync(urls.stats, "utf8").trim().split("\n");
    const column = rows[0].split(",").indexOf("kinetic");
    const expected = rows.slice(1).map((row) => Number(row.split(",")[column]));
    await soon(async () => assert.deepEqual(await page.evaluate(() => knead.plots.column("kinetic")), expected));
    const plot = page.locator(".plot .u-over").first();
    await until(page, () => document.querySelector(".plot .u-over").clientWidth > 200); // it was hidden, and takes its place
    const { width, height } = await plot.boundingBox();
    await plot.click({ position: { x: width - 2, y: height / 2 } });
    await until(page, () => knead.stage.frame.number === 9);
  },

  async velocities_are_lines(page) {
    await page.keyboard.press("Home");
    await page.keyboard.press("v");
    await until(page, () => knead.stage.frame.number === 1 && knead.stage.frame.data.v && knead.stage.lines.object.visible);
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
    await soon(async () => assert.match(await page.locator("#legend").innerText(), /computed from the particles/));
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

  async a_picture_is_saved_and_a_frame(page) {
    const picture = await saved(page, () => page.keyboard.press("p"));
    assert.equal(picture.name, "block.0001.png");
    assert.equal(readFileSync(picture.path).subarray(1, 4).toString(), "PNG");
    const frame = await saved(page, () => page.evaluate(() => knead.saving.frame()));
    assert.equal(frame.name, "block.0001.h5");
    assert.deepEqual(readFileSync(frame.path), readFileSync(join(urls.flat_folder, "frames/frame.0001.h5")));
  },

  // Load makes it slower, and leaves nothing out.
  async a_film_of_a_run_has_every_frame(page) {
    const size = await page.evaluate(() => [knead.stage.canvas.clientWidth & ~1, knead.stage.canvas.clientHeight & ~1]);
    const film = await saved(page, () => page.keyboard.press("m"));
    assert.equal(film.name, "block.webm");
    const { streams, format } = JSON.parse(execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", film.path]).toString());
    assert.deepEqual([streams[0].width, streams[0].height], size);
    const fps = await page.evaluate(() => knead.scene.fps);
    assert.equal(Number(streams[0].nb_read_frames), 9);
    assert.ok(Math.abs(Number(format.duration) - 9 / fps) < 1e-3, `it takes ${format.duration} s`);
    // Each picture has the legend and the block: some pixels are bright.
    const pixels = execFileSync("ffmpeg", ["-v", "error", "-i", film.path, "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo", "-"], { maxBuffer: 1 << 28 });
    assert.ok(pixels.some((v) => v > 120), "there is something on it");
    writeFileSync(join(folder, "film.webm"), readFileSync(film.path));
  },

  async what_is_done_on_the_canvas_can_be_filmed_too(page) {
    await page.evaluate(() => void knead.saving.canvas());
    await until(page, () => knead.saving.recorder.on);
    assert.match(await page.locator("#moment").textContent(), /^recording \(M ends it\) +frame \d+ \/ \d+ +t = /);
    const films = () => page.evaluate(() => [...document.querySelectorAll("#options button")].filter((b) => /film/.test(b.textContent)).map((b) => [b.textContent, b.disabled]));
    assert.deepEqual(await films(), [["film of every frame, or of the simulation (M)", true], ["end this film (M)", false]]);
    const drawn = await page.evaluate(() => knead.stage.drawn);
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await until(page, (d) => knead.stage.drawn > d + 5, drawn);
    await page.keyboard.press("Space");
    const film = await saved(page, () => page.keyboard.press("m"));
    const { streams } = JSON.parse(execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-of", "json", film.path]).toString());
    assert.ok(Number(streams[0].nb_read_frames) > 5, `${streams[0].nb_read_frames} pictures`);
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1 && !knead.saving.recorder.on);
    await soon(async () => assert.match(await page.locator("#moment").textContent(), /^frame 1 /));
  },

  // A page that needs longer for a picture than a frame lasts.
  async playing_keeps_the_time_or_shows_every_frame(page) {
    const play = (everyFrame) =>
      page.evaluate(async (every) => {
        const { player } = knead;
        if (knead.bar.every.classList.contains("on") !== every) knead.toggleEveryFrame();
        const loop = knead.bar.loop.classList.contains("on");
        if (loop) knead.toggleLoop();
        const [show, seen] = [player.show, []];
        player.show = (frame) => (seen.push(frame.number), show(frame));
        const { settled } = player;
        const long = 2.5 * player.interval(knead.scene);
        player.settled = async () => {
          await settled();
          await new Promise((done) => setTimeout(done, long));
        };
        await player.seek(0);
        seen.length = 0;
        await player.play(knead.scene);
        Object.assign(player, { show, settled });
        if (loop) knead.toggleLoop();
        return seen;
      }, everyFrame);
    assert.deepEqual(await play(true), [2, 3, 4, 5, 6, 7, 8, 9]);
    const seen = await play(false);
    assert.ok(seen.length <= 5 && seen.at(-1) === 9, `of frames 2 to 9 were shown: ${seen}`);
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1);
  },

  async settings_are_remembered_and_the_theme_changes(page) {
    await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.evaluate(() => knead.paint.setRange("fixed", [0.25, 1.5]));
    await tab(page, "view");
    await page.locator("#options .lil-controller", { hasText: "slice across" }).locator("select").selectOption({ label: "x" });
    await page.locator("#scrub").fill("3");
    await until(page, () => knead.stage.frame.number === 4);
    await page.reload();
    await until(page, () => knead.stage.drawn > 0 && document.getElementById("status").textContent);
    assert.equal((await shown(page)).number, 4);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    assert.equal(await page.evaluate(() => knead.paint.color), "v");
    assert.deepEqual(await page.evaluate(() => [knead.paint.range, knead.paint.ends]), ["fixed", [0.25, 1.5]]);
    assert.deepEqual(await page.evaluate(() => knead.stage.spheres.uniforms.slice.value.toArray().slice(0, 3)), [1, 0, 0]);
    await tab(page, "view");
    await page.locator("#options .lil-controller", { hasText: "slice across" }).locator("select").selectOption({ label: "no" });
    await page.evaluate(() => knead.paint.setRange("seen"));
    await page.evaluate(() => knead.beside.choose(""));
    for (const [width, height] of [[1280, 720], [1366, 768]])
      for (const name of ["view", "plots", "log"]) {
        await page.setViewportSize({ width, height });
        await tab(page, name);
        await until(page, ([w, h]) => innerWidth === w && innerHeight === h, [width, height]);
        await soon(async () => {
          await page.evaluate(() => (knead.bar.text.textContent = "frame 1234 / 1441   t = 60.0000 s")); // a long run
          const seen = await covering(page);
          assert.deepEqual(seen.found, [], `at ${width} x ${height} nothing hides the picture`);
          assert.ok(seen.width > 0.6 * width && seen.height > 0.7 * height && seen.bar < 50 && seen.wide === 0, JSON.stringify(seen));
        });
      }
    await tab(page, "view");
    await page.screenshot({ path: join(folder, "flat.png") });
    await page.keyboard.press("h");
    await page.locator("#help").waitFor();
    const [dialog, window] = [await page.locator("#help").boundingBox(), page.viewportSize()];
    assert.ok(dialog.height < window.height, "the help has room");
    await page.setViewportSize({ width: 1000, height: 600 });
    assert.equal(await page.evaluate(() => document.getElementById("help").scrollTop), 0, "and begins at its head");
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
    await soon(async () => {
      const after = await page.evaluate(() => knead.stage.camera.position.toArray());
      assert.ok(Math.hypot(...before.map((b, i) => b - after[i])) > 0.1, "dragging turns the camera");
    });
    assert.equal(await page.evaluate(() => knead.stage.picked), null, "and picks nothing");
    // A camera of the scene's own is moved back until all is in the picture.
    const near = await page.evaluate(() => {
      const { stage } = knead;
      stage.scene.camera.position = [0, 0.6, 1];
      stage.frameAll(true);
      stage.scene.camera.position = null;
      const [x, y, z] = stage.camera.position.toArray();
      return { sees: stage.eye.sees(stage.frame), x, y, z };
    });
    assert.ok(near.sees && near.z > 1.5 && Math.abs(near.x) < 1.2, JSON.stringify(near));
    await page.keyboard.press("f");
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
    await page.evaluate(() => knead.stage.slice({ along: "x", at: 0 }));
    const half = await filled(page);
    assert.ok(half > 0.2 * whole && half < 0.9 * whole, `a slice takes a part of the ball away: ${half} of ${whole}`);
    await page.evaluate(() => knead.stage.slice({ along: "x", at: 0, flip: true }));
    const rest = await filled(page);
    assert.ok(rest > 0.2 * whole && rest < 0.9 * whole, `and flipped the other part: ${rest} of ${whole}`);
    await page.evaluate(() => (knead.stage.solids.object.visible = true));
    // By the panel, where it starts in the middle of the ball, and its slider goes from end to end of ball and post.
    await tab(page, "view");
    await page.locator("#options .lil-controller", { hasText: "slice across" }).locator("select").selectOption({ label: "x" });
    const { at, ends } = await page.evaluate(() => {
      const { _min, _max, object } = knead.options.gui.controllersRecursive().find((c) => c.property === "at");
      return { at: object.at, ends: [_min, _max] };
    });
    assert.ok(Math.abs(at) < 0.01 && Math.abs(ends[0] + 0.4) < 0.05 && Math.abs(ends[1] - 0.9) < 0.05, `${at} of ${ends}`);
    assert.ok(await page.evaluate(() => knead.stage.outline.object.visible));
    await page.screenshot({ path: join(folder, "deep.png") });
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async bodies_are_shown_by_their_surface_and_its_cracks() {
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
      // How far the matter of each body reaches upwards: the colour is that of the body.
      const ends = ({ x, value }) => {
        const found = [0, 1].map(() => [Infinity, -Infinity]);
        value.forEach((body, i) => (found[body] = [Math.min(found[body][0], x[3 * i + 1]), Math.max(found[body][1], x[3 * i + 1])]));
        return found.flat();
      };
      return { rows: particles.rows, surface: ends(frame.surface.data), all: ends(frame.data) };
    });
    assert.equal(seen.rows, 0, "surfaces are drawn instead of particles, of the ball too, which is no mesh");
    seen.all.forEach((end, i) => assert.ok(Math.abs(seen.surface[i] - end) < 0.2, `the surface reaches as far as its particles: ${seen.surface}, ${seen.all}`));
    await soon(async () => assert.match(await page.locator("#legend").innerText(), /crack/));
    await page.screenshot({ path: join(folder, "cracks.png") });
    await page.keyboard.press("Home");
    await until(page, () => knead.stage.frame.number === 1 && knead.stage.frame.surface && !knead.stage.surface.cracked);
    await page.keyboard.press("x"); // both
    await until(page, () => knead.stage.surface.object.visible && knead.stage.particles.rows === knead.stage.frame.rows);
    await page.evaluate(() => knead.beside.choose("rest"));
    await until(page, () => knead.beside.stage.surface.object.visible && knead.beside.stage.particles.rows < knead.stage.frame.rows);
    // Each picture is narrower than one alone, and has all the same.
    await soon(async () => {
      const both = await page.evaluate(() => [knead.stage, knead.beside.stage].map(({ eye, frame }) => [eye.sees(frame), eye.reach]));
      assert.ok(both.every(([sees]) => sees) && Math.abs(both[0][1] - both[1][1]) < 1e-6 * both[0][1], JSON.stringify(both));
    });
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
    await soon(async () => assert.match(await page.locator("#legend").innerText(), /of the last step/));
    assert.ok(await page.evaluate(() => !knead.stage.surface.cracked));
    // As while the next one is made: the time told is that of what is drawn.
    const told = await page.evaluate(() => {
      const { stage, player } = knead;
      const { frame } = stage;
      const each = ["surface", "both"].map((draws) => {
        stage.draws = draws;
        player.show({ ...frame, time: frame.time + 1 });
        const of = (time) => `t = ${time.toFixed(4)} s`;
        return [document.getElementById("moment").textContent.endsWith(of(stage.draws === "both" ? frame.time + 1 : frame.time)), document.getElementById("legend").innerText.includes(`surface of ${of(frame.time)}`)];
      });
      stage.draws = undefined;
      player.show(frame);
      return each;
    });
    assert.deepEqual(told, [[true, false], [true, true]]);
    await page.evaluate(() => knead.order("play"));
    await until(page, () => knead.state.live.phase === "done" && knead.stage.surface.cracked);
    await page.screenshot({ path: join(folder, "tearing.png") });
    assert.deepEqual(page.errors, []);
    await page.close();
  },
});
