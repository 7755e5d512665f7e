import { parseArgs } from "node:util";
import type { Bench } from "./frame.ts";
import { type Result, toJson, toText, writeInto } from "./report.ts";

export interface Surroundings {
  /** The benchmarks there are, each loaded only if it is run. */
  readonly benches: Readonly<Record<string, () => Promise<Bench>>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** docs/performance.md, if there is one. */
  readonly page: { read(): string | undefined; write(text: string): void };
}

const OPTIONS = {
  json: { type: "boolean" },
  "write-docs": { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Runs benchmarks. Returns the exit code: 0 all bars met, 1 one missed, 2 used wrongly. */
export async function main(args: string[], surroundings: Surroundings): Promise<number> {
  const { benches, out, err } = surroundings;
  const names = Object.keys(benches);
  const request = parse(args);
  if (typeof request === "string") {
    err(`${request}\n\n${usage(names)}`);
    return 2;
  }
  if (request.help) {
    out(usage(names));
    return 0;
  }
  const [wanted] = request.names;
  if (request.names.length > 1 || (wanted !== undefined && !Object.hasOwn(benches, wanted))) {
    err(`There is no benchmark "${request.names.join(" ")}".\n\n${usage(names)}`);
    return 2;
  }
  const results: Result[] = [];
  for (const name of wanted === undefined ? names : [wanted]) {
    const bench = await benches[name]?.();
    if (!bench) continue;
    for await (const one of bench((text) => err(`${name}: ${text} …`))) {
      results.push({ bench: name, ...one });
    }
  }
  out(request.json ? toJson(results) : toText(results));
  if (request.writeDocs) writePage(surroundings, results);
  return results.every(({ ok }) => ok) ? 0 : 1;
}

function parse(args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const { json = false, help = false, "write-docs": writeDocs = false } = values;
    return { json, help, writeDocs, names: positionals };
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function writePage({ page, err }: Surroundings, results: readonly Result[]): void {
  const before = page.read();
  const after = before === undefined ? undefined : writeInto(before, results);
  if (after === undefined || after === before) err("docs/performance.md has no place for them.");
  else page.write(after);
}

function usage(names: readonly string[]): string {
  return [
    "npm run bench -- [name] [--json] [--write-docs]",
    "",
    "Measures code that is bundled as the shipped one is. Without a name all benchmarks are run.",
    "",
    "  --json        one JSON object instead of the table",
    "  --write-docs  put the table into docs/performance.md, between",
    "                <!-- bench:name --> and <!-- /bench -->",
    "",
    `Benchmarks: ${names.join(", ")}`,
  ].join("\n");
}
