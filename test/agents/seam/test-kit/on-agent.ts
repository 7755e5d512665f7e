import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Level } from "../../../../src/agents/index.ts";
import type { AgentName } from "../../drive/agent.ts";
import { AGENTS } from "../../drive/agents/index.ts";
import { whyNotRun } from "../../drive/installed.ts";
import type { Launch, Launched } from "../../drive/launch.ts";
import { modelSaw } from "../../model-server/saw.ts";
import { contentsOf, differences } from "./folders.ts";
import { Proofs } from "./proofs.ts";
import { skillEvent } from "./skill-event.ts";
import { type Seen, Stage } from "./stage.ts";
import { until } from "./until.ts";
import { CALL, KILLER, SKILL, SKILL_TEXT, workPrompt, workScript } from "./work.ts";

export interface Options {
  readonly level: Level;
  /** A file that `protected-paths` protects and the agent itself does not. */
  readonly secretFile?: string;
  /** A subagent is a session of its own. */
  readonly childSessions?: true;
  /** A script that starts the agent and talks to it. */
  readonly through?: string;
  /** What the agent is started without, or with something else, when it does its work. */
  readonly env?: Launch["env"];
  /** What only this agent can be brought to do. */
  readonly more?: (on: OnAgent) => void;
}

export interface OnAgent {
  readonly agent: AgentName;
  readonly stage: Stage;
  readonly proofs: Proofs;
  /** How the work went: the first session on this machine. */
  readonly work: () => Launched;
  readonly test: (name: string, run: () => Promise<void>) => void;
}

const WORK_MS = 240_000;
/** The daemon's own, and what git changes with every command. */
const HOME_EXCEPT = /^\.seam(\/|$)/;
const PROJECT_EXCEPT = /^\.git\/(?!hooks|config$|info)/;

/** All that Seam promises, on one real agent. */
export function seamOn(agent: AgentName, options: Options): void {
  const reason = whyNotRun(AGENTS[agent]);
  if (reason !== undefined) {
    it.skip(`Seam on ${agent} (not run: ${reason})`, () => {});
    return;
  }
  describe(`Seam on ${agent}`, () => {
    const { level, secretFile = ".env", through, env } = options;
    const proofs = new Proofs(agent);
    const stage = new Stage();
    let before: Snapshot;
    let enabled: Snapshot;
    let work: Launched;
    let seen: readonly Seen[];

    beforeAll(async () => {
      writeIn(stage.cwd, "keep/a.txt", "precious\n");
      writeIn(
        stage.cwd,
        KILLER,
        `kill -9 $(cut -d' ' -f1 ${stage.seamHome}/run/pid) && echo dead\n`,
      );
      writeIn(stage.cwd, AGENTS[agent].skillFile(SKILL), SKILL_TEXT);
      stage.use(
        "permission-gate",
        "protected-paths",
        "all-events",
        "tell",
        "change",
        "go-on",
        "die",
      );
      await stage.prepare(agent);
      before = snapshot(stage);
      stage.seam("enable", "--agent", agent, "--level", level, "--yes");
      enabled = snapshot(stage);
      // The first hook finds no daemon: every gate of this session is one of a fresh machine.
      expect(stage.daemonPid).toBeUndefined();
      work = await stage.launch({
        agent,
        prompt: workPrompt(agent, proofs),
        script: workScript(agent, secretFile, proofs),
        ...(through !== undefined && { through }),
        ...(env !== undefined && { env }),
      });
      await until(() => stage.seen().some((event) => isEndOf(event, work)));
      seen = stage.seen();
      stage.drop("tell", "go-on");
    }, WORK_MS);
    afterAll(() => stage.remove(), WORK_MS);

    /** What an agent cannot do is no test that was skipped. */
    const where = (claimed: boolean) => (name: string, run: () => void) => {
      if (claimed) it(name, run);
    };
    const results = () => modelSaw(work.requests).toolResults;
    const heard = () => JSON.stringify(work.requests.map((request) => request.heard));

    it("lets the agent do its work", () => {
      expect(work, work.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
      expect(readFileSync(join(stage.cwd, "note.txt"), "utf8")).toBe("fine\n");
      expect(stage.log()).not.toContain('"level":"error"');
    });

    it("stops rm -rf with the unchanged permission-gate, and the model is told why", () => {
      expect(readFileSync(join(stage.cwd, "keep/a.txt"), "utf8")).toBe("precious\n");
      expect(results()[CALL.remove]?.text).toContain("deletes whole folders.");
      // The agent's own dialog says no, or Seam does where there is none.
      const said = results()[CALL.remove]?.text ?? "";
      expect(said.includes("Nobody could be asked")).toBe(!proofs.claims("ask"));
      if (proofs.claims("ask")) proofs.proved("ask");
    });

    it("stops a write to a secret with the unchanged protected-paths, and the model is told why", () => {
      expect(existsSync(join(stage.cwd, secretFile))).toBe(false);
      expect(results()[CALL.secret]?.text).toContain("is protected. Leave it as it is.");
      proofs.proved("block");
    });

    it("goes on gating when its daemon is killed, and loses nothing", () => {
      expect(results()[CALL.killDaemon]?.text).toContain("dead");
      expect(results()[CALL.removeAgain]?.text).toContain("deletes whole folders.");
      // This one died over the question.
      expect(results()[CALL.dies]?.text).toContain("It was asked again.");
      const pids = stage.log().match(/the daemon runs: process \d+/g);
      expect(new Set(pids).size).toBe(3);
      const hooks = stage.journal();
      expect(hooks.map(({ seq }) => seq)).toEqual(hooks.map((_, index) => index + 1));
      expect(new Set(hooks.map(({ id }) => id)).size).toBe(hooks.length);
      // Every call of the model was heard; what was recorded is struck out of the journal.
      const text = JSON.stringify(seen.filter(({ type }) => type === "tool_call"));
      for (const words of ["rm -rf keep", secretFile, KILLER, "the-old-input", "note.txt"]) {
        expect(text).toContain(words);
      }
    });

    where(proofs.claims("rewrite_input"))("runs the command as an extension changed it", () => {
      expect(results()[CALL.oldInput]?.text).toContain("the-new-input");
      expect(results()[CALL.oldInput]?.text).not.toContain("the-old-input");
      proofs.proved("rewrite_input");
    });

    where(proofs.claims("replace_result"))("shows the model the result of an extension", () => {
      expect(results()[CALL.oldOutput]?.text).toContain("the-new-output");
      expect(results()[CALL.oldOutput]?.text).not.toContain("the-old-output");
      proofs.proved("replace_result");
    });

    where(proofs.claims("rewrite_prompt"))("shows the model the prompt of an extension", () => {
      const said = modelSaw(work.requests).userTexts.join("\n");
      expect(said).toContain("the-new-prompt");
      expect(said).not.toContain("the-old-prompt");
      proofs.proved("rewrite_prompt");
    });

    where(proofs.claims("continue"))("goes on when an extension wants it to", () => {
      expect(modelSaw(work.requests).everything).toContain("you-are-not-done");
      proofs.proved("continue");
    });

    where(proofs.claims("add_context"))("tells the model what extensions add", () => {
      const told = proofs
        .hooks("add_context")
        .filter((hook) => heard().includes(`context of (${hook})`));
      proofs.proved("add_context", told);
      expect(told).toEqual(proofs.hooks("add_context"));
    });

    where(proofs.claims("message"))("shows the user what extensions say", () => {
      const transcript = readFileSync(work.transcriptPath ?? "", "utf8");
      const shown = [work.stdout, work.stderr, transcript].join("\n");
      const hooks = proofs
        .hooks("message")
        .filter((hook) => shown.includes(`message of (${hook})`));
      proofs.proved("message", hooks);
      expect(hooks).toEqual(proofs.hooks("message"));
    });

    it("tells extensions of session, prompt, tools and stop, with the agent's own ids", () => {
      const types = seen.map(({ type }) => type);
      const wanted = ["session_start", "input", "agent_start", "agent_end", "session_shutdown"];
      expect(types).toEqual(expect.arrayContaining(wanted));
      const sessions = new Set(seen.map(({ sessionId }) => sessionId));
      expect([...sessions].slice(0, options.childSessions ? 1 : undefined)).toEqual([
        work.sessionId,
      ]);
      const own = seen
        .filter(({ sessionId }) => sessionId === work.sessionId)
        // Those of another session, and the one that was asked twice.
        .filter((event) => !says(event, "said-by-child") && !says(event, "dies-here"));
      const calls = own.filter(({ type }) => type === "tool_call");
      const ids = calls.map(({ toolCallId }) => toolCallId);
      expect(new Set(ids).size).toBe(ids.length);
      if (!calls.some(({ madeUpToolCallId }) => madeUpToolCallId)) {
        const native = results().map(({ callId }) => callId);
        expect(native).toEqual(expect.arrayContaining(ids));
      }
      const ended = own.filter(({ type }) => type === "tool_result");
      expect(ended.length).toBeGreaterThanOrEqual(5);
      expect(ids).toEqual(expect.arrayContaining(ended.map(({ toolCallId }) => toolCallId)));
    });

    where(AGENTS[agent].tools.subagent !== undefined)("tells extensions of a subagent", () => {
      const types = seen.map(({ type }) => type);
      expect(types.filter((type) => type === "subagent_start")).toHaveLength(1);
      expect(types.filter((type) => type === "subagent_end")).toHaveLength(1);
      const calls = seen.filter(({ type }) => type === "tool_call");
      expect(calls.filter(({ input }) => says(input, "said-by-child"))).toHaveLength(1);
    });

    where(proofs.fires("skill_invoked"))("tells extensions of a skill", () => {
      const skills = seen.filter(({ type }) => type === "skill_invoked");
      expect(skills.map(({ skillEvent }) => skillEvent)).toEqual([skillEvent(agent, results())]);
    });

    it("stops a prompt", async () => {
      const run = await stage.launch({
        agent,
        prompt: "stop-this-prompt",
        script: [{ text: "No." }],
      });
      expect(run.unplayed).toBe(1);
      expect(stage.seen().some(({ text }) => says(text, "stop-this-prompt"))).toBe(true);
      proofs.proved("block_prompt");
    });

    const test: OnAgent["test"] = (name, run) => it(name, run);
    options.more?.({ agent, stage, proofs, work: () => work, test });

    it("was proved to do all that the coverage table says", () => {
      const hooks = new Set(stage.seen().map(({ nativeHook }) => String(nativeHook)));
      proofs.proved(
        "arrives",
        proofs.hooks("arrives").filter((hook) => hooks.has(hook)),
      );
      // A person interrupts, and no extension of this stage: inbox.test.ts proves it on every agent.
      proofs.proved("interrupt");
      expect(proofs.found).toEqual(proofs.claimed);
    });

    it("has recorded all that it accepted", async () => {
      stage.stopDaemon();
      const last = stage.journal().at(-1)?.seq;
      // A hook of a plugin that was answered, and not recorded when the daemon was killed, may come again
      // for a while: one that is stopped in this time leaves it to the next.
      if (stage.recorded !== last) stage.seam("daemon", "start");
      expect(await until(() => stage.recorded === last)).toBe(true);
      stage.stopDaemon();
    });

    it("leaves no trace when it is disabled", () => {
      const ran = snapshot(stage);
      stage.seam("disable", "--agent", agent, "--level", level);
      stage.seam("disable", "--all", "--yes");
      const after = snapshot(stage);
      for (const part of ["home", "cwd"] as const) {
        const written = differences(before[part], enabled[part]);
        expect(
          written.filter((each) => differences(before[part], after[part]).includes(each)),
        ).toEqual([]);
        // What the agent itself wrote or changed while it ran stays as it is.
        const agents = differences(enabled[part], ran[part]);
        const left = differences(before[part], after[part]);
        expect(left.filter((each) => !agents.includes(each))).toEqual([]);
      }
    });
  });
}

type Snapshot = Record<"home" | "cwd", Map<string, string>>;

function snapshot({ home, cwd }: Stage): Snapshot {
  return { home: contentsOf(home, HOME_EXCEPT), cwd: contentsOf(cwd, PROJECT_EXCEPT) };
}

function isEndOf({ type, sessionId }: Seen, work: Launched): boolean {
  return type === "session_shutdown" && sessionId === work.sessionId;
}

function says(value: unknown, words: string): boolean {
  return (JSON.stringify(value) ?? "").includes(words);
}

function writeIn(folder: string, path: string, content: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
