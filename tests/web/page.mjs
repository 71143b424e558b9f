// What a user does with the page, in a real browser; each test's name is what it proves. Called by test_page.py with the addresses of
// viewers as JSON, and a folder for pictures; KNEAD_PAGE_TESTS=steer,live leaves out the other groups. A test goes on with the page of the one before, unless it opens one of its own.
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
