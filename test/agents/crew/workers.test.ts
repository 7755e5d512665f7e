import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { agentNamed } from "../../../src/agents/index.ts";
import { bubblewrap } from "../../../src/crew/containment/bubblewrap.ts";
import { readerSandbox } from "../../../src/crew/containment/reader-sandbox.ts";
import { sampled } from "../../setup/sample.ts";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { labelOf, whyNotRun } from "../drive/installed.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Worker } from "./test-kit/worker.ts";

const usage = { input: 900, cached: 100, output: 20 };
const NAMES = Object.keys(AGENTS) as AgentName[];
const SESSION = "11111111-2222-4333-8444-555555555555";

const hasWalls = (await bubblewrap(["--dev-bind", "/", "/"])) !== undefined;

/** Agents that ask their maker's server before they go on with a session. */
const RESUMES_ONLINE: readonly AgentName[] = ["factoryai-droid"];

/** Seam itself keeps them out and counts what they use, in the same way for all. */
const WALLED = sampled(NAMES, "claude-code", "codex");
const GOES_ON = sampled(NAMES, "claude-code", "codex", "gemini");
const READS = sampled(NAMES, "claude-code", "codex", "gemini", "pi");
const BUDGETED = sampled(NAMES, "claude-code", "codex");

describe.each(NAMES)("%s as a worker of a crew", (name) => {
  const worker = new Worker(name);
  const skip = whyNotRun(AGENTS[name]) !== undefined;
  afterAll(() => worker.remove());
  let session: string | undefined;

  it.skipIf(skip)(`does a task and goes on with it: ${labelOf(AGENTS[name])}`, async () => {
    const { end, events, play, spec } = await worker.work(
      [
        { text: "First.", toolCalls: [{ do: "shell", command: "printf %d 42" }], usage },
        { toolCalls: [{ do: "write", path: "note.txt", content: "hello\n" }], usage },
        { text: "All done.", usage },
      ],
      { session: SESSION },
    );
    expect(end).toEqual({ kind: "finished", text: "All done." });
    expect(play.unplayed).toBe(0);
    expect(readFileSync(join(spec.cwd, "note.txt"), "utf8")).toBe("hello\n");
    expect(modelSaw(play.requests).everything).toContain("writer of a crew");
    const heard = worker.heard(spec);
    expect(heard.filter(({ events: all }) => all.includes("tool_call"))).toHaveLength(2);
    session = events.flatMap((event) => (event.kind === "session" ? [event.session] : []))[0];
    expect(heard[0]?.session).toBe(session);
    expect(events.findLast(({ kind }) => kind === "use")).toMatchObject({
      use: { tokens: 3060, turns: 3 },
    });
  });

  it.skipIf(skip || RESUMES_ONLINE.includes(name) || !GOES_ON.includes(name))(
    "goes on with its session",
    async () => {
      const { end, play, events } = await worker.work([{ text: "Again done.", usage }], {
        prompt: "and now this",
        ...(session !== undefined && { resume: session }),
      });
      expect(end).toEqual({ kind: "finished", text: "Again done." });
      const saw = JSON.stringify(play.requests);
      expect(saw).toContain("please go");
      expect(saw).toContain("and now this");
      expect(events.findLast(({ kind }) => kind === "use")).toMatchObject({
        use: { tokens: 1020, turns: 1 },
      });
    },
  );

  it.skipIf(skip || !READS.includes(name))(
    "writes nothing by any tool where its role only reads",
    async () => {
      const { cwd } = worker;
      writeFileSync(join(cwd, "change.sh"), "echo it ran; echo x > by-program.txt\n");
      const { end, spec, play } = await worker.work(
        [
          { toolCalls: [{ do: "shell", command: "echo x > by-shell.txt" }], usage },
          { toolCalls: [{ do: "write", path: "by-tool.txt", content: "x\n" }], usage },
          { toolCalls: [{ do: "shell", command: "sh change.sh" }], usage },
          { toolCalls: [{ do: "shell", command: "cat README.md" }], usage },
          { text: "Looked.", usage },
        ],
        { access: "read" },
      );
      expect(end).toMatchObject({ kind: "finished" });
      expect(play.unplayed).toBe(0);
      expect(existsSync(join(spec.cwd, "by-shell.txt"))).toBe(false);
      expect(existsSync(join(spec.cwd, "by-tool.txt"))).toBe(false);
      expect(existsSync(join(spec.cwd, "by-program.txt"))).toBe(false);
      const results = modelSaw(play.requests).toolResults.map(({ text }) => text);
      expect(results[0]).toContain("only read");
      // A program runs where nothing can be written: in a sandbox of the agent's own or of Seam's.
      const isConfined =
        agentNamed(name)?.headless?.confinesReaders ?? (await readerSandbox([cwd]));
      expect(results.at(-2)).toContain(isConfined ? "it ran" : "only read");
      expect(results.at(-1)).toContain("# app");
    },
  );

  it.skipIf(skip || !hasWalls || !WALLED.includes(name))(
    "changes nothing of the user's by a script that it starts",
    async () => {
      const { cwd: checkout } = worker.place;
      const script = [
        "echo made > made.txt",
        "git add made.txt",
        "git -c user.name=A -c user.email=a@localhost commit --quiet --message made",
        `echo stray > ${join(checkout, "stray.txt")}`,
        "git branch --force stray",
        "true",
      ];
      writeFileSync(join(worker.cwd, "build.sh"), script.join("\n"));
      const { end, play } = await worker.work([
        { toolCalls: [{ do: "shell", command: "sh build.sh" }], usage },
        { text: "Built.", usage },
      ]);
      expect(end, modelSaw(play.requests).everything).toEqual({ kind: "finished", text: "Built." });
      const git = (...args: string[]) =>
        execFileSync("git", args, { cwd: checkout, encoding: "utf8" });
      expect(git("status", "--porcelain")).toBe("");
      expect(git("branch", "--list", "stray")).toBe("");
      expect(readFileSync(join(worker.cwd, "made.txt"), "utf8")).toBe("made\n");
    },
  );

  it.skipIf(skip || !BUDGETED.includes(name))(
    "is ended when it has used up its budget",
    async () => {
      const turn = { toolCalls: [{ do: "shell", command: "sleep 2" }], usage } as const;
      const { end, play } = await worker.work([...Array(12).fill(turn), { text: "No.", usage }], {
        budget: { tokens: 2500 },
      });
      expect(end).toMatchObject({ kind: "over-budget" });
      expect(play.unplayed).toBeGreaterThan(5);
    },
  );
});
