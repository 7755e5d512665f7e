import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, newPlace, place } from "./cli/seam.ts";

interface Report {
  readonly path: string;
  readonly name: string;
  readonly ok: boolean;
  readonly events: string[];
  readonly tools: string[];
  readonly agents: { event: string; agents: string[] }[];
  readonly problems: {
    severity: string;
    code: string;
    message: string;
    next: string;
    file?: string;
    line?: number;
  }[];
}

interface Checked {
  readonly loaded: number;
  readonly failed: { path: string; error: string }[];
  readonly extensions: Report[];
}

const TOOL = `export default (pi) => pi.registerTool({
  name: "same",
  description: "Does the same",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [] }),
});`;

const GOOD = {
  "gate.ts": `import type { ExtensionAPI } from "agentseam";
export default function (pi: ExtensionAPI) {
  pi.on("tool_call", () => {});
  pi.on("turn_start", () => {});
}`,
  "noise.ts": `console.log("{ this is not JSON");
process.stdout.write("nor is this\\n");
console.error("and this is for nobody");
export default () => {};`,
  "tool-one.ts": TOOL,
  "tool-two.ts": TOOL,
};

/** What is in the file, the code it gets, the line that is named. */
const BAD: Record<string, { text: string; code: string; line?: number; says?: string }> = {
  syntax: {
    text: "export default function (pi) {\n  const = 1;\n}",
    code: "SEAM_EXT_SYNTAX",
    line: 2,
  },
  throwing: {
    text: 'export default function () {\n  throw new Error("boom");\n}',
    code: "SEAM_EXT_FACTORY",
    line: 2,
    says: "boom",
  },
  rejecting: {
    text: 'export default async function () {\n  await null;\n  throw new Error("late boom");\n}',
    code: "SEAM_EXT_FACTORY",
    line: 3,
    says: "late boom",
  },
  "throws-a-string": {
    text: 'export default () => { throw "only words"; };',
    code: "SEAM_EXT_FACTORY",
    says: "only words",
  },
  "no-default": { text: "export const gate = 1;", code: "SEAM_EXT_NO_FACTORY" },
  "no-function": { text: "export default { on: true };", code: "SEAM_EXT_NO_FACTORY" },
  "bad-handler": {
    text: 'export default (pi) => {\n  pi.on("tool_call", 42);\n};',
    code: "SEAM_HANDLER_NOT_FUNCTION",
    line: 2,
    says: "tool_call",
  },
  "missing-import": {
    text: 'import x from "no-such-package";\nexport default () => x;',
    code: "SEAM_EXT_IMPORT",
    says: '"no-such-package"',
  },
  "missing-file": {
    text: 'import x from "./nowhere.ts";\nexport default () => x;',
    code: "SEAM_EXT_IMPORT",
    says: "nowhere",
  },
  "missing-name": {
    text: 'import { Nope } from "@earendil-works/pi-tui";\nexport default () => new Nope();',
    code: "SEAM_EXT_FACTORY",
    says: "Nope) is not a constructor",
  },
  // Holds the thread as a loop does, and leaves the processor to the other tests.
  "endless-loop": {
    text: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);\nexport default () => {};",
    code: "SEAM_EXT_LOAD_TIMEOUT",
  },
  "never-resolves": {
    text: "export default () => new Promise(() => {});",
    code: "SEAM_EXT_LOAD_TIMEOUT",
  },
  exits: { text: "process.exit(0);\nexport default () => {};", code: "SEAM_EXT_EXITED" },
};

describe("a good and a bad lot together", () => {
  const files = { ...GOOD };
  for (const [name, { text }] of Object.entries(BAD))
    Object.assign(files, { [`${name}.ts`]: text });
  const here = newPlace(files);
  let ended: Ended;
  let checked: Checked;
  const report = (name: string) => checked.extensions.find((one) => one.name === name);

  beforeAll(async () => {
    // Time enough to word a syntax error on a busy machine, and two of these use it up.
    ended = await here.seam("ext", "check", "--json", "--deadline", "8000", ...Object.keys(files));
    checked = ended.json();
  });
  afterAll(() => here.remove());

  it("exits with 1 and counts both", () => {
    expect(ended.code).toBe(1);
    expect(checked.loaded).toBe(Object.keys(GOOD).length);
    expect(checked.failed).toHaveLength(Object.keys(BAD).length);
    expect(checked.extensions.map(({ path }) => path)).toEqual(
      Object.keys(files).map((name) => join(here.project, name)),
    );
  });

  it.each(Object.entries(BAD))("%s: an error that names the extension", (name, expected) => {
    const { ok, problems, path } = report(name) ?? { ok: true, problems: [], path: "" };
    const failure = checked.failed.find((one) => one.path === path);
    const problem = problems.find(({ severity }) => severity === "error");
    expect(ok).toBe(false);
    expect(problem).toMatchObject({ severity: "error", code: expected.code });
    expect(failure).toEqual({ path, error: problem?.message });
    expect(problem?.message).toContain(`${name}.ts`);
    expect(problem?.next).toMatch(/\w/);
    if (expected.says) expect(problem?.message).toContain(expected.says);
    if (expected.line) expect(problem).toMatchObject({ file: path, line: expected.line });
  });

  it("says which agents can fire what an extension listens for", () => {
    const { events, agents } = report("gate") ?? { events: [], agents: [] };
    expect(events).toEqual(["tool_call", "turn_start"]);
    expect(agents.find(({ event }) => event === "tool_call")?.agents).toContain("claude-code");
    expect(agents.find(({ event }) => event === "turn_start")?.agents).toEqual(["pi", "seam"]);
  });

  it("noise of an extension does not get into the JSON", () => {
    expect(ended.stdout).not.toContain("nor is this");
    expect(report("noise")?.ok).toBe(true);
  });

  it("two extensions with one tool do not disturb each other: each is checked alone", () => {
    expect(report("tool-one")).toMatchObject({ ok: true, tools: ["same"], problems: [] });
    expect(report("tool-two")).toMatchObject({ ok: true, tools: ["same"], problems: [] });
  });
});

it("a name that is not there is a warning with its line, and no failure as long as it is not used", async () => {
  const text = [
    'import { Nope } from "@earendil-works/pi-tui";',
    'import { Neither } from "@earendil-works/pi-ai";',
    "export default () => (Nope ? new Nope(Neither) : undefined);",
  ].join("\n");
  const { code, stdout } = await place({ "names.ts": text }).seam("ext", "check", "names.ts");
  expect(code).toBe(0);
  expect(stdout).toMatch(/warning.*"Nope" from "@earendil-works\/pi-tui".*\(names\.ts:1\)/);
  expect(stdout).toMatch(/warning.*"Neither" from "@earendil-works\/pi-ai".*\(names\.ts:2\)/);
});

it("an unknown event is a warning with the nearest name, and no failure", async () => {
  const text = 'export default (pi) => {\n  pi.on("tool_cal", () => {});\n};';
  const { code, stdout } = await place({ "typo.ts": text }).seam("ext", "check", "typo.ts");
  expect(code).toBe(0);
  expect(stdout).toMatch(/warning.*"tool_cal".*\(typo\.ts:2\)/);
  expect(stdout).toContain('Did you mean "tool_call"?');
});

it("prints what an extension does, for people", async () => {
  const { code, stdout } = await place(GOOD).seam("ext", "check", "gate.ts", "tool-one.ts");
  expect(code).toBe(0);
  expect(stdout).toContain("✓ gate  gate.ts");
  expect(stdout).toContain("on turn_start  pi, seam");
  expect(stdout).toContain("tools  same");
  expect(stdout).toContain("2 loaded, 0 failed");
});

it("prints the error, the place and the next step, for people", async () => {
  const here = place({ "bad.ts": BAD.throwing?.text ?? "" });
  const { code, stdout } = await here.seam("ext", "check", "bad.ts");
  expect(code).toBe(1);
  expect(stdout).toContain("✗ bad  bad.ts");
  expect(stdout).toContain("failed while starting: boom (bad.ts:2)");
  expect(stdout).toContain("Fix the error at the line shown.");
  expect(stdout).toContain("0 loaded, 1 failed");
});

it("a folder stands for the extensions in it, without their tests", async () => {
  const here = place({
    "all/b.ts": GOOD["gate.ts"],
    "all/a/index.ts": GOOD["gate.ts"],
    "all/b.test.ts": "not loaded",
    "all/notes.md": "not loaded",
  });
  const { extensions } = (await here.seam("ext", "check", "all", "--json")).json<Checked>();
  expect(extensions.map(({ name }) => name)).toEqual(["a", "b"]);
});

it("a path that is not there, and a folder without extensions, is a failed extension", async () => {
  const here = place({ "empty/notes.md": "" });
  const missing = await here.seam("ext", "check", "nope.ts", "--json");
  expect(missing.code).toBe(1);
  expect(missing.json<Checked>().failed[0]?.error).toContain("There is no extension at");
  const empty = await here.seam("ext", "check", "empty", "--json");
  expect(empty.code).toBe(1);
  expect(empty.json<Checked>().failed[0]?.error).toContain("There is no extension at");
});

it("a deadline that is not a number is a mistake of the caller", async () => {
  const { code, stderr } = await place(GOOD).seam("ext", "check", "gate.ts", "--deadline", "soon");
  expect(code).toBe(2);
  expect(stderr).toContain("--deadline soon is not a time.");
});

it("a package is called by its name, wherever its files are", async () => {
  const at = place({
    "p/package.json": JSON.stringify({ name: "lens", pi: { extensions: ["./dist/index.js"] } }),
    "p/dist/index.js": "export default () => {};\n",
  });
  const { stdout } = await at.seam("ext", "check", "p");
  expect(stdout).toContain("✓ lens");
});
