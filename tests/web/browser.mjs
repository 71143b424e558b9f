// A page of the viewer in Chromium without a GPU, for the tests. Every error on its console is kept.
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(import.meta.dirname, "../../web/package.json"));
const { chromium } = require("playwright-core");

export async function openBrowser() {
  const flags = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
}

export async function openPage(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, colorScheme: "dark", ...options });
  page.setDefaultTimeout(30_000);
  page.errors = [];
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  page.on("pageerror", (error) => page.errors.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => window.knead?.stage.drawn > 0);
  return page;
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
export const until = (page, f, argument) => page.waitForFunction(f, argument);
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
// Where a particle is in the page, by what its value is.
export const placeOf = (page, value) =>
  page.evaluate((wanted) => {
    const { stage } = knead;
    const i = wanted === null ? 0 : stage.frame.data.value.indexOf(wanted);
    const place = stage.mark.position.clone().set(stage.frame.data.x[2 * i], stage.frame.data.x[2 * i + 1], 0).project(stage.camera);
    const box = stage.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * place.x) * box.width, box.top + (0.5 - 0.5 * place.y) * box.height];
  }, value);
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
