// Builds the page as one file, which becomes part of the program: tools/build-page says where it goes.
import { readFileSync, writeFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vite";

const target = process.env.KNEAD_PAGE ?? resolve(import.meta.dirname, "page.html");

// Puts script and style into the HTML file, and that where the program expects it.
function oneFile() {
  return {
    name: "one-file",
    writeBundle(options, bundle) {
      let html = readFileSync(join(options.dir, "index.html"), "utf8");
      for (const part of Object.values(bundle)) {
        const name = part.fileName.replaceAll(".", "\\.");
        if (part.fileName.endsWith(".js")) {
          const code = part.code.replaceAll("</script", "<\\/script");
          html = html.replace(new RegExp(`\\s*<script[^>]*src="[^"]*${name}"[^>]*></script>`), "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n  </body>`);
        } else if (part.fileName.endsWith(".css")) {
          html = html.replace(new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`), () => `<style>${part.source}</style>`);
        }
      }
      writeFileSync(target, html);
      rmSync(options.dir, { recursive: true });
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: {
    outDir: process.env.KNEAD_PAGE ? `${process.env.KNEAD_PAGE}.build` : "build",
    emptyOutDir: true,
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
  },
});
