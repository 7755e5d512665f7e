import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AttemptEnd } from "../../../../src/crew/model/run.ts";
import type { AttemptSpec } from "../../../../src/crew/workers/attempt-spec.ts";
import type { AttemptEvent } from "../../../../src/crew/workers/process-watch.ts";
import { startAttempt } from "../../../../src/crew/workers/start-attempt.ts";
import { watchAttempt } from "../../../../src/crew/workers/watch-attempt.ts";
import { daemonPaths, ensureClient, stopDaemon } from "../../../../src/daemon/index.ts";
import type { AgentName } from "../../drive/agent.ts";
import type { IntentScript } from "../../drive/intents.ts";
import { scene } from "../../drive/launch.ts";
import { type NewPlace, newPlace } from "../../drive/place.ts";
import { programsFor } from "./programs.ts";

/** The daemon that the first hook starts. */
const CLI =
  process.env.SEAM_CLI ?? fileURLToPath(new URL("../../../../dist/bin/seam.js", import.meta.url));

export interface Worked {
  readonly end: AttemptEnd;
  readonly events: readonly AttemptEvent[];
  readonly play: Awaited<ReturnType<typeof scene>>["play"];
  readonly spec: AttemptSpec;
}

/** The model that an agent is told to use where its configuration does not say one. */
const MODELS: Readonly<Partial<Record<AgentName, string>>> = {
  pi: "mock/mock-model",
  gemini: "gemini-2.5-flash",
  "factoryai-droid": "custom:mock-0",
};

/** One machine with one agent on it, which does attempts of a crew. */
export class Worker {
  readonly place: NewPlace = newPlace();
  readonly agent: AgentName;
  readonly seamHome: string;
  /** A worktree of the place's project, as crews have them. */
  readonly cwd: string;
  readonly #bin: string;
  #attempts = 0;

  constructor(agent: AgentName) {
    this.agent = agent;
    this.seamHome = join(this.place.home, ".seam");
    this.#bin = programsFor(this.place.root, [agent]);
    this.cwd = join(this.place.root, "slots", "1");
    const git = (...args: string[]) => execFileSync("git", args, { cwd: this.place.cwd });
    git("worktree", "add", "--quiet", "-b", `seam/tasks/run/${agent}`, this.cwd);
  }

  async work(
    script: IntentScript["turns"],
    more: Partial<AttemptSpec> = {},
    during?: (spec: AttemptSpec, event: AttemptEvent) => void,
  ): Promise<Worked> {
    const { place, agent, seamHome, cwd } = this;
    ensureClient(seamHome, { native: false, seam: CLI });
    const number = ++this.#attempts;
    const { env, play } = await scene({ ...place, cwd, agent, prompt: "", script });
    const model = MODELS[agent];
    const spec: AttemptSpec = {
      id: `run.${agent}.${place.root.slice(-6)}.${number}`,
      agent,
      prompt: "please go",
      instructions: "You are the writer of a crew.",
      cwd,
      env: { ...env, PATH: `${this.#bin}:${env.PATH ?? ""}` },
      access: "write",
      allowCommands: [],
      mayPush: false,
      budget: {},
      stallMinutes: 3,
      folder: join(place.root, "attempts", String(number)),
      home: seamHome,
      ...(model !== undefined && { model }),
      ...more,
    };
    const events: AttemptEvent[] = [];
    await startAttempt(spec);
    const end = await watchAttempt(spec, {
      signal: new AbortController().signal,
      onEvent: (event) => {
        events.push(event);
        during?.(spec, event);
      },
    });
    return { end, events, play, spec };
  }

  /** What the daemon noted of the attempt's hooks. */
  heard({ folder }: AttemptSpec): { session: string; events: string[]; blocked?: string }[] {
    const lines = readFileSync(join(folder, "heard.jsonl"), "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line));
  }

  async remove(): Promise<void> {
    await stopDaemon(daemonPaths(this.seamHome)).catch(() => {});
    this.place.remove();
  }
}
