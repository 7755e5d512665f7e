import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sampled } from "../../test/setup/sample.ts";
import { daemonStatus } from "./connection.ts";
import { prepareFolders } from "./daemon-paths.ts";
import { Deaths } from "./deaths.ts";
import { Log } from "./log.ts";
import { type ProcessPlace, processPlace } from "./test-kit/processes.ts";
import { runHook, testPlace } from "./test-kit/setup.ts";

/** By a program of its own, as nothing inside of the process can hold it up. */
const KILL = `execFileSync("kill", ["-9", String(process.pid)]);`;
const IMPORT = `import { execFileSync } from "node:child_process";`;
const INNOCENT = `export default (pi) => pi.on("tool_call", (e) => e.input.command === "no" && { block: true, reason: "said no" });`;

function killing(critical: boolean): string {
  return `${IMPORT}\nexport const critical = ${critical};
    export default (pi) => pi.on("tool_call", (e) => { if (e.input.command === "kill") ${KILL} });`;
}

async function reasonOf(place: ProcessPlace, command: string, session_id = "s1") {
  const { project: cwd } = place;
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `${Math.random()}` };
  const payload = { session_id, cwd, hook_event_name: "PreToolUse", ...call };
  const { stdout } = await runHook(place, "PreToolUse", payload, {
    agent: "claude-code",
    keeps: true,
  });
  // It may also hold a message for the user.
  const said = stdout === "" ? {} : JSON.parse(stdout);
  return said.hookSpecificOutput?.permissionDecisionReason as string | undefined;
}

/** A daemon after the one before it, as far as it knows what that one died over. */
function next(place: ReturnType<typeof testPlace>, waiting: readonly string[]) {
  prepareFolders(place);
  const leftOut: string[] = [];
  const finder = { leaveOut: (path: string) => `${leftOut.push(path)}` };
  const log = new Log(place.log);
  const deaths = new Deaths(place, finder, log);
  deaths.found(waiting);
  const runs = (path: string) => {
    if (deaths.doing !== undefined) writeFileSync(join(deaths.doing, "1"), path);
  };
  return { deaths, leftOut, runs };
}

it("a hook that had its answer and was not recorded blames nobody when another one ends the daemon", () => {
  const place = testPlace();
  next(place, ["answered"]).runs("/gate.ts");
  const second = next(place, ["answered", "deadly"]);
  expect(second.leftOut).toEqual([]);
  // The second hook comes again, and this daemon dies over it too.
  second.deaths.begins("deadly");
  second.runs("/gate.ts");
  expect(next(place, ["answered", "deadly"]).leftOut).toEqual(["/gate.ts"]);
});

it("a hook that the next daemon answered blames nobody for its death later", () => {
  const place = testPlace();
  const first = next(place, ["slow"]);
  first.deaths.begins("slow");
  first.deaths.outlived("slow");
  first.runs("/gate.ts");
  expect(next(place, ["slow"]).leftOut).toEqual([]);
});

const KINDS: readonly [string, boolean][] = [
  ["critical", true],
  ["ordinary", false],
];
it.each(sampled(KINDS, "critical"))(
  "a call over which a daemon was killed twice by the %s extension that looks at it is denied",
  async (_, critical) => {
    const place = processPlace();
    place.write({ "extensions/killing.ts": killing(critical), "extensions/zero.ts": INNOCENT });
    expect(await reasonOf(place, "ls")).toBeUndefined();
    expect(place.starts()).toBe(1);
    expect(await reasonOf(place, "kill")).toContain("killing.ts: it ended Seam's daemon twice");
    expect(place.starts()).toBe(3);
    // From then on it is not asked, and the others are; also after the next daemon's death.
    const path = join(place.home, "extensions/killing.ts");
    for (const starts of [3, 4]) {
      const reason = await reasonOf(place, "kill", "s2");
      if (critical) expect(reason).toContain("critical extension");
      else expect(reason).toBeUndefined();
      if (!critical) expect(await reasonOf(place, "no")).toBe("said no");
      expect(place.starts()).toBe(starts);
      expect(await daemonStatus(place)).toMatchObject({
        leftOut: [{ path, why: "it ended Seam's daemon twice" }],
      });
      await place.kill("SIGKILL");
    }
    expect(place.logged()).toContain(`${path} is left out until it changes`);
    // One that was changed is tried again.
    writeFileSync(path, INNOCENT.replace("said no", "mended"));
    expect(await reasonOf(place, "no", "s3")).toBe("mended");
  },
  120_000,
);

it("an extension that kills the daemon while it is loaded is named and left out", async () => {
  const place = processPlace();
  // The check of a new extension comes to an end, the session's own loading does not.
  const code = `${IMPORT}\nimport { existsSync, writeFileSync } from "node:fs";
    const mark = ${JSON.stringify(join(place.home, "mark"))};
    if (existsSync(mark)) { ${KILL} } else writeFileSync(mark, "");
    export default () => {};`;
  place.write({ "extensions/killing.ts": code, "extensions/zero.ts": INNOCENT });
  expect(await reasonOf(place, "no")).toContain("killing.ts");
  expect(await reasonOf(place, "no")).toBe("said no");
  expect(place.starts()).toBeLessThan(5);
}, 120_000);

it.each(sampled(["process.pid", "0", "-process.pid"], "0"))(
  "an extension that signals %s ends nothing but its thread, and is named",
  async (pid) => {
    const place = processPlace();
    const handler = `(e) => { if (e.input.command === "kill") process.kill(${pid}, "SIGKILL"); }`;
    const code = `export default (pi) => pi.on("tool_call", ${handler});`;
    place.write({ "extensions/killing.ts": code, "extensions/zero.ts": INNOCENT });
    expect(await reasonOf(place, "kill")).toContain("killing.ts");
    expect(await reasonOf(place, "no")).toBe("said no");
    expect(place.starts()).toBe(1);
  },
  60_000,
);
