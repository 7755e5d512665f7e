import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Bench } from "./frame.ts";
import { main } from "./main.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const page = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
const SUFFIX = ".bench.ts";

const benches: Record<string, () => Promise<Bench>> = {};
for (const file of readdirSync(here).sort()) {
  if (!file.endsWith(SUFFIX)) continue;
  benches[file.slice(0, -SUFFIX.length)] = async () => {
    const module: { default: Bench } = await import(`${here}${file}`);
    return module.default;
  };
}

process.exitCode = await main(process.argv.slice(2), {
  benches,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  page: {
    read: () => (existsSync(page) ? readFileSync(page, "utf8") : undefined),
    write: (text) => writeFileSync(page, text),
  },
});
