import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir, tempHome, write } from "../extensions/test-kit/index.ts";
import { agree, loadSettings, SETTING_KEYS, settingsFiles, withdraw } from "./index.ts";
import type { Settings } from "./schema.ts";

const FILES = [".seam/settings.json", ".seam/settings.local.json"] as const;

interface Given {
  readonly user?: Partial<Settings>;
  readonly project: object;
  readonly file?: (typeof FILES)[number];
}

/** A project whose settings nobody agreed to yet. */
function setUp({ user = {}, project, file = FILES[0] }: Given) {
  tempHome({ "settings.json": user });
  const root = tempDir();
  write(root, { [file]: project });
  const path = join(root, file);
  const load = () => {
    const loaded = loadSettings(root);
    return { ...loaded, codes: loaded.problems.map(({ code }) => code) };
  };
  const trust = () =>
    agree(root, [{ kind: "settings", path, content: new Map([[path, readFileSync(path)]]) }]);
  return { root, path, load, trust, change: (now: object) => write(root, { [file]: now }) };
}

/** What each setting comes to: the default, what a project's file makes of it before and after trust. */
const EFFECTS: { readonly [Key in keyof Settings]: readonly [Settings[Key], unknown, unknown][] } =
  {
    extensions: [[["./x.ts"], [], [expect.stringMatching(/\/x\.ts$/)]]],
    packages: [[["pkg"], [], ["pkg"]]],
    agents: [[["pkg"], [], ["pkg"]]],
    disabled: [[["gate"], [], []]],
    deadlines: [
      [{ input: 100 }, {}, { input: 30_000 }],
      [{ input: 60_000 }, {}, { input: 60_000 }],
      [{ input: 3_600_000 }, {}, { input: 600_000 }],
    ],
    loadDeadlineMs: [
      [100, 10_000, 10_000],
      [20_000, 10_000, 20_000],
      [3_600_000, 10_000, 600_000],
    ],
    stuckMs: [
      [100, 10_000, 10_000],
      [0, 10_000, 10_000],
      [20_000, 10_000, 20_000],
    ],
    unrecorded: [[["/private"], [], []]],
    theme: [["light", "auto", "auto"]],
    fullscreen: [[false, true, true]],
    inbox: [
      [
        { attended: "always", notifyCommand: "touch x" },
        { attended: "clients", notify: true, notifyAfterSeconds: 5 },
        { attended: "clients", notify: true, notifyAfterSeconds: 5 },
      ],
    ],
    prices: [[{ "model-x": { input: 1, output: 2 } }, {}, {}]],
    compaction: [
      [
        { enabled: false },
        expect.objectContaining({ enabled: true }),
        expect.objectContaining({ enabled: false }),
      ],
    ],
    retry: [
      [
        { maxRetries: 0 },
        expect.objectContaining({ maxRetries: 3 }),
        expect.objectContaining({ maxRetries: 0 }),
      ],
    ],
    maxTodoReminders: [[0, 3, 0]],
    whenUnavailable: [
      ["block", "block", "block"],
      ["allow", "auto", "auto"],
    ],
    protectSeam: [
      ["block", "block", "block"],
      ["allow", "ask", "ask"],
    ],
    daemonIdleMinutes: [[1, 60, 60]],
    keepDays: [
      [1, 90, 90],
      [0, 90, 90],
    ],
    checkpointRemote: [
      ["private", "origin", "private"],
      ["https://evil.example/x.git", "origin", "https://evil.example/x.git"],
    ],
    view: [[{ port: 4000, hosts: ["evil.example"] }, {}, {}]],
    crew: [
      [
        { remote: "https://evil.example/x.git" },
        { atOnce: 4, proofMinutes: 30, leaseSeconds: 30 },
        { atOnce: 4, proofMinutes: 30, leaseSeconds: 30 },
      ],
    ],
    redaction: [
      [
        { patterns: ["acme"], allow: ["/.*/"] },
        { patterns: ["acme"] },
        { patterns: ["acme"], allow: ["/.*/"] },
      ],
    ],
  };

describe.each(FILES)("what %s may say", (file) => {
  const CASES = SETTING_KEYS.flatMap((key) =>
    EFFECTS[key].map(([value, before, after]) => ({ key, value, before, after })),
  );

  it.each(CASES)("$key $value, before and after trust", ({ key, value, before, after }) => {
    const { load, trust } = setUp({ project: { [key]: value }, file });
    expect(load().settings[key]).toEqual(before);
    trust();
    expect(load().settings[key]).toEqual(after);
  });
});

describe("what the user said stays", () => {
  it.each<[keyof Settings, unknown, unknown]>([
    ["whenUnavailable", "block", "auto"],
    ["checkpointRemote", "mine", "theirs"],
    ["disabled", ["a"], []],
    ["stuckMs", 0, 5_000],
    ["loadDeadlineMs", 30_000, 20_000],
    ["deadlines", { input: 50_000 }, { input: 40_000 }],
    ["daemonIdleMinutes", 5, 6],
    ["keepDays", 7, 8],
  ])("%s", (key, mine, theirs) => {
    const { load, trust } = setUp({ user: { [key]: mine }, project: { [key]: theirs } });
    expect(load().settings[key]).toEqual(mine);
    trust();
    expect(load().settings[key]).toEqual(mine);
  });
});

it("what a project leaves out are its own extensions, not the user's", () => {
  const { load, trust } = setUp({ project: { disabled: ["gate"] } });
  expect(load().listed.project.disabled).toEqual([]);
  trust();
  expect(load().listed).toMatchObject({ user: { disabled: [] }, project: { disabled: ["gate"] } });
});

it("what waits for the user is said, key by key, and in words", () => {
  const { load, path } = setUp({
    project: { extensions: ["./x.ts"], whenUnavailable: "block", redaction: { patterns: ["a"] } },
  });
  expect(load().codes).toEqual(["SEAM_SETTINGS_UNTRUSTED"]);
  expect(load().problems[0]?.message).toContain('"extensions"');
  expect(load().problems[0]?.next).toContain("seam trust");
  expect(load().asking).toMatchObject([{ path, trust: "new", asks: ["run ./x.ts"] }]);
});

it("a file that only tightens needs nobody's trust", () => {
  const { load } = setUp({ project: { whenUnavailable: "block", redaction: { patterns: ["a"] } } });
  expect(load()).toMatchObject({ asking: [], codes: [] });
});

it("what never counts from a project is said", () => {
  const { load, trust } = setUp({ project: { whenUnavailable: "allow", daemonIdleMinutes: 1 } });
  expect(load().codes).toEqual(["SEAM_SETTINGS_OWN", "SEAM_SETTINGS_OWN"]);
  trust();
  expect(load().codes).toEqual(["SEAM_SETTINGS_OWN", "SEAM_SETTINGS_OWN"]);
});

describe("a file that was trusted", () => {
  const TRUSTED = { checkpointRemote: "team", whenUnavailable: "block" };

  it("and changed stays in force as it was; of the new only what tightens counts", () => {
    const { load, trust, change, path } = setUp({ project: TRUSTED });
    trust();
    expect(load().asking).toMatchObject([{ path, trust: "trusted" }]);
    change({ checkpointRemote: "evil", redaction: { patterns: ["x"], allow: ["y"] } });
    const { settings, codes, asking } = load();
    expect(settings).toMatchObject({ ...TRUSTED, redaction: { patterns: ["x"] } });
    expect([codes, asking[0]?.trust]).toEqual([["SEAM_SETTINGS_CHANGED"], "changed"]);
    trust();
    expect(load().settings).toMatchObject({ checkpointRemote: "evil", whenUnavailable: "auto" });
  });

  it("and is gone stays in force until the user lets go of it", () => {
    const { load, trust, path, root } = setUp({ project: TRUSTED });
    trust();
    rmSync(path);
    const { settings, codes, asking } = load();
    expect(settings).toMatchObject(TRUSTED);
    expect([codes, asking[0]?.trust]).toEqual([["SEAM_SETTINGS_CHANGED"], "gone"]);
    withdraw(root, [path]);
    expect(load()).toMatchObject({ settings: { checkpointRemote: "origin" }, codes: [] });
  });

  it("in one project is not trusted in another", () => {
    const { trust } = setUp({ project: TRUSTED });
    trust();
    const other = tempDir();
    write(other, { ".seam/settings.json": TRUSTED });
    expect(loadSettings(other).settings.checkpointRemote).toBe("origin");
  });
});

describe("a hostile place", () => {
  it("a settings file that is a folder, or a link to something endless, is reported", () => {
    tempHome();
    const root = tempDir();
    mkdirSync(join(root, ".seam/settings.json"), { recursive: true });
    symlinkSync("/dev/zero", join(root, ".seam/settings.local.json"));
    expect(loadSettings(root).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("not a file"),
      expect.stringContaining("not a file"),
    ]);
  });

  it("a home folder that is a repository does not make the user's settings a project's", () => {
    const base = tempDir();
    const home = join(base, ".seam");
    tempHome();
    process.env.SEAM_HOME = home;
    write(base, { ".git/HEAD": "", ".seam/settings.json": { extensions: ["./mine.ts"] } });
    expect(settingsFiles(base)).toEqual([join(home, "settings.json")]);
    expect(loadSettings(base).listed.user.extensions).toEqual([join(home, "mine.ts")]);
    expect(loadSettings(base).problems).toEqual([]);
  });
});
