// A page of the viewer in Chromium without a GPU, for the tests. Every error on its console is kept.
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(import.meta.dirname, "../../web/package.json"));
const { chromium } = require("playwright-core");

export async function openBrowser() {
  const flags = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
}

export async function openPage(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
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
