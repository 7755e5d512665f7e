import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunReport } from "../../../../src/crew/index.ts";
import type { AgentName } from "../../drive/agent.ts";
import type { IntentScript } from "../../drive/intents.ts";
import { scene } from "../../drive/launch.ts";
import { Stage } from "../../seam/test-kit/stage.ts";
import { roleFile } from "./feature.ts";
import { programsFor } from "./programs.ts";

/** A fresh machine with a project in which real agents work as a crew. */
export class CrewStage {
  readonly stage = new Stage();
  #env: NodeJS.ProcessEnv = {};

  constructor(project: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(project)) write(join(this.stage.cwd, path), text);
    this.stage.git("add", "--all");
    this.stage.git("commit", "--quiet", "--message=An app");
  }

  /** Seam's own agent with a model that says this. */
  embedded(name: string, turns: readonly object[]): string {
    const path = join(this.stage.root, `${name}.json`);
    write(path, JSON.stringify(turns));
    return `seam:scripted:${path}`;
  }

  role(name: string, access: "read" | "write", agent: string): void {
    write(join(this.stage.seamHome, `crew/agents/${name}.md`), roleFile(name, access, agent));
  }

  workflow(name: string, text: string): void {
    write(join(this.stage.seamHome, `crew/workflows/${name}.workflow.md`), text);
  }

  /** Real agents, each with a model that says this. */
  async agents(scripts: Partial<Record<AgentName, IntentScript["turns"]>>) {
    const names = Object.keys(scripts) as AgentName[];
    const scenes = [];
    for (const agent of names) {
      scenes.push(await scene({ ...this.stage, agent, prompt: "", script: scripts[agent] ?? [] }));
    }
    const found = Object.assign({}, ...scenes.map(({ env }) => env));
    const PATH = `${programsFor(this.stage.root, names)}:${scenes[0]?.env.PATH}`;
    this.#env = { ...found, ...this.stage.env, PATH };
    return scenes.map(({ play }) => play);
  }

  /** Not the stage's own: that one waits, and the models are in this process. */
  seam(...args: string[]): Promise<string> {
    const [program, ...rest] = this.stage.command;
    const options = { cwd: this.stage.cwd, env: this.#env };
    return new Promise((resolve, reject) => {
      execFile(program, [...rest, ...args], options, (error, stdout, stderr) =>
        error ? reject(new Error(`${stdout}${stderr}`)) : resolve(stdout),
      );
    });
  }

  async start(workflow: string, goal: string): Promise<string> {
    const flags = ["--detach", "--agree", "--json"];
    const started = await this.seam("crew", "run", workflow, goal, ...flags);
    return (JSON.parse(started) as { run: { id: string } }).run.id;
  }

  async reported(run: string, isSo: (report: RunReport) => boolean): Promise<RunReport> {
    for (;;) {
      const now: RunReport = JSON.parse(await this.seam("crew", "show", run, "--json"));
      if (isSo(now)) return now;
      if (now.run.endedAt !== undefined) throw new Error(`it ended: ${JSON.stringify(now.run)}`);
      await sleep(200);
    }
  }

  get daemon(): number {
    return Number(readFileSync(join(this.stage.seamHome, "run/pid"), "utf8").split(" ")[0]);
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
