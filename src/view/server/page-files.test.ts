import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { builtFile } from "../../settings/index.ts";
import { PageFiles } from "./page-files.ts";

const MOST_BYTES = 120_000;

const files = new PageFiles();
const html = files.document("");

/** What a browser loads before it shows anything: what the document names, and what that imports. */
function firstLoad(): string[] {
  const names = [...html.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map(([, name = ""]) => name);
  for (const name of names) {
    const text = files.asset(name)?.bytes.toString("utf8") ?? "";
    const imports = text.matchAll(/(?:^|[;}])import(?:[\w*{}$, ]*from)?"\.\/([\w.-]+\.js)"/g);
    for (const [, imported = ""] of imports) if (!names.includes(imported)) names.push(imported);
  }
  return names;
}

it("the first load is at most 120 KB, compressed", () => {
  const names = firstLoad();
  expect(names.some((name) => name.endsWith(".js"))).toBe(true);
  expect(names.some((name) => name.endsWith(".css"))).toBe(true);
  const sizes = names.map((name) => files.asset(name)?.gzip?.length ?? Number.NaN);
  const sum = sizes.reduce((a, b) => a + b, Buffer.byteLength(html));
  expect(sum).toBeGreaterThan(20_000);
  expect(sum).toBeLessThanOrEqual(MOST_BYTES);
});

it("what is compressed is what is not", () => {
  for (const name of firstLoad()) {
    const file = files.asset(name);
    expect(file?.gzip && gunzipSync(file.gzip).equals(file.bytes)).toBe(true);
  }
});

it("nothing is loaded from elsewhere, and nothing is inline", () => {
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/);
  for (const name of firstLoad().filter((one) => one.endsWith(".css"))) {
    const css = readFileSync(join(builtFile("web"), "assets", name), "utf8");
    const [outside] = /@import|url\((?!["']?(?:data:|\.\/|#))[^)]*/.exec(css) ?? [];
    expect(outside).toBeUndefined();
  }
});
