import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { generatedPages } from "./docs/pages.ts";

for (const [path, text] of generatedPages()) {
  writeFileSync(path, text);
  process.stdout.write(`wrote ${relative(process.cwd(), path)}\n`);
}
