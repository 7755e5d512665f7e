import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL("packages/", import.meta.url));
const MODULES = join(HERE, "node_modules");
const BINARY_WITHIN = 8_000;

export interface SourceFile {
  /** From the name of the package on. */
  readonly name: string;
  readonly content: Buffer;
}

/** Every text in the packages that are pinned, and the file that pins them. */
export function* packageFiles(): Generator<SourceFile> {
  install();
  yield { name: "package-lock.json", content: readFileSync(join(HERE, "package-lock.json")) };
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(HERE, "package.json"), "utf8"),
  );
  for (const name of Object.keys(dependencies)) yield* filesIn(name);
}

function* filesIn(folder: string): Generator<SourceFile> {
  for (const entry of readdirSync(join(MODULES, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(name);
    if (!entry.isFile()) continue;
    const content = readFileSync(join(MODULES, name));
    if (!content.subarray(0, BINARY_WITHIN).includes(0)) yield { name, content };
  }
}

function install(): void {
  const done = statSync(join(MODULES, ".package-lock.json"), { throwIfNoEntry: false });
  if (done && done.mtimeMs >= statSync(join(HERE, "package-lock.json")).mtimeMs) return;
  process.stderr.write("Installing packages to search into bench/redaction/packages (170 MB) …\n");
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", args, { cwd: HERE, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`npm ci failed. Run it in ${HERE} to see why.`);
}
