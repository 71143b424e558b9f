// A page of the viewer in Chromium without a GPU, for the tests. Every error on its console is kept.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(import.meta.dirname, "../../web/package.json"));
const { chromium } = require("playwright-core");

export async function openBrowser() {
  const flags = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
}

const patience = 30_000; // ms
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Opened, with a picture and all that is told of it: the status comes last.
export async function openPage(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, colorScheme: "dark", ...options });
  page.setDefaultTimeout(patience);
  page.errors = [];
  page.on("console", (message) => message.type() === "error" && page.errors.push(`${message.text()} (${message.location().url})`));
  page.on("pageerror", (error) => page.errors.push(error.message));
  await page.addInitScript(keepNotes);
  await page.goto(url);
  await until(page, () => knead.stage.drawn > 0 && document.getElementById("status").textContent);
  browser.page = page;
  return page;
}

// A note goes after a while, which a machine with much to do may need to ask for it: what was told is kept.
function keepNotes() {
  window.told = [];
  addEventListener("DOMContentLoaded", () => {
    const banner = document.getElementById("banner");
    if (!banner) return; // about:blank
    const keep = () => banner.hidden || window.told.push(banner.textContent);
    new MutationObserver(keep).observe(banner, { childList: true, characterData: true, subtree: true });
  });
}

// Waits until the page has said so above the picture, since it was last asked.
export const told = (page, text) =>
  until(page, ([source, flags]) => {
    const found = window.told.findIndex((each) => new RegExp(source, flags).test(each));
    if (found >= 0) window.told.splice(0, found + 1);
    return found >= 0;
  }, [text.source, text.flags]);

// Waits until f(argument) holds in the page. What it asks of something that is not there yet does not hold yet.
export async function until(page, f, argument) {
  const careful = new Function("argument", `try { return (${f})(argument); } catch (error) { window.notYet = error.message; return false; }`);
  try {
    return await page.waitForFunction(careful, argument);
  } catch (error) {
    const why = await page.evaluate(() => window.notYet).catch(() => "");
    const given = argument === undefined ? "" : ` of ${JSON.stringify(argument)}`;
    throw new Error(`${error.message.split("\n")[0]} It waited for ${f}${given}${why ? `; what was asked for was once not there: ${why}` : ""}`);
  }
}

// Waits until check(), which asks the page or the program, asserts nothing wrong any more; fails as it does where that does not come.
export async function soon(check) {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > end) throw error;
    }
    await sleep(50);
  }
}

// Does what makes the panel of the simulation anew, and waits for that: what is pressed or typed at the same time may be gone with the old one.
export async function renewing(page, action) {
  await page.evaluate(() => (window.old = document.querySelector("#steer details[data-path]")));
  await action();
  await until(page, () => !window.old.isConnected);
}

// Does something while the program's answers at an address are kept from the page, until it calls what it is given.
export async function withheld(page, address, action) {
  let release;
  const held = new Promise((done) => (release = done));
  await page.route(address, (route) => held.then(() => route.continue()).catch(() => {})); // the page may be gone
  try {
    await action(release);
  } finally {
    release();
    await page.unroute(address);
  }
}

// The program has refused so many commands, as it should; the browser tells that too, maybe later.
export async function refused(page, count) {
  const is = (text) => text.includes("400 (Bad Request)") && text.includes("/api/command");
  while (page.errors.filter(is).length < count) await page.waitForEvent("console");
  for (; count > 0; --count) page.errors.splice(page.errors.findIndex(is), 1);
}

// What share of the pixels in a part of the picture (in parts of its width and height) is of another colour than the background.
export async function filled(page, [left, top, right, bottom] = [0, 0, 1, 1]) {
  return page.evaluate(
    ([l, t, r, b]) => {
      const { stage } = window.knead;
      stage.drawNow();
      const { width, height } = stage.canvas;
      const copy = new OffscreenCanvas(width, height).getContext("2d");
      copy.drawImage(stage.canvas, 0, 0);
      const [x, y] = [Math.floor(l * width), Math.floor(t * height)];
      const { data } = copy.getImageData(x, y, Math.ceil((r - l) * width), Math.ceil((b - t) * height));
      const ground = stage.world.background.clone().convertLinearToSRGB().toArray().map((v) => 255 * v);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if ([0, 1, 2].some((k) => Math.abs(data[i + k] - ground[k]) > 12)) count += 1;
      return (4 * count) / data.length;
    },
    [left, top, right, bottom],
  );
}

export const shown = (page) => page.evaluate(() => ({ number: knead.stage.frame.number, time: knead.stage.frame.time, step: knead.stage.frame.step, rows: knead.stage.frame.rows }));
export const tab = (page, name) => page.locator(`#tabs [data-tab="${name}"]`).click();
export const saved = async (page, action) => {
  const [download] = await Promise.all([page.waitForEvent("download"), action()]);
  return { name: download.suggestedFilename(), path: await download.path() };
};
export const sceneText = (page) => page.evaluate(() => fetch("/api/toml", { headers: { "X-Knead-Token": new URLSearchParams(location.hash.slice(1)).get("token") } }).then((r) => r.text()));
// Types into a field of the panel.
export const give = async (page, path, text) => {
  const input = page.locator(`#steer input[aria-label='${path}']`);
  await input.fill(text);
  await input.press("Enter");
};
// Where a particle is in the page, by what its value is; in the picture beside, if that is asked for.
export const placeOf = (page, value, beside = false) =>
  page.evaluate(([wanted, other]) => {
    const { stage } = other ? knead.beside : knead;
    const i = wanted === null ? 0 : stage.frame.data.value.indexOf(wanted);
    if (i < 0) throw new Error(`no particle has the value ${wanted}`);
    const place = stage.mark.position.clone().set(stage.frame.data.x[2 * i], stage.frame.data.x[2 * i + 1], 0).project(stage.camera);
    const box = stage.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * place.x) * box.width, box.top + (0.5 - 0.5 * place.y) * box.height];
  }, [value, beside]);
// What lies above the canvas at the points of a grid over it.
export const covering = (page) =>
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
