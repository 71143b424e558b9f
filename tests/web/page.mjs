// What a user does with the page, in a real browser; each test's name is what it proves. Called by test_page.py with the addresses of
// viewers as JSON, and a folder for pictures; KNEAD_PAGE_TESTS=steer,live leaves out the other groups. A test goes on with the page of the one before, unless it opens one of its own.
// What is wrong is told of the test where it is: errors on a page's console are those of one test, and what a test that failed has left is
// put away.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openBrowser } from "./browser.mjs";
import { tests as live } from "./page_live.mjs";
import { tests as newcomer } from "./page_newcomer.mjs";
import { tests as playback } from "./page_playback.mjs";
import { tests as steady } from "./page_steady.mjs";
import { tests as steer } from "./page_steer.mjs";

const urls = JSON.parse(process.argv[2]);
const folder = process.argv[3];
const browser = await openBrowser();
const groups = { playback, newcomer, steady, steer, live };
const wanted = process.env.KNEAD_PAGE_TESTS?.split(",") ?? Object.keys(groups);
const tests = Object.assign({}, ...wanted.map((name) => groups[name]).map((group) => group({ browser, urls, folder })));

// Nothing is held down, placed or waiting.
async function tidy(page) {
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.keyboard.press("Escape");
  const forget = page.evaluate(async () => {
    if (!knead.scene?.live) return;
    await knead.order("pause");
    for (const what of ["next frame", ""]) await knead.send({ do: "forget", what }, true); // and after a restart
    await knead.steer.open(knead.scene);
  });
  await Promise.race([forget, new Promise((_, late) => setTimeout(() => late(new Error("the page does not answer")), 10_000))]);
}

let page;
let opener; // the test that opened it
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const started = Date.now();
  if (test.length === 0) {
    for (const left of browser.contexts()) await left.close();
    [page, opener, browser.page] = [null, name, null];
  }
  try {
    if (test.length && !page) throw new Error(`it goes on with the page of ${opener}, which has opened none`);
    page = (await test(page)) ?? browser.page;
    assert.deepEqual(page.errors, [], "errors on the console");
    console.log(`ok ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}`);
    page = browser.page;
    if (!page) continue;
    if (page.errors.length) console.log(`  on the console: ${page.errors.splice(0).join("; ")}`);
    await page.screenshot({ path: join(folder, `${name}.png`) }).catch(() => {});
    await tidy(page).catch((why) => console.log(`  not put away: ${why.message.split("\n")[0]}`));
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
