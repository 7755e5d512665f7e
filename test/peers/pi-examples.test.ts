import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Extension, type ExtensionSet, loadExtensions } from "../../src/extensions/index.ts";
import { piModules } from "../../src/host/index.ts";
import {
  examplesOf,
  KINDS,
  PI_EXAMPLES,
  PI_ROOT,
  recordedExamples,
  requirePeers,
  type Surface,
} from "./pi.ts";

requirePeers();
const { pi, examples } = recordedExamples();
const all = Object.entries(examples);
const loadable = all.filter(([, { missing }]) => missing === undefined);

const cwd = mkdtempSync(join(tmpdir(), "seam-peers-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function load<T>(entries: string[], look: (set: ExtensionSet) => T): Promise<T> {
  const sources = entries.map((entry) => join(PI_EXAMPLES, entry));
  const set = await loadExtensions({ cwd, sources });
  try {
    return look(set);
  } finally {
    set.dispose();
  }
}

function surfaceOf(extension: Extension): Surface {
  const surface: Surface = {};
  for (const kind of KINDS) {
    const names = [...extension[kind].keys()].sort();
    if (names.length > 0) surface[kind] = names;
  }
  return surface;
}

test("the table is about the installed Pi and all of its 72 examples", () => {
  const { version } = JSON.parse(readFileSync(join(PI_ROOT, "package.json"), "utf8"));
  const items = readdirSync(PI_EXAMPLES).filter((item) => item !== "README.md");
  const recorded = all.map(([, { entry }]) => entry.replace(/\/index\.ts$/, ""));
  expect(version).toBe(pi);
  expect(recorded.sort()).toEqual(items.sort());
  expect(all).toHaveLength(72);
  expect(loadable).toHaveLength(71);
});

test.each(loadable)("%s loads unchanged and is what it is in Pi", async (_, { entry, ...seen }) => {
  const { failures, surfaces, problems } = await load([entry], (set) => ({
    failures: set.failures.map(({ problem }) => problem.error.message),
    surfaces: set.extensions.map(surfaceOf),
    problems: set.problems.map(({ error }) => error.message),
  }));
  expect(failures).toEqual([]);
  expect(surfaces).toEqual([seen]);
  expect(problems).toEqual([]);
});

test("sandbox fails as it does in Pi, and the error names what is missing", async () => {
  const { entry, missing } = examples.sandbox ?? { entry: "" };
  const failures = await load([entry], (set) => set.failures);
  expect(missing).toBe("@anthropic-ai/sandbox-runtime");
  expect(failures.map(({ name, problem }) => [name, problem.error.code])).toEqual([
    ["sandbox", "SEAM_EXT_IMPORT"],
  ]);
  expect(failures[0]?.problem.error.message).toContain('"@anthropic-ai/sandbox-runtime"');
});

test("all 72 in one set: nothing but sandbox fails, and each is what it is alone", async () => {
  const { failures, surfaces } = await load(
    all.map(([, { entry }]) => entry),
    (set) => ({
      failures: set.failures.map(({ name }) => name),
      surfaces: set.extensions.map((extension) => [extension.name, surfaceOf(extension)]),
    }),
  );
  expect(failures).toEqual(["sandbox"]);
  expect(Object.fromEntries(surfaces)).toEqual(
    Object.fromEntries(loadable.map(([name, { entry: _, ...seen }]) => [name, seen])),
  );
});

describe("Pi 1.5.0", () => {
  const later = examplesOf("1.5.0");

  test("has 78 examples", () => {
    expect(later.size).toBe(78);
  });

  test.each([...later].filter(([name]) => name !== "gondolin"))(
    "%s loads unchanged and without a warning",
    async (_name, file) => {
      const set = await loadExtensions({ cwd, sources: [file], modules: piModules });
      const problems = set.problems.map(({ error }) => error.message);
      set.dispose();
      expect(problems).toEqual([]);
    },
  );

  test("gondolin fails, and the error names the package that does not come with Pi", async () => {
    const sources = [later.get("gondolin") ?? ""];
    const { failures } = await loadExtensions({ cwd, sources, modules: piModules });
    expect(failures.map(({ problem }) => problem.error.message)).toEqual([
      expect.stringContaining('"@earendil-works/gondolin"'),
    ]);
  });
});
