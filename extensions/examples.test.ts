import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type ExtensionReport, entriesAt } from "../src/extensions/index.ts";
import { newPlace } from "../test/cli/seam.ts";

const HERE = import.meta.dirname;
const PAGE = readFileSync(join(HERE, "../docs/examples.md"), "utf8");

/** The rows of the table: name, link, and the words in backticks of the last two columns. */
const ROWS = [...PAGE.matchAll(/^\| \[([\w-]+)\]\(([^)]+)\) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, name = "", link = "", shows = "", events = "", api = ""]) => ({
    name,
    path: join(HERE, "../docs", link),
    shows,
    events: quoted(events),
    api: quoted(api),
  }),
);

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}

/** Everything an example consists of, as text. */
function sourceOf(path: string): string {
  if (basename(path) !== "index.ts") return readFileSync(path, "utf8");
  const files = readdirSync(dirname(path)).map((file) => join(dirname(path), file));
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}

describe("the table of docs/examples.md", () => {
  it("lists every example once, by name", () => {
    expect(ROWS.map(({ path }) => path)).toEqual(entriesAt(HERE));
    expect(ROWS.map(({ name }) => name)).toEqual(ROWS.map(({ name }) => name).toSorted());
    expect(ROWS.length).toBeGreaterThanOrEqual(14);
  });

  it.each(ROWS)("$name: the API it names is in the code", ({ path, api }) => {
    expect(api.length).toBeGreaterThan(0);
    const source = sourceOf(path);
    expect(api.filter((name) => !source.includes(name))).toEqual([]);
  });
});

describe("seam ext check", () => {
  let reports: ExtensionReport[];
  beforeAll(async () => {
    const here = newPlace();
    const ended = await here.seam("ext", "check", HERE, "--json");
    reports = ended.json<{ extensions: ExtensionReport[] }>().extensions;
    return () => here.remove();
  }, 60_000);

  it.each(ROWS)("$name loads without problems, with the events the table names", (row) => {
    const report = reports.find(({ path }) => path === row.path);
    expect(report).toMatchObject({ name: row.name, ok: true, problems: [] });
    expect(report?.events.toSorted()).toEqual(row.events.toSorted());
  });
});

describe("each example", () => {
  it.each(ROWS)("$name has a test, and says what it shows and how to use it", ({ name, path }) => {
    expect(statSync(join(HERE, `${name}.test.ts`)).isFile()).toBe(true);
    const source = readFileSync(path, "utf8");
    const [, comment = ""] =
      /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\nexport default function/.exec(source) ?? [];
    expect(comment).toContain("Shows:");
    expect(comment).toMatch(/@example\n \* seam run -e extensions\//);
  });
});
