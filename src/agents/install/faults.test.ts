import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SeamError } from "../../errors/index.ts";
import { claudeCode } from "../claude-code/index.ts";
import { codex } from "../codex/index.ts";
import { gemini } from "../gemini/index.ts";
import { pi } from "../pi/index.ts";
import { disable, enable, type Target } from "./enable.ts";
import { fileOps } from "./file-ops.ts";
import { hashOf } from "./install-record.ts";
import { runChild } from "./test-kit/child.ts";
import { failingOps, type Ground, ground, meaningOf, put } from "./test-kit/place.ts";

const CLAUDE: Target = { agent: claudeCode, level: "project" };
const SEVERAL: Target[] = [
  CLAUDE,
  { agent: codex, level: "project" },
  { agent: gemini, level: "user" },
  { agent: pi, level: "user" },
];
const claudeFile = ({ place }: Ground) => join(place.project, ".claude/settings.local.json");
/** Taking entries out one by one would not give exactly this again. */
const OLD = "{ /* mine */ }";

const caught = (work: () => unknown): SeamError => {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof SeamError) return thrown;
    throw thrown;
  }
  throw new Error("It did not fail.");
};
const records = ({ store }: Ground) =>
  readdirSync(join(store, "installs")).map((name) =>
    readFileSync(join(store, "installs", name), "utf8"),
  );

describe("a step that fails", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

  const howMany = (change: typeof enable, prepare: (here: Ground) => void) => {
    const here = ground();
    prepare(here);
    const { ops, steps } = failingOps(0, full);
    change(SEVERAL, { ...here, ops });
    return steps();
  };
  const begin = (here: Ground) => put(claudeFile(here), OLD);
  const enabled = (here: Ground) => {
    begin(here);
    enable(SEVERAL, { ...here });
  };

  it.each([
    ["enable", enable, begin],
    ["disable", disable, enabled],
  ] as const)("of %s leaves everything as it was, whichever it is", (_, change, prepare) => {
    const total = howMany(change, prepare);
    expect(total).toBeGreaterThan(10);
    let failures = 0;
    for (let step = 1; step <= total; step++) {
      const here = ground();
      prepare(here);
      const was = here.files();
      const known = prepare === enabled ? records(here) : [];
      const { ops } = failingOps(step, full);
      try {
        change(SEVERAL, { ...here, ops });
        // A folder that cannot be removed is no reason to fail.
        continue;
      } catch (thrown) {
        failures++;
        expect(thrown).toMatchObject({ code: "SEAM_AGENT_FILE" });
      }
      expect(here.files()).toEqual(was);
      expect(records(here).sort()).toEqual(known.sort());
    }
    expect(failures).toBeGreaterThan(total / 2);
  });
});

/** The file without the one thing in it that is different in each place. */
const textIn = (here: Ground) => readFileSync(claudeFile(here), "utf8").replaceAll(here.base, "/x");

describe("a process that is killed", () => {
  const steps = async (how: string, prepare: (here: Ground) => void, killAt: number) => {
    const here = ground();
    prepare(here);
    const before = textIn(here);
    const { signal, output } = await runChild("switch.ts", [here.base, how, String(killAt)]);
    return { here, before, killed: signal === "SIGKILL", output };
  };
  const begin = (here: Ground) => put(claudeFile(here), OLD);
  const enabled = (here: Ground) => {
    begin(here);
    enable([CLAUDE], { ...here });
  };

  /** By another version of Seam, which wrote other commands. */
  const enabledBefore = (here: Ground) => {
    enabled(here);
    const older = readFileSync(claudeFile(here), "utf8").replaceAll("exit 0", "exit  0");
    writeFileSync(claudeFile(here), older);
    const [name = ""] = readdirSync(join(here.store, "installs"));
    const record = join(here.store, "installs", name);
    const known = JSON.parse(readFileSync(record, "utf8"));
    const results = [hashOf(Buffer.from(older))];
    writeFileSync(record, JSON.stringify({ ...known, results }));
  };

  it.each([
    ["enable", "", begin, enabled],
    ["enable", " after an update", enabledBefore, enabled],
    ["disable", "", enabled, begin],
  ] as const)(
    "in the middle of %s%s leaves the file whole, and the next run goes on from there",
    async (how, _, prepare, goal) => {
      const wanted = ground();
      goal(wanted);
      const after = textIn(wanted);
      for (let step = 1; ; step++) {
        const { here, before, killed, output } = await steps(how, prepare, step);
        if (!killed) {
          expect(output).toBe("done");
          expect(step).toBeGreaterThan(3);
          break;
        }
        expect([before, after]).toContain(textIn(here));
        // Also if the next run is one that takes it out.
        if (step % 2 === 0) {
          disable([CLAUDE], here);
          expect(readFileSync(claudeFile(here), "utf8")).toBe(OLD);
          continue;
        }
        // The lock of the dead process holds nobody up.
        (how === "enable" ? enable : disable)([CLAUDE], { ...here });
        expect(textIn(here)).toBe(after);
        disable([CLAUDE], { ...here });
        expect(readFileSync(claudeFile(here), "utf8")).toBe(OLD);
        expect(readdirSync(dirname(claudeFile(here)))).toEqual(["settings.local.json"]);
        expect(readdirSync(join(here.store, "installs"))).toEqual([]);
      }
    },
    120_000,
  );
});

describe("several at once", () => {
  it("lose nothing of each other", async () => {
    const here = ground();
    const file = join(here.base, "count");
    put(file, "0");
    const args = [here.store, file, "100"];
    await Promise.all(Array.from({ length: 4 }, () => runChild("count.ts", args)));
    expect(readFileSync(file, "utf8")).toBe("400");
  }, 60_000);

  it("leave one set of entries, and the way back", async () => {
    const here = ground();
    put(claudeFile(here), OLD);
    const ended = await Promise.all(
      Array.from({ length: 4 }, () => runChild("switch.ts", [here.base, "enable"])),
    );
    expect(ended.map(({ output }) => output)).toEqual(Array(4).fill("done"));
    const { hooks } = meaningOf(claudeFile(here)) as { hooks: Record<string, unknown[]> };
    expect(Object.values(hooks).every((list) => list.length === 1)).toBe(true);
    disable([CLAUDE], { ...here });
    expect(readFileSync(claudeFile(here), "utf8")).toBe(OLD);
  }, 60_000);

  it("do not write over what another program changed in the meantime", () => {
    const here = ground();
    put(claudeFile(here), OLD);
    const ops = fileOps((action) => {
      if (action === "write") writeFileSync(claudeFile(here), '{ "model": "z" }');
    });
    const { code, details, next } = caught(() => enable([CLAUDE], { ...here, ops }));
    expect([code, details.detail]).toEqual(["SEAM_AGENT_FILE", "somebody else just changed it"]);
    expect(next).toContain("again");
    expect(readFileSync(claudeFile(here), "utf8")).toBe('{ "model": "z" }');
  });
});

describe("a file that is a link", () => {
  it.each([
    ["is written where it points to, and stays a link", OLD],
    ["may point to nothing yet", undefined],
  ])("%s", (_, content) => {
    const here = ground();
    const real = join(here.place.project, "dotfiles/claude.json");
    mkdirSync(dirname(real), { recursive: true });
    if (content !== undefined) writeFileSync(real, content);
    mkdirSync(dirname(claudeFile(here)));
    symlinkSync("../dotfiles/claude.json", claudeFile(here));
    const was = here.files();
    enable([CLAUDE], { ...here });
    expect(lstatSync(claudeFile(here)).isSymbolicLink()).toBe(true);
    expect(readlinkSync(claudeFile(here))).toBe("../dotfiles/claude.json");
    expect(readFileSync(real, "utf8")).toContain("agentseam");
    disable([CLAUDE], { ...here });
    expect(here.files()).toEqual(was);
  });
});

it("puts a new file in the place of the old: whoever has that open reads it to its end", () => {
  const here = ground();
  put(claudeFile(here), OLD);
  const open = join(here.base, "still-open");
  linkSync(claudeFile(here), open);
  enable([CLAUDE], here);
  expect(readFileSync(open, "utf8")).toBe(OLD);
  expect(readFileSync(claudeFile(here), "utf8")).toContain("agentseam");
});

it("keeps the mode of a file", () => {
  const here = ground();
  put(claudeFile(here), OLD);
  chmodSync(claudeFile(here), 0o640);
  enable([CLAUDE], { ...here });
  expect(statSync(claudeFile(here)).mode & 0o777).toBe(0o640);
  disable([CLAUDE], { ...here });
  expect(statSync(claudeFile(here)).mode & 0o777).toBe(0o640);
});

it("keeps what was there before where only the user can read it", () => {
  const here = ground();
  put(claudeFile(here), '{ "env": { "KEY": "secret" } }');
  enable([CLAUDE], { ...here });
  const [name = ""] = readdirSync(join(here.store, "installs"));
  expect(statSync(join(here.store, "installs", name)).mode & 0o777).toBe(0o600);
  expect(statSync(join(here.store, "installs")).mode & 0o777).toBe(0o700);
});

it("goes on without a record that is damaged", () => {
  const here = ground();
  put(claudeFile(here), '{ "model": "x" }');
  enable([CLAUDE], { ...here });
  const [name = ""] = readdirSync(join(here.store, "installs"));
  writeFileSync(join(here.store, "installs", name), '{ "path": 1');
  expect(enable([CLAUDE], { ...here })).toEqual([]);
  disable([CLAUDE], { ...here });
  expect(meaningOf(claudeFile(here))).toEqual({ model: "x" });
});

describe("a file that cannot be changed", () => {
  // Root may write everywhere, so another user tries.
  const NOBODY = 65_534;
  const asNobody = process.getuid?.() === 0 ? NOBODY : undefined;
  const forNobody = (path: string) => {
    if (asNobody) chownSync(path, asNobody, asNobody);
  };

  it.each([
    ["a read-only file", 0o444, 0o755, "it is read-only"],
    ["a read-only folder", 0o644, 0o555, "nothing may be written to"],
  ])(
    "because it is in %s is left alone, with a next step",
    async (_, fileMode, folderMode, detail) => {
      const here = ground();
      put(claudeFile(here), OLD);
      chmodSync(claudeFile(here), fileMode);
      mkdirSync(here.store);
      const folder = dirname(claudeFile(here));
      for (const path of [here.base, here.place.project, here.store, folder, claudeFile(here)])
        forNobody(path);
      chmodSync(folder, folderMode);
      const { output } = await runChild("switch.ts", [here.base, "enable"], asNobody);
      chmodSync(folder, 0o755);
      const { code, details, next } = JSON.parse(output) as SeamError;
      expect(code).toBe("SEAM_AGENT_FILE");
      expect(details.detail).toContain(detail);
      expect(next).toContain("Nothing was changed");
      expect(readFileSync(claudeFile(here), "utf8")).toBe(OLD);
      expect(readdirSync(folder)).toEqual(["settings.local.json"]);
    },
    60_000,
  );

  it.each([
    ["broken", '{\n  "model": "x",\n  oops\n}', "line 3, column 3"],
    ["cut off", '{\n  "hooks": {', "line 2, column 13"],
    ["two documents", "{}\n{}", "line 2, column 1"],
    ["not text", Buffer.from([0xff, 0xfe, 0x7b, 0x00]), "not UTF-8"],
    ["a list", "[1, 2]", "it is not an object"],
    ["text", '"hooks"', "it is not an object"],
    ["with a list of hooks", '{ "hooks": [] }', '"hooks" is not an object'],
    ["without hooks on purpose", '{ "hooks": null }', '"hooks" is not an object'],
    ["with a hook that is no list", '{ "hooks": { "Stop": {} } }', '"hooks.Stop" is not a list'],
    ["nested too deeply", "[".repeat(200_000), "nested too deeply"],
  ])("because it is %s is left alone, and so are all others", (_, content, detail) => {
    const here = ground();
    put(claudeFile(here), content);
    const was = here.files();
    const { code, details, next } = caught(() => enable(SEVERAL.toReversed(), { ...here }));
    expect(code).toBe("SEAM_AGENT_CONFIG");
    expect(details.path).toBe(claudeFile(here));
    expect(details.detail).toContain(detail);
    expect(next).toContain("left as it is");
    expect(here.files()).toEqual(was);
  });

  it("because a folder is in its place, or a file in that of its folder", () => {
    const here = ground();
    mkdirSync(claudeFile(here), { recursive: true });
    expect(caught(() => enable([CLAUDE], { ...here })).code).toBe("SEAM_AGENT_CONFIG");
    const there = ground();
    put(dirname(claudeFile(there)), "a file");
    const { code } = caught(() => enable([CLAUDE], { ...there }));
    expect(code).toBe("SEAM_AGENT_CONFIG");
  });
});

it("without a place to remember what was there, nothing is changed", () => {
  const here = ground();
  put(claudeFile(here), OLD);
  put(here.store, "a file");
  const { code, next } = caught(() => enable([CLAUDE], here));
  expect(code).toBe("SEAM_AGENT_FILE");
  expect(next).toContain("SEAM_HOME");
  expect(readFileSync(claudeFile(here), "utf8")).toBe(OLD);
});

it("a project that is gone is forgotten", () => {
  const here = ground();
  enable([CLAUDE], here);
  rmSync(here.place.project, { recursive: true });
  disable([CLAUDE], here);
  expect(readdirSync(join(here.store, "installs"))).toEqual([]);
  expect(here.files()).toEqual({ home: "folder" });
});

it("a plugin file that is not Seam's is not written over, nor removed", () => {
  const here = ground();
  const path = join(here.place.home, ".pi/agent/extensions/agentseam.js");
  put(path, "export default function () {}\n");
  const target: Target = { agent: pi, level: "user" };
  expect(caught(() => enable([target], { ...here })).code).toBe("SEAM_AGENT_CONFIG");
  expect(disable([target], { ...here })).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe("export default function () {}\n");
});
