// How fast the page draws and frames reach it, in Chromium without a GPU: node tests/web/measure.mjs URL
// The numbers are in docs/view.md; nothing is judged here.
import { openBrowser, openPage } from "./browser.mjs";

const browser = await openBrowser();
const page = await openPage(browser, process.argv[2]);
await page.setViewportSize({ width: 1280, height: 720 });
await page.waitForFunction(() => knead.player.numbers.length > 1 && knead.stage.frame.rows === knead.stage.frame.count);
await page.waitForTimeout(500);

// The camera goes round once, as fast as pictures come.
const turning = await page.evaluate(async () => {
  const { stage } = knead;
  const { camera, controls } = stage;
  const picture = () => new Promise((done) => requestAnimationFrame(done));
  const drawn = stage.drawn;
  const started = performance.now();
  let inScript = 0;
  while (performance.now() - started < 5000) {
    const before = performance.now();
    if (camera.isPerspectiveCamera) camera.position.sub(controls.target).applyAxisAngle(stage.up, 0.05).add(controls.target);
    else camera.zoom *= 1.001;
    camera.updateProjectionMatrix();
    controls.update();
    stage.draw();
    await picture();
    inScript += performance.now() - before;
  }
  const seconds = (performance.now() - started) / 1000;
  return { pictures: (stage.drawn - drawn) / seconds, cost: inScript };
});

// Frames that neither the page nor the program has: until they are decoded, and until they are on the canvas.
const coming = await page.evaluate(async () => {
  const { frames, player, stage } = knead;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const times = [];
  for (const number of player.numbers.slice(1)) {
    await sleep(300);
    frames.clear();
    const started = performance.now();
    const frame = await frames.fetch(number, player.look());
    const fetched = performance.now() - started;
    knead.stage.show(frame);
    stage.drawNow(1);
    stage.renderer.getContext().finish();
    times.push({ fetched, shown: performance.now() - started, bytes: frame.bytes, rows: frame.rows });
  }
  return times;
});
const still = await page.evaluate(async () => {
  const { stage } = knead;
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const started = performance.now();
    stage.drawNow();
    stage.renderer.getContext().finish();
    times.push(performance.now() - started);
  }
  return Math.min(...times);
});
console.log(`${coming[0].rows.toLocaleString("en")} particles`);
console.log(`turning: ${turning.pictures.toFixed(1)} pictures a second; one in full: ${still.toFixed(0)} ms`);
for (const { fetched, shown, bytes } of coming)
  console.log(`a frame of ${(bytes / 1e6).toFixed(1)} MB: decoded after ${fetched.toFixed(0)} ms, drawn after ${shown.toFixed(0)} ms`);
await browser.close();
