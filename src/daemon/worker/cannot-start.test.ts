import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { sampled } from "../../../test/setup/sample.ts";
import { builtFile } from "../../settings/index.ts";
import { ask, daemonStatus } from "../connection.ts";
import { testFolder } from "../test-kit/folder.ts";
import { packageCopy } from "../test-kit/package-copy.ts";
import { type ProcessPlace, processPlace } from "../test-kit/processes.ts";
import { runHook, until } from "../test-kit/setup.ts";

const GATE = `export default (pi) => pi.on("tool_call", () => ({ block: true, reason: "asked" }));`;
const CRITICAL = `export const critical = true;\n${GATE}`;

function payload(place: ProcessPlace, session: string, hook = "PreToolUse") {
  return {
    session_id: session,
    cwd: place.project,
    hook_event_name: hook,
    prompt: "x",
    tool_name: "Bash",
    tool_use_id: session,
    tool_input: { command: "ls" },
  };
}

const hook = (place: ProcessPlace, session: string, name = "PreToolUse") =>
  runHook(place, name, payload(place, session, name), { agent: "claude-code", keeps: true });

/** The same, straight at the daemon. */
async function rung(place: ProcessPlace, session: string): Promise<string> {
  const body = JSON.stringify(payload(place, session));
  const path = "/v1/hook?agent=claude-code&hook=PreToolUse";
  const response = await ask(place, "POST", path, { body });
  let text = "";
  for await (const part of response as AsyncIterable<Buffer>) text += part.toString("utf8");
  return text;
}

it("a daemon whose package was replaced lets the next hook start the new one, and the gate holds", async () => {
  const { built, replace } = packageCopy();
  const place = processPlace({ built });
  place.write({ "extensions/gate.ts": CRITICAL });
  expect((await hook(place, "a")).stdout).toContain("asked");
  const first = place.runs();
  replace();
  expect((await hook(place, "b")).stdout).toContain("asked");
  expect(place.runs()).not.toBe(first);
  expect(place.logged()).toContain("the daemon ends: Seam was replaced by another version");
  await until(() => place.recorded().length === 2);
}, 90_000);

it("a daemon whose package was replaced while something in it is at work starts the new one itself, once it has ended", async () => {
  const { built, replace } = packageCopy();
  const place = processPlace({ built, isBusy: true });
  await hook(place, "a");
  const first = place.runs();
  replace();
  // No hook comes, and no command.
  await until(() => place.starts() === 2);
  expect(place.runs()).not.toBe(first);
  const told = place
    .logged()
    .split("\n")
    .filter((line) => /the daemon (runs|ends)/.test(line));
  expect(told.map((line) => /the daemon (runs|ends)/.exec(line)?.[1])).toEqual([
    "runs",
    "ends",
    "runs",
  ]);
}, 90_000);

it.each([
  ["critical", CRITICAL],
  ["ordinary", GATE],
])(
  "while a thread cannot be started a %s gate does what was asked of it, and all are told",
  async (kind, code) => {
    const { root, built } = packageCopy();
    const place = processPlace({ built });
    // The daemon runs, and has no thread yet.
    await hook(place, "a", "Stop");
    place.write({ "extensions/gate.ts": code });
    renameSync(join(root, "dist"), join(root, "away"));
    for (const session of ["b", "b", "c"]) {
      const text = await rung(place, session);
      if (kind === "critical") {
        expect(text).toContain("deny");
        expect(text).toContain("Seam cannot run the extensions of this session");
        expect(text).toContain("seam doctor");
      } else expect(text).not.toContain("deny");
    }
    const status = await daemonStatus(place);
    expect(status?.troubles).toEqual([expect.stringContaining("cannot run the extensions")]);
    expect(place.logged()).toContain("the extensions of claude-code b cannot run");
    renameSync(join(root, "away"), join(root, "dist"));
    // Tried again soon, and the user is told that it was so and is over.
    while (!(await rung(place, "b")).includes("asked")) await sleep(200);
    expect((await daemonStatus(place))?.troubles.length).toBeLessThanOrEqual(1);
    expect(await rung(place, "c")).toContain("asked");
    expect((await daemonStatus(place))?.troubles).toEqual([]);
  },
  90_000,
);

it("settings that no parser can hold leave the user's gate closed, there and right after elsewhere", async () => {
  const place = processPlace();
  place.write({ "extensions/gate.ts": GATE });
  const deep = `{"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  writeFileSync(join(place.project, ".seam/settings.json"), deep);
  expect((await hook(place, "a")).stdout).toContain("asked");
  expect((await hook({ ...place, project: testFolder() }, "b")).stdout).toContain("asked");
  expect((await daemonStatus(place))?.troubles).toEqual([]);
  expect(place.logged()).toContain("brackets are open at once");
}, 60_000);

/** A daemon that may open only so many files. */
async function daemonWith(place: ProcessPlace, limit: number): Promise<void> {
  const script = builtFile("bin/seam.js");
  const command = `ulimit -n ${limit}; exec "$0" "$1" daemon serve`;
  const child = spawn("sh", ["-c", command, process.execPath, script], {
    env: { ...process.env, SEAM_HOME: place.home },
    stdio: "ignore",
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await until(() => existsSync(place.socket) && existsSync(place.port), 20_000);
}

it("where no file can be opened any more a critical gate is closed in folders that nobody has looked at", async () => {
  const place = processPlace();
  place.write({
    "extensions/gate.ts": "export const critical = true;\nexport default () => {};",
    "extensions/hog.ts": `import { openSync } from "node:fs";
      const take = () => { try { for (;;) openSync("/dev/null"); } catch {} };
      export default (pi) => pi.on("tool_call", ({ toolCallId }) => {
        if (toolCallId !== "hog") return;
        take();
        setInterval(take, 1);
      });`,
  });
  await daemonWith(place, 64);
  // Nobody could connect later.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const path = "/v1/hook?agent=claude-code&hook=PreToolUse";
  const headers = { "x-seam-token": readFileSync(place.token, "utf8") };
  const said = async (session: string, project = place.project) => {
    const options = { agent, socketPath: place.socket, method: "POST", path, headers };
    const asked = request(options).end(JSON.stringify(payload({ ...place, project }, session)));
    const [response]: IncomingMessage[] = await once(asked, "response");
    return response ? text(response) : "";
  };
  expect(await said("before")).not.toContain("deny");
  for (const session of ["hog", "before", "before"]) {
    expect(await said(session)).not.toContain("deny");
  }
  expect(await said("after", testFolder())).toContain("deny");
}, 60_000);

it.each(sampled([64, 48], 48))(
  "with %i descriptors a critical gate holds for every session",
  async (limit) => {
    const place = processPlace();
    place.write({ "extensions/gate.ts": CRITICAL });
    await daemonWith(place, limit);
    for (let n = 0; n < 30; n++) expect(await rung(place, `s${n}`)).toContain("deny");
    // More at once than there are connections: a client that finds none rings again.
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => hook(place, `s${n}`)));
    for (const { stdout } of answers) expect(stdout).toContain("deny");
    expect(answers.some(({ stdout }) => stdout.includes("asked"))).toBe(true);
    expect(readFileSync(place.log, "utf8")).not.toContain("EMFILE");
  },
  90_000,
);
