// Watching a simulation and steering it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { covering, give, openPage, placeOf, refused, renewing, sceneText, shown, soon, tab, told, until, withheld } from "./browser.mjs";

// What a browser tells of a program that has ended, or of one that does not know the page.
const ofTheEnd = /net::ERR_(CONNECTION_|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)|401 \(Unauthorized\)/;

export const tests = ({ browser, urls, folder }) => ({
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
    const velocity = page.locator('#steer input[aria-label="Velocity"]');
    await velocity.fill('[0, "fast"]');
    await page.locator("#steer button", { hasText: "apply" }).click();
    await page.locator("#steer .form .why").waitFor();
    await until(page, () => document.querySelector("#steer .form .why").textContent.startsWith("velocity.1: in the expression 'fast'"));
    assert.ok(!(await page.locator("#steer .form .why").textContent()).includes("changes nothing"), "it is told what is wrong, and not what follows from it");
    await page.evaluate(() => knead.steer.open(knead.scene)); // the panel is made anew with each change of the scene
    assert.equal(await velocity.inputValue(), '[0, "fast"]', "what was typed stays");
    await refused(page, 1);
    await velocity.fill("[0, 5]");
    await until(page, () => knead.plots.rows === knead.player.numbers.length);
    const before = await page.evaluate(() => knead.plots.column("momentum_y").at(-1));
    await page.locator("#steer button", { hasText: "apply" }).click();
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
    assert.match(await page.locator("#steer label", { hasText: /^young$/ }).getAttribute("title"), /Must be > 0 Pa.*\nTakes effect from the next frame on/);
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
    await renewing(page, () => page.keyboard.press("n"));
    await until(page, () => document.querySelector("#steer input[aria-label='materials.snow.poisson']").value === "0.25" && !knead.state.live.waiting);
    assert.equal(await young.inputValue(), "-3");
    assert.equal(await page.locator("#steer input[aria-label='solver.dx']").inputValue(), "-1 m");
    await refused(page, 2);
    await renewing(page, () => give(page, "solver.dx", "2 cm"));
    // What is typed while the panel is made anew is given when all of it is there, and not before.
    for (const typed of ["3", "2 MPa"]) {
      await young.fill(typed);
      await renewing(page, () => page.evaluate(() => knead.steer.open(knead.scene)));
    }
    await young.press("Enter");
    await until(page, () => knead.state.live.waiting === 1 && !document.querySelector("#steer .why"));
    await page.locator("#canvas").focus();
    await page.keyboard.press("n");
    await until(page, () => Number(document.querySelector("#steer input[aria-label='materials.snow.young']").value) === 2e6);
    assert.equal((await sceneText(page)).split("[[event]]").length, 4, "the push and the changes are events of the scene");
    await page.screenshot({ path: join(folder, "steer.png") });
    await renewing(page, () => page.locator("#steer button", { hasText: "forget them" }).click());
    await until(page, () => knead.state.live.for_restart === 0);
  },

  async a_body_forgets_its_strain_by_another_event(page) {
    const value = (label) => page.locator(`#steer [aria-label="${label}"]`).inputValue();
    const again = () => page.evaluate(() => knead.steer.open(knead.scene)); // as with each change of the scene
    await page.locator('#steer select[aria-label="What happens"]').selectOption("a parameter changes");
    await page.locator('#steer select[aria-label="Parameter"]').selectOption("hardening");
    await page.locator('#steer input[aria-label="New value"]').fill("7");
    await again();
    assert.deepEqual([await value("What happens"), await value("Parameter"), await value("New value")], ["a parameter changes", "hardening", "7"]);
    await page.locator('#steer select[aria-label="Parameter"]').selectOption("poisson");
    assert.equal(await value("New value"), "0.25", "another parameter has its own value");
    await again();
    assert.equal(await value("New value"), "0.25");
    await page.locator('#steer select[aria-label="What happens"]').selectOption("a body forgets its strain");
    await page.locator("#steer button", { hasText: "apply" }).click();
    await until(page, () => knead.state.live.waiting === 1);
    await page.locator("#canvas").focus();
    await renewing(page, () => page.keyboard.press("n"));
    await until(page, () => knead.state.live.waiting === 0);
    assert.match(await sceneText(page), /reset = true/);
  },

  async bodies_are_added_by_form_and_come_with_a_restart(page) {
    const [before, camera] = await page.evaluate(() => [knead.state.live.particles, knead.stage.camera.position.toArray()]);
    const pick = (label, value) => page.locator(`#steer select[aria-label="${label}"]`).selectOption(value);
    const fill = (label, text) => page.locator(`#steer input[aria-label="${label}"]`).fill(text);
    const add = () => page.locator("details", { hasText: "Add a body" }).locator("button", { hasText: /^add$/ }).first().click();
    assert.deepEqual(await page.locator('#steer select[aria-label="Shape"] optgroup').first().locator("option").allTextContents(), ["box", "disc", "two discs", "points of a CSV file"]);
    await page.locator("#steer summary", { hasText: "Add a body" }).click();
    await page.locator("#overlay .place").waitFor(); // where it would come
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
      await soon(async () => {
        const box = await page.locator("#overlay .place").boundingBox();
        assert.ok(box && Math.abs(box.x + box.width / 2 - canvas.x - x * canvas.width) < 3, `the outline is at the pointer: ${JSON.stringify(box)}`);
        assert.ok(box.width > 20 && Math.abs(box.y + box.height / 2 - canvas.y - y * canvas.height) < 0.2 * box.height);
      });
    }
    await page.screenshot({ path: join(folder, "placing.png") });
    await page.keyboard.press("Escape");
    await hint.waitFor({ state: "hidden" }); // Esc cancels
    await byClick.click();
    await hint.waitFor();
    await page.mouse.click(canvas.x + 0.4 * canvas.width, canvas.y + 0.2 * canvas.height);
    await hint.waitFor({ state: "hidden" });
    const center = JSON.parse(await page.locator('#steer input[aria-label="Centre"]').inputValue());
    const wanted = await page.evaluate(() => knead.stage.mark.position.clone().set(-0.2, 0.6, 0).unproject(knead.stage.camera).toArray());
    assert.ok(Math.hypot(center[0] - wanted[0], center[1] - wanted[1]) < 0.02, `${center} is ${wanted}`);
    await fill("Size", "no number");
    await add();
    await page.locator("#steer .form .why").waitFor();
    await fill("Centre", "[0.3, 0.8]");
    await fill("Size", "0.25");
    // Of a body that is refused, its preset does not stay either.
    await pick("Material", "clay");
    await fill("Velocity of the body", "[0, 0, 0, 0]");
    await add();
    await page.locator("#steer .form .why", { hasText: "velocity" }).waitFor();
    await refused(page, 1);
    assert.doesNotMatch(await sceneText(page), /clay/);
    await pick("Material", "snow");
    await fill("Velocity of the body", "[0, 0]");
    const outline = page.locator("#overlay .place");
    await outline.waitFor();
    // What is added has no outline, though the panel takes its time; what is chosen meanwhile has its own.
    await withheld(page, "**/api/panel", async (release) => {
      await add();
      await outline.waitFor({ state: "hidden" });
      await pick("Shape", "two discs");
      await outline.waitFor();
      await renewing(page, release);
    });
    await until(page, () => knead.state.live.for_restart === 1 && document.getElementById("status").textContent.endsWith("1 change after a restart"));
    assert.ok(await outline.isVisible());
    await pick("Material", "clay");
    await fill("Centre", "[0.7, 0.8]");
    await fill("Size", "0.4");
    await fill("Velocity of the body", "[0, -1]");
    await renewing(page, add);
    await until(page, () => knead.state.live.for_restart === 3); // the preset is a material first
    // A shape within the union becomes another one.
    await page.locator("#steer summary", { hasText: "body two discs" }).click();
    await renewing(page, () => page.locator("#steer select[aria-label='body.2.shape.of.1']").selectOption("box"));
    await until(page, () => knead.state.live.for_restart === 4);
    await renewing(page, () => give(page, "body.2.shape.of.1.size", "[0.1, 0.2]"));
    await until(page, () => knead.state.live.for_restart === 5);
    await give(page, "solver.dx", "-1 m");
    await page.locator('[data-row="solver.dx"] .why').waitFor();
    await refused(page, 1);
    await page.screenshot({ path: join(folder, "union.png") });
    await page.locator("#canvas").focus();
    await page.keyboard.press("r");
    await until(page, () => !document.querySelector("#steer .why")); // what was refused goes with a restart
    await until(page, (b) => knead.state.live.particles > b && knead.state.live.for_restart === 0 && knead.stage.frame?.count > b, before);
    assert.deepEqual(await page.evaluate(() => knead.scene.matter.map((m) => [m.name, m.material])), [["block", "snow"], ["star", "snow"], ["two discs", "clay"]]);
    assert.equal((await sceneText(page)).match(/particles_per_cell = 9\b/g)?.length, 3, "what is added is as fine as what is there");
    assert.deepEqual(await page.evaluate(() => knead.stage.camera.position.toArray()), camera, "the camera stays, since all is in the picture");
    await until(page, () => Number(document.querySelector("#steer input[aria-label='solver.dx']").value) > 0);
    await outline.waitFor({ state: "hidden" });
    const seen = await covering(page);
    assert.deepEqual(seen.found.filter((id) => id !== "banner"), []); // which goes by itself
    await until(page, () => !knead.stale);
    await page.evaluate(() => knead.stage.settled());
    await page.screenshot({ path: join(folder, "added.png") });
  },

  async matter_is_pulled_with_the_mouse_whatever_its_colours(page) {
    // The star, where it could be added.
    const [body, name] = await page.evaluate(() => [1, 0].map((i) => [i, knead.scene.matter[i]?.name]).find(([, called]) => called));
    await page.evaluate(() => knead.paint.setColor("body"));
    await until(page, () => knead.stage.frame.color === "body");
    await page.keyboard.press("f");
    const at = await placeOf(page, body);
    // The second is chosen before the first is there.
    await page.evaluate(() => ["v", "J_p"].forEach((color) => knead.paint.setColor(color)));
    await until(page, () => knead.stage.frame.color === "J_p");
    await page.mouse.move(...at);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(at[0] + 120, at[1], { steps: 3 });
    await page.locator("#overlay path.pull").waitFor(); // an arrow shows the pull
    await soon(async () => {
      const speed = await page.locator("#overlay text.pull").textContent();
      const [, value] = speed.match(/^(\S+) m\/s$/) ?? [];
      assert.ok(Number(value) > 0.5 && Number(value) < 5, `and its velocity: ${speed}`);
    });
    await page.locator("#canvas").focus();
    await page.screenshot({ path: join(folder, "pull.png") });
    await page.evaluate(() => knead.order("play"));
    // Nothing else makes momentum to the right: the block that had some is 36 kg of 0.5 m/s.
    await until(page, () => knead.plots.column("momentum_x").some((p) => p > 19));
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.keyboard.press("Space");
    await page.locator("#overlay path.pull").waitFor({ state: "hidden" });
    await told(page, new RegExp(`^Pulled ${name} at up to \\S+ m/s`));
    await soon(async () => assert.match(await sceneText(page), new RegExp(`body = "${name}"`)));
  },

  async a_viewer_that_ends_is_told(page) {
    writeFileSync(join(folder, "end-live"), "");
    await until(page, () => document.getElementById("banner").textContent.includes("does not answer") && document.getElementById("status").textContent === "not connected");
    page.errors = page.errors.filter((text) => !ofTheEnd.test(text));
  },

  async a_viewer_that_was_started_again_is_found_by_its_new_address(page) {
    writeFileSync(join(folder, "start-live"), "");
    await until(page, () => document.getElementById("banner").textContent.includes("a viewer that has ended"));
    const address = join(folder, "new-url");
    await soon(() => assert.ok(existsSync(address), "it is told where the new one is")); // which the page may have found before
    const url = readFileSync(address, "utf8");
    await page.goto("about:blank");
    await page.goto(url.slice(0, url.indexOf("#")));
    await until(page, () => document.getElementById("banner").textContent.includes("no token in the address"));
    await page.goto("about:blank");
    await page.goto(url);
    await until(page, () => document.getElementById("banner").hidden && knead.state.live && knead.stage.frame);
    page.errors = page.errors.filter((text) => !ofTheEnd.test(text));
    await page.close();
  },
});
