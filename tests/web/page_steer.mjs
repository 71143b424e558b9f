// Playing with a simulation: pulls, what was done by hand, and parts that are added by form.
import assert from "node:assert/strict";
import { join } from "node:path";
import { give, openPage, placeOf, refused, renewing, sceneText, tab, told, until } from "./browser.mjs";

const inPart = (page, label) => page.locator(`#steer [aria-label="${label}"]`);
const addPart = (page) => page.locator("details", { hasText: "Add another part" }).last();

async function pull(page, by) {
  const at = await placeOf(page, null);
  await page.mouse.move(...at);
  await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(at[0] + by, at[1], { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
}

// Every part that is offered, and every kind of probe, as the form proposes it.
async function addAll(page) {
  const part = addPart(page);
  if ((await part.getAttribute("open")) === null) await part.locator("summary").first().click();
  const added = [];
  for (const what of await inPart(page, "Part").locator("option").allTextContents()) {
    await inPart(page, "Part").selectOption(what);
    const types = what === "probe" ? await inPart(page, "probe type").locator("option").allTextContents() : [null];
    for (const type of types) {
      if (type) await inPart(page, "probe type").selectOption(type);
      if (what === "expect") await inPart(page, "expect min").fill("0");
      // Its name is counted in the panel as it is after the one before.
      const before = await page.evaluate(() => {
        window.old = document.querySelector("#steer details[data-path]");
        return knead.state.live.for_restart;
      });
      await part.locator("button", { hasText: /^add$/ }).click();
      await until(page, (b) => (knead.state.live.for_restart > b && !window.old.isConnected) || document.querySelector("#steer .form .why"), before);
      const why = (await page.locator("#steer .form .why").allTextContents()).join();
      assert.equal(why, "", `${what} ${type ?? ""}`);
      added.push(type ? `${what} ${type}` : what);
    }
  }
  return added;
}

export const tests = ({ browser, urls, folder }) => ({
  async a_liquid_is_pulled_before_its_first_step_and_that_acts_from_the_start() {
    const page = await openPage(browser, urls.pool);
    await until(page, () => knead.state?.live?.phase === "paused");
    await tab(page, "steer");
    await pull(page, 120);
    await until(page, () => knead.state.live.waiting === 1);
    await told(page, /Pushed pool by [1-9][.\d]* m\/s\. Takes effect from the start/);
    await until(page, () => /^push all matter by [1-9][.\d]* m\/s, \[[1-9][.\d]*, \S+\], around one place$/.test(document.querySelector("#steer .pending li")?.textContent));
    await page.screenshot({ path: join(folder, "waits.png") });
    await renewing(page, () => page.locator("#steer button", { hasText: "forget those" }).click());
    await until(page, () => knead.state.live.waiting === 0);
    await pull(page, 120);
    await until(page, () => knead.state.live.waiting === 1);
    await page.keyboard.press("n");
    await until(page, () => knead.state.live.waiting === 0 && knead.state.live.frame === 2 && knead.plots.column("momentum_x").at(-1) > 1);
    await until(page, () => knead.state.live.by_hand.length === 1 && knead.state.live.phase === "paused");
    return page;
  },

  async what_was_done_by_hand_is_forgotten(page) {
    await page.keyboard.press("r");
    await until(page, () => knead.state.live.phase === "paused" && knead.state.live.by_hand.length === 1);
    await told(page, /paused\. Resuming \(space\) repeats the 1 change made by hand/);
    await until(page, () => [...document.querySelectorAll("#steer .pending li")].some((li) => /^t = 0\.\d+ s: push all matter/.test(li.textContent)));
    await page.screenshot({ path: join(folder, "by-hand.png") });
    await page.locator("#steer button", { hasText: "restart without" }).click();
    await until(page, () => knead.state.live.phase === "paused" && knead.state.live.by_hand.length === 0 && !knead.stale);
    assert.doesNotMatch(await sceneText(page), /\[\[event\]\]/);
  },

  async gravity_changes_from_the_next_frame_on(page) {
    await page.locator("#steer summary", { hasText: /^scene/ }).click();
    await give(page, "scene.gravity", "[1]");
    const why = page.locator("[data-row='scene.gravity'] .why");
    await why.waitFor();
    assert.match(await why.textContent(), /^gravity is a list of 1; it must be a list of two numbers in m\/s\^2/);
    await refused(page, 1);
    await give(page, "scene.gravity", "6 0");
    await until(page, () => document.querySelector("#steer .pending li")?.textContent === "gravity becomes [6, 0] m/s²");
    assert.equal(await why.count(), 0);
    await page.evaluate(() => knead.order("frame"));
    await until(page, () => knead.state.live.frame === 2 && knead.state.live.phase === "paused" && knead.plots.column("momentum_x").at(-1) > 10);
    // By its form, which proposes the present one.
    await until(page, () => /^\[6(\.0)?, 0(\.0)?\]$/.test(document.querySelector("#steer input[aria-label='scene.gravity']").value));
    await inPart(page, "What happens").selectOption("gravity changes");
    assert.match(await inPart(page, "Gravity").inputValue(), /^\[6/);
    await inPart(page, "Gravity").fill("0, -30");
    await page.locator("#steer button", { hasText: /^apply$/ }).click();
    await until(page, () => knead.state.live.waiting === 1);
    await page.evaluate(() => knead.order("frame"));
    await until(page, () => knead.state.live.frame === 3 && knead.state.live.phase === "paused" && knead.state.live.by_hand.length === 2);
    await until(page, () => [...document.querySelectorAll("#steer .pending li")].some((li) => /^t = 0\.100 s: gravity becomes \[0, -30\] m\/s²$/.test(li.textContent)));
    await page.screenshot({ path: join(folder, "gravity.png") });
    await page.locator("#steer button", { hasText: "restart without" }).click();
    await until(page, () => knead.state.live.phase === "paused" && knead.state.live.by_hand.length === 0 && !knead.stale);
    await until(page, () => /-9\.81/.test(document.querySelector("#steer input[aria-label='scene.gravity']").value));
  },

  async every_part_that_a_liquid_can_have_is_added_by_its_form(page) {
    const added = await addAll(page);
    for (const what of ["source", "drain", "explosion", "expect", "probe force", "probe particle", "probe mean", "probe count"]) assert.ok(added.includes(what), `${what}: ${added}`);
    assert.ok(!added.includes("grip") && !added.includes("probe losses"), added.join());
    assert.equal((await sceneText(page)).match(/particles_per_cell = 4\b/g)?.length, 3, "the new source is as fine as what is there");
    await renewing(page, () => page.locator("#steer button", { hasText: "forget them" }).click());
    await until(page, () => knead.state.live.for_restart === 0);
  },

  async a_pull_after_the_end_is_told_to_be_too_late(page) {
    await page.evaluate(() => knead.order("play"));
    await until(page, () => knead.state.live.phase === "done" && knead.stage.frame?.number === knead.state.live.last_frame);
    await pull(page, 60);
    await told(page, /The run has ended/);
    assert.ok(!(await page.locator("#overlay path.pull").isVisible()));
    assert.deepEqual(page.errors, []);
    await page.close();
  },

  async every_part_that_a_solid_can_have_is_added_by_its_form() {
    const page = await openPage(browser, urls.tearing);
    await tab(page, "steer");
    await until(page, () => knead.state?.live && document.querySelector('#steer [aria-label="Part"]'));
    const added = await addAll(page);
    for (const what of ["grip", "collider", "expect", "probe losses", "probe region"]) assert.ok(added.includes(what), `${what}: ${added}`);
    assert.ok(!["source", "drain", "explosion"].some((what) => added.includes(what)), added.join());
    await page.screenshot({ path: join(folder, "parts.png") });
    return page;
  },

  async values_are_given_as_people_write_them(page) {
    await renewing(page, () => page.locator("#steer button", { hasText: "forget them" }).click());
    await until(page, () => knead.state.live.for_restart === 0);
    const gives = async (path, typed, text) => {
      await renewing(page, () => give(page, path, typed));
      await until(page, (line) => knead.state.live.pending.after_restart.includes(line), `${path} = ${text}`);
    };
    await page.locator("#steer summary", { hasText: "body ball" }).click();
    await gives("body.1.spin", "0, -1, 0", "[0, -1, 0]");
    await gives("body.1.spin", "0 -2 0", "[0, -2, 0]");
    await gives("body.1.shape.center", "120 cm, 0, 0", '["120 cm", 0, 0]');
    // Esc has the old value again; what is wrong with another part is told by its name.
    const edge = page.locator("#steer input[aria-label='body.1.shape.radius']");
    await edge.fill("-1");
    await edge.press("Enter");
    await page.locator("[data-row='body.1.shape.radius'] .why").waitFor();
    assert.match(await page.locator("[data-row='body.1.shape.radius'] .why").textContent(), /^body ball: shape\.radius is -1/);
    await refused(page, 1);
    await edge.press("Escape");
    assert.deepEqual([await edge.inputValue(), await page.locator("#steer .why").count()], ["0.3", 0]);
    await gives("body.1.color", "#ff8000", "[1, 0.502, 0]");
    await page.screenshot({ path: join(folder, "values.png") });
    // As a body is added: its size with a unit, its place without brackets.
    await page.locator("#steer summary", { hasText: "Add a body" }).click();
    await page.locator('#steer input[aria-label="Size"]').fill("50 cm");
    await page.locator('#steer input[aria-label="Centre"]').fill("0 2 0");
    await renewing(page, () => page.locator("details", { hasText: "Add a body" }).locator("button", { hasText: /^add$/ }).first().click());
    await until(page, () => knead.state.live.pending.after_restart.some((line) => line.includes("size = [0.5, 0.5, 0.5]") && line.includes("center = [0, 2, 0]")));
    assert.equal(await page.locator("#steer .why").count(), 0);
    // What waits is told in words, each part by its name.
    await page.locator("#steer summary", { hasText: "body bar" }).locator(".cross").click();
    await until(page, () => knead.state.live.for_restart === 6 && document.querySelectorAll("#steer .pending li").length === 6);
    const told = await page.locator("#steer .pending li").allTextContents();
    assert.deepEqual(told.slice(1), ["body ball: spin = [0, -2, 0]", 'body ball: shape center = ["120 cm", 0, 0]', "body ball: color = [1, 0.502, 0]", "a new body 'box' of soft at [0, 2, 0]", "body bar is removed"]);
    await page.screenshot({ path: join(folder, "in-words.png") });
    await page.close();
  },
});
