// Builds the page: `web/` becomes a few files with their content's hash in their names, each beside
// a compressed one, and the document that names them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ENTRY = "web/main.tsx";

/** What is worth compressing; pictures and fonts are compressed already. */
const TEXT = /\.(?:js|css|svg|html|json)$/;

/** Builds the page into `<folder>/web` and returns what esbuild tells of it. */
export async function buildWeb(folder) {
  const out = join(folder, "web");
  mkdirSync(out, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outdir: join(out, "assets"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file", ".svg": "file" },
    minify: true,
    legalComments: "none",
    logLevel: "error",
    metafile: true,
  });
  const [made] = Object.entries(metafile.outputs).filter(([, one]) => one.entryPoint === ENTRY);
  const [script, { cssBundle }] = made;
  const html = readFileSync(join(ROOT, "web/index.html"), "utf8")
    .replace("%main.js%", `assets/${basename(script)}`)
    .replace("%main.css%", cssBundle ? `assets/${basename(cssBundle)}` : "");
  writeFileSync(join(out, "index.html"), html);
  const icon = join(ROOT, "web/icon.svg");
  if (existsSync(icon)) writeFileSync(join(out, "assets/icon.svg"), readFileSync(icon));
  for (const name of readdirSync(join(out, "assets"))) {
    if (!TEXT.test(name)) continue;
    const path = join(out, "assets", name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
  return metafile;
}
