import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir, tempHome, write } from "../extensions/test-kit/index.ts";
import { agree, loadSettings, settingsFiles } from "./index.ts";
import { SettingsSchema } from "./schema.ts";

type Layers = { user?: string | object; project?: string | object; local?: string | object };

/** The three files, which the user agreed to, and what they come to. */
function layers({ user, project, local }: Layers) {
  const home = tempHome(user === undefined ? {} : { "settings.json": user });
  const root = tempDir();
  write(root, { ".seam/.keep": "" });
  if (project !== undefined) write(root, { ".seam/settings.json": project });
  if (local !== undefined) write(root, { ".seam/settings.local.json": local });
  for (const path of settingsFiles(root).slice(1)) {
    const content = new Map([[path, existsSync(path) ? readFileSync(path) : Buffer.alloc(0)]]);
    if (existsSync(path)) agree(root, [{ kind: "settings", path, content }]);
  }
  const loaded = loadSettings(root);
  const codes = loaded.problems.map(({ code }) => code);
  return { ...loaded, codes, home, root };
}

/** Every number that a schema speaks of, at whatever depth. */
function numbersIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== "object" || schema === null) return [];
  const fields: Record<string, unknown> = { ...schema };
  const own = fields.type === "number" || fields.type === "integer" ? [fields] : [];
  return [...own, ...Object.values(fields).flatMap(numbersIn)];
}

const DEFAULTS = {
  extensions: [],
  theme: "auto",
  fullscreen: true,
  crew: { atOnce: 4, proofMinutes: 30, leaseSeconds: 30 },
  packages: [],
  agents: [],
  disabled: [],
  deadlines: {},
  loadDeadlineMs: 10_000,
  stuckMs: 10_000,
  compaction: { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000, idleMs: 0 },
  retry: { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000 },
  maxTodoReminders: 3,
  whenUnavailable: "auto",
  protectSeam: "ask",
  inbox: { attended: "clients", notify: true, notifyAfterSeconds: 5 },
  daemonIdleMinutes: 60,
  keepDays: 90,
  checkpointRemote: "origin",
  unrecorded: [],
  prices: {},
  redaction: {},
  view: {},
};

describe("three files", () => {
  it("none of them: the defaults", () => {
    const { settings, origins, problems } = layers({});
    expect(settings).toEqual(DEFAULTS);
    expect(origins.size).toBe(0);
    expect(problems).toEqual([]);
  });

  it("the later one wins: user, project, project's own on this machine", () => {
    const one = { user: { maxTodoReminders: 1 } };
    const two = { ...one, project: { maxTodoReminders: 2 } };
    const three = { ...two, local: { maxTodoReminders: 0 } };
    expect(layers(one).settings.maxTodoReminders).toBe(1);
    expect(layers(two).settings.maxTodoReminders).toBe(2);
    expect(layers(three).settings.maxTodoReminders).toBe(0);
  });

  it("values of different files stand side by side, with where they came from", () => {
    const { settings, origins, root } = layers({
      user: { loadDeadlineMs: 500 },
      project: { whenUnavailable: "block" },
    });
    expect(settings).toEqual({ ...DEFAULTS, loadDeadlineMs: 500, whenUnavailable: "block" });
    const [user, project] = settingsFiles(root);
    expect([...origins]).toEqual([
      ["loadDeadlineMs", user],
      ["whenUnavailable", project],
    ]);
  });

  it("deadlines are put together event by event", () => {
    const { settings } = layers({
      user: { deadlines: { tool_call: 100, input: 100 } },
      local: { deadlines: { tool_call: 200 } },
    });
    expect(settings.deadlines).toEqual({ tool_call: 200, input: 100 });
  });

  it("what is to be redacted adds up, what is not too", () => {
    const { settings, problems } = layers({
      user: { redaction: { patterns: ["one"], allow: ["fine"] } },
      local: { redaction: { patterns: ["/two/i"] } },
    });
    expect(problems).toEqual([]);
    expect(settings.redaction).toEqual({ patterns: ["one", "/two/i"], allow: ["fine"] });
  });

  it("how the embedded agent works is set one by one, and the last one wins", () => {
    const { settings, problems } = layers({
      user: { compaction: { idleMs: 5, reserveTokens: 7 }, retry: { maxRetries: 9 } },
      project: { maxTodoReminders: 1 },
      local: { compaction: { idleMs: 6 }, maxTodoReminders: 0 },
    });
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      ...DEFAULTS,
      compaction: { enabled: true, reserveTokens: 7, keepRecentTokens: 20_000, idleMs: 6 },
      retry: { ...DEFAULTS.retry, maxRetries: 9 },
      maxTodoReminders: 0,
    });
  });

  it("lists of what to run add up, as absolute paths", () => {
    const { settings, home, root } = layers({
      user: { extensions: ["./mine.ts", "/abs.ts"], packages: ["a-name", "@s/name"] },
      local: { extensions: ["./tools", "../above.ts"], packages: ["./pkg"] },
    });
    expect(settings.extensions).toEqual([
      join(home, "mine.ts"),
      "/abs.ts",
      join(root, "tools"),
      join(root, "../above.ts"),
    ]);
    expect(settings.packages).toEqual(["a-name", "@s/name", join(root, "pkg")]);
  });

  it("a path may start in the user's home folder", () => {
    const { settings } = layers({ user: { extensions: ["~/ext.ts"] } });
    expect(settings.extensions).toEqual([join(process.env.HOME ?? "", "ext.ts")]);
  });

  it("an extension's path needs no dot in front", () => {
    const { settings, home } = layers({ user: { extensions: ["tools/ext.ts"] } });
    expect(settings.extensions).toEqual([join(home, "tools/ext.ts")]);
  });
});

describe("a file", () => {
  it("may have comments and trailing commas", () => {
    const { settings, problems } = layers({
      user: `// mine
      {
        /* why */ "loadDeadlineMs": 700, // inline
        "disabled": ["a", "b",],
      }`,
    });
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({ loadDeadlineMs: 700, disabled: ["a", "b"] });
  });

  it("may start with a byte order mark", () => {
    const { settings, problems } = layers({ user: '\uFEFF{ "loadDeadlineMs": 700 }' });
    expect(problems).toEqual([]);
    expect(settings.loadDeadlineMs).toBe(700);
  });

  it.each([
    ["empty", ""],
    ["white space", " \n"],
  ])("may be %s", (_, text) => {
    expect(layers({ user: text })).toMatchObject({ settings: DEFAULTS, problems: [] });
  });

  it.each([
    ["cut off", '{\n  "disabled": ["a"],\n  "loadDeadlineMs": ', "line 3"],
    ["not JSON", "\nhello", "line 2"],
    ["a list", "[]", "not an object"],
    ["a word", '"x"', "not an object"],
    ["null", "null", "not an object"],
    ["nested without end", `{"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "brackets"],
  ])("that is %s is reported with its place and ignored; the others count", (_, text, says) => {
    const { settings, problems, root } = layers({ user: { disabled: ["u"] }, project: text });
    expect(settings).toEqual({ ...DEFAULTS, disabled: ["u"] });
    expect(problems.map(({ code }) => code)).toEqual(["SEAM_SETTINGS_SYNTAX"]);
    expect(problems[0]?.message).toContain(join(root, ".seam/settings.json"));
    expect(problems[0]?.message).toContain(says);
  });

  it("that is there and cannot be read is reported", () => {
    const { home, root } = layers({});
    write(home, { "settings.json/x": "" });
    expect(loadSettings(root).problems).toHaveLength(1);
  });
});

describe("a key", () => {
  it("nobody knows is a problem with the nearest one, and the rest counts", () => {
    const { settings, problems, root } = layers({
      local: { disabeld: ["a"], maxTodoReminders: 1 },
    });
    expect(settings).toEqual({ ...DEFAULTS, maxTodoReminders: 1 });
    expect(problems.map(({ code }) => code)).toEqual(["SEAM_SETTINGS_UNKNOWN"]);
    expect(problems[0]?.message).toContain('"disabeld"');
    expect(problems[0]?.message).toContain(join(root, ".seam/settings.local.json"));
    expect(problems[0]?.next).toContain('"disabled"');
  });

  it("that resembles none gets no guess", () => {
    const [problem] = layers({ user: { zzzzzzzzzz: 1 } }).problems;
    expect(problem?.code).toBe("SEAM_SETTINGS_UNKNOWN");
    expect(problem?.next).not.toContain("Did you mean");
  });

  it.each([
    ["extensions", "./a.ts"],
    ["extensions", [1]],
    ["packages", {}],
    ["disabled", "a"],
    ["deadlines", { tool_call: "soon" }],
    ["deadlines", { tool_call: 0 }],
    ["deadlines", { tool_call: 0.001 }],
    ["deadlines", { tool_call: 3_000_000_000 }],
    ["loadDeadlineMs", 3_000_000_000],
    ["stuckMs", 2 ** 31],
    ["daemonIdleMinutes", 1e9],
    ["keepDays", -1],
    ["keepDays", 1.5],
    ["loadDeadlineMs", "10"],
    ["loadDeadlineMs", -1],
    ["loadDeadlineMs", null],
    ["compaction", false],
    ["compaction", { enabled: "yes" }],
    ["compaction", { reserve: 1 }],
    ["compaction", { idleMs: 2 ** 31 }],
    ["retry", { maxRetries: -1 }],
    ["retry", { maxRetries: 1.5 }],
    ["maxTodoReminders", 1e9],
    ["redaction", ["a"]],
    ["redaction", { patterns: [1] }],
    ["redaction", { pattern: ["a"] }],
  ])("%s with the value %j is reported and ignored", (key, value) => {
    const { settings, problems, root } = layers({ local: { [key]: value } });
    expect(settings).toEqual(DEFAULTS);
    expect(problems.map(({ code }) => code)).toEqual(["SEAM_SETTINGS_VALUE"]);
    expect(problems[0]?.message).toContain(`"${key}"`);
    expect(problems[0]?.message).toContain(join(root, ".seam/settings.local.json"));
  });

  it("has a number only within bounds, whichever it is", () => {
    const unbounded = numbersIn(SettingsSchema).filter(
      ({ minimum, maximum }) => typeof minimum !== "number" || typeof maximum !== "number",
    );
    expect(unbounded).toEqual([]);
  });

  it.each([
    ["crew", { atOnze: 2 }, '"atOnze" is no part of it. Did you mean "atOnce"?'],
    ["retry", { zzzzzzzzzz: 1 }, '"zzzzzzzzzz" is no part of it. There are enabled,'],
    [
      "crew",
      { dayBudget: { dollar: 1 } },
      '"dayBudget.dollar" is no part of it. Did you mean "dollars"?',
    ],
  ])("%s with a part %j is reported with the nearest one", (key, value, said) => {
    const [problem] = layers({ user: { [key]: value } }).problems;
    expect(problem?.message).toContain(said);
  });

  it("with a bad value leaves the good one of an earlier file", () => {
    const { settings, origins, home } = layers({
      user: { loadDeadlineMs: 500 },
      local: { loadDeadlineMs: "x" },
    });
    expect(settings.loadDeadlineMs).toBe(500);
    expect(origins.get("loadDeadlineMs")).toBe(join(home, "settings.json"));
  });

  it.each(["toString", "constructor", "__proto__"])("%s is as unknown as any other", (key) => {
    const { settings } = layers({ user: `{ "${key}": { "disabled": ["a"] } }` });
    expect(settings).toEqual(DEFAULTS);
    expect(settings.disabled).toEqual([]);
  });
});

it("loading twice does not share anything", () => {
  const { root, settings } = layers({ local: { extensions: ["./a.ts"] } });
  const again = loadSettings(root).settings;
  expect(again).toEqual(settings);
  expect(again.extensions).not.toBe(settings.extensions);
});

it("what makes Seam stricter around a project counts in it too, once the user agreed to something there", () => {
  const strict = { protectSeam: "block", maxTodoReminders: 1, extensions: ["./x.ts"] };
  const { root } = layers({ project: strict });
  write(root, { "inner/.git/HEAD": "", "inner/.seam/settings.json": {} });
  const inner = () => loadSettings(join(root, "inner"));
  expect(inner().settings).toMatchObject({
    protectSeam: "block",
    maxTodoReminders: 3,
    extensions: [],
  });
  expect(inner().asking).toEqual([]);
  // As the user agreed to it, when it has changed since.
  write(root, { ".seam/settings.json": {} });
  expect(inner().settings.protectSeam).toBe("block");
});

it("a project around this one in which the user agreed to nothing says nothing here", () => {
  tempHome({});
  const root = tempDir();
  write(root, { ".seam/settings.json": { protectSeam: "block" }, "inner/.git/HEAD": "" });
  expect(loadSettings(join(root, "inner")).settings.protectSeam).toBe("ask");
});
