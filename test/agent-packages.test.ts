import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Place, place } from "./cli/seam.ts";
import { inFull } from "./setup/sample.ts";

/** An agent that leaves a file behind when it is loaded. */
const agent = (name: string, proof: string) => `
import { appendFileSync } from "node:fs";
import { chunkJsonl, reassembleJsonl } from "agentseam/agents";
appendFileSync(${JSON.stringify(proof)}, "loaded\\n");
export default {
  name: ${JSON.stringify(name)},
  type: "Agent of ${name}",
  description: "made for a test",
  preview: true,
  protectedDirs: [],
  program: { command: ${JSON.stringify(name)}, versionArgs: ["--version"] },
  detect: () => ({ configured: true }),
  transcript: {
    unit: "line",
    read: async () => Buffer.alloc(0),
    recognise: () => false,
    chunk: chunkJsonl,
    reassemble: reassembleJsonl,
    lines: { usageMarks: [], parse: () => [] },
  },
  sessions: {
    dir: () => "/",
    file: () => undefined,
    read: async () => undefined,
    write: async () => ({ ref: "", written: false }),
    truncate: () => undefined,
    resumeCommand: () => [],
  },
  hooks: {
    mapping: { Prompt: { events: ["agent_start"], powers: [] } },
    read: (hook, payload) => ({ sessionId: String(payload.session), prompt: "hi" }),
    nativeInput: () => undefined,
    canAsk: () => false,
    answer: () => ({ stdout: "", exitCode: 0 }),
    installer: {
      levels: [],
      files: () => [],
      install: () => [],
      uninstall: () => [],
      health: () => "none",
      examine: async () => [],
    },
  },
};
`;

function putPackage(folder: string, name: string, proof: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version: "1.0.0", type: "module", seam: { agents: ["./agent.js"] } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "agent.js"), agent(name, proof));
}

const names = async (here: Place) => {
  const { stdout } = await here.seam("agents", "--json");
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
};

inFull(
  "an agent of a package that the user's settings name is known to the command line",
  async () => {
    const here = place();
    const proof = join(dirname(here.home), "proof");
    putPackage(join(here.home, "node_modules/robot"), "robot", proof);
    writeFileSync(join(here.home, "settings.json"), '{ "agents": ["robot", "missing-one"] }');
    expect(await names(here)).toContain("robot");
    expect((await here.seam("agents")).stderr).toContain("missing-one");
    writeFileSync(join(here.home, "node_modules/robot/agent.js"), "export default { name: 1 };");
    const broken = await here.seam("agents");
    expect(broken.code).toBe(0);
    expect(broken.stderr).toContain("is not an agent");
  },
  60_000,
);

it("an agent that a project's settings name runs only after the user trusted it, as it was then", async () => {
  const here = place();
  const proof = join(dirname(here.home), "proof");
  const folder = join(here.project, "node_modules/robot");
  putPackage(folder, "robot", proof);
  here.write({ ".seam/settings.json": '{ "agents": ["robot"] }' });
  onTestFinished(async () => void (await here.seam("daemon", "stop")));
  await here.seam("daemon", "start");
  const tell = async () => {
    const port = readFileSync(join(here.home, "run/port"), "utf8").trim();
    const token = readFileSync(join(here.home, "run/token"), "utf8");
    const url = `http://127.0.0.1:${port}/v1/hook?agent=robot&hook=Prompt`;
    const body = JSON.stringify({ session: "s1", cwd: here.project });
    await fetch(url, { method: "POST", headers: { "x-seam-token": token }, body });
    const { stdout } = await here.seam("daemon", "status", "--json");
    return (JSON.parse(stdout) as { sessions: number }).sessions;
  };
  expect(await names(here)).not.toContain("robot");
  expect(await tell()).toBe(0);
  expect(existsSync(proof)).toBe(false);

  expect((await here.seam("trust", "--yes")).code).toBe(0);
  expect(await names(here)).toContain("robot");
  expect(await tell()).toBe(1);
  expect(existsSync(proof)).toBe(true);

  // What was changed since is not what the user agreed to: the copy runs on.
  const other = join(dirname(here.home), "other");
  putPackage(folder, "robot", other);
  expect(await names(here)).toContain("robot");
  expect(existsSync(other)).toBe(false);
}, 120_000);

inFull(
  "an agent whose user puts Seam's command into its settings needs no installer; one with half of its hooks is named",
  async () => {
    const here = place();
    onTestFinished(async () => void (await here.seam("daemon", "stop")));
    const folder = join(here.home, "node_modules/robot");
    const proof = join(here.home, "proof");
    putPackage(folder, "robot", proof);
    const file = join(folder, "agent.js");
    const whole = readFileSync(file, "utf8");
    writeFileSync(join(here.home, "settings.json"), '{ "agents": ["robot"] }');
    writeFileSync(file, whole.replace(/ {4}installer: \{[\s\S]*?\n {4}\},\n/, ""));
    const enabled = async () => (await here.seam("enable", "--yes")).stderr;
    expect(await enabled()).not.toContain("Cannot read");
    expect((await here.seam("status")).code).toBe(0);
    expect((await here.seam("doctor")).stdout).not.toContain("undefined");

    writeFileSync(file, whole.replace("canAsk: () => false,", ""));
    expect((await here.seam("agents")).stderr).toContain("its hooks have no canAsk");
    expect(await enabled()).not.toContain("Cannot read");
  },
  60_000,
);
