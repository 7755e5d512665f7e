import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { daemonPaths } from "../../../../src/daemon/index.ts";
import { startHook } from "../../../../src/daemon/test-kit/setup.ts";
import type { AgentName } from "../../drive/agent.ts";
import type { Launched } from "../../drive/launch.ts";
import { trustCodexHooks } from "../../drive/trust-codex-hooks.ts";
import { list, parse, record, text } from "../../model-server/json.ts";
import { modelSaw } from "../../model-server/saw.ts";
import { Stage } from "../test-kit/stage.ts";
import { until } from "../test-kit/until.ts";
import type { Fault, Kind, Outcome, Told } from "./fault.ts";

/** What the agent is told to write, and what the gate says no to. */
const FORBIDDEN = "forbidden.txt";
const REASON = "the-gate-said-no";
const SAY_NO = `return { block: true, reason: "${REASON}" };`;

/** What a user of the agent does once, so that it runs the hooks. */
const AGREES: Partial<Record<AgentName, (stage: Stage) => void>> = {
  codex: (stage) => void trustCodexHooks(stage, join(stage.home, ".codex/hooks.json")),
};

/** One machine with one agent and one gate, on which one thing is broken. */
export class Machine {
  readonly stage = new Stage();
  readonly #agent: AgentName;
  readonly #fault: Fault;
  readonly #kind: Kind;
  #run: Launched | undefined;

  constructor(agent: AgentName, fault: Fault, kind: Kind) {
    this.#agent = agent;
    this.#fault = fault;
    this.#kind = kind;
  }

  get runDir(): string {
    return join(this.stage.seamHome, "run");
  }

  /** The gate's file: in the user's folder, or in the project's. */
  get gate(): string {
    const { cwd, seamHome } = this.stage;
    const home = this.#fault.gate === "user" ? seamHome : join(cwd, ".seam");
    return join(home, "extensions/gate.ts");
  }

  get client(): string {
    return join(this.stage.seamHome, "bin/hook");
  }

  /** Everything as it should be: the gate is installed, the agent enabled, the daemon warm. */
  async setUp(): Promise<void> {
    const { stage } = this;
    const { handler = SAY_NO, settings } = this.#fault;
    if (settings) this.write(join(stage.seamHome, "settings.json"), JSON.stringify(settings));
    this.write(
      this.gate,
      `${this.#kind === "critical" ? "export const critical = true;\n" : ""}export default (pi) => {
  pi.on("tool_call", async (event) => {
    if (!JSON.stringify(event.input).includes("${FORBIDDEN}")) return;
    ${handler}
  });
};
`,
    );
    await stage.prepare(this.#agent);
    stage.seam("enable", "--agent", this.#agent, "--level", "user", "--yes");
    AGREES[this.#agent]?.(stage);
    if (this.#fault.gate === "project") stage.seam("trust", "--yes");
    stage.seam("daemon", "start");
    await this.#seeProject();
  }

  /** A session that begins and ends, so that the daemon has seen this project's extensions. */
  async #seeProject(): Promise<void> {
    const { cwd, home, seamHome } = this.stage;
    const place = { ...daemonPaths(seamHome), project: cwd };
    for (const hook of ["SessionStart", "SessionEnd"]) {
      const options = { agent: this.#agent, env: { HOME: home } };
      const { child, ended } = startHook(place, hook, options);
      child.stdin?.end(JSON.stringify({ session_id: "first", hook_event_name: hook, cwd }));
      expect(await ended).toMatchObject({ code: 0 });
    }
  }

  /** Something is broken, and the agent tries what the gate forbids. */
  async breakAndTry(): Promise<void> {
    const { arrange, breakLate, attempts = 1 } = this.#fault;
    const meanwhile = () => breakLate?.(this);
    for (let left = attempts; left > 0 && this.outcome !== "runs"; left--) {
      await arrange?.(this);
      const write = { do: "write" as const, path: FORBIDDEN, content: "done\n" };
      const script = [{ meanwhile, toolCalls: [write] }, { text: "I tried." }];
      this.#run = await this.#launch("Write it.", script, this.#fault.env?.(this));
    }
  }

  /** Waits for what Seam does by itself. */
  async until(isSo: () => boolean): Promise<void> {
    if (!(await until(isSo))) throw new Error("It did not come about.");
  }

  get outcome(): Outcome {
    if (existsSync(join(this.stage.cwd, FORBIDDEN))) return "runs";
    return this.#modelHeard.includes(REASON) ? "gate decides" : "blocked";
  }

  /** Who heard that something is wrong: of the gate's own no, nobody has to. */
  async told(): Promise<Told[]> {
    const logged = () => /"level":"(?:warn|error)"/.test(this.stage.log());
    await until(logged, this.#fault.told?.[this.#kind].includes("log") ? 10_000 : 500);
    return [
      ...(this.outcome === "blocked" && /Seam|gate/.test(this.#modelHeard)
        ? ["model" as const]
        : []),
      ...(logged() ? ["log" as const] : []),
      ...(this.#statusProblems > 0 ? ["status" as const] : []),
      ...(this.#doctorProblems > 0 ? ["doctor" as const] : []),
    ];
  }

  /** For a failure's message. */
  get account(): string {
    const { stderr = "", stdout = "" } = this.#run ?? {};
    return `${this.#modelHeard}\n${stderr}\n${stdout.slice(-2_000)}\n${this.stage.log()}`;
  }

  write(path: string, content: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true, recursive: true });
    writeFileSync(path, content, { mode });
  }

  /** The daemon's process, as its own file names it. */
  signalDaemon(signal: NodeJS.Signals): void {
    const [pid = ""] = readFileSync(join(this.runDir, "pid"), "utf8").split(" ");
    process.kill(Number(pid), signal);
  }

  /** A daemon that says nothing is given up after a second instead of ten. */
  impatientClient(): void {
    const options = join(this.runDir, "curl");
    const text = readFileSync(options, "utf8").replace(/^# silence = .*$/m, "# silence = 1");
    writeFileSync(options, text);
  }

  /** Starts the daemon again, with what a shell may take away from it first. */
  restartDaemon(shell: string): void {
    this.stage.stopDaemon();
    const [node, cli] = this.stage.command;
    execFileSync("sh", ["-c", `${shell}; "$0" "$1" daemon start`, node, cli], {
      env: this.stage.env,
      stdio: "pipe",
    });
  }

  async remove(): Promise<void> {
    this.#fault.undo?.(this);
    await this.stage.remove();
  }

  get #modelHeard(): string {
    const results = this.#run ? modelSaw(this.#run.requests).toolResults : [];
    return results.map((result) => result.text).join("\n");
  }

  get #statusProblems(): number {
    const said = record(parse(this.stage.ask("status", "--json").stdout));
    const daemon = record(said.daemon);
    const stopped = list(said.agents).filter((agent) => record(agent).runs !== true);
    const lists = ["notRunning", "problems", "missed", "alarms", "clientChanged"];
    const own = [daemon.troubles, daemon.clientRepairs, record(said.record).problems];
    return (
      [stopped, ...lists.map((key) => said[key]), ...own].flatMap(list).length +
      [said.trouble, daemon.silent].filter((each) => each !== undefined).length
    );
  }

  get #doctorProblems(): number {
    const { sections } = record(parse(this.stage.ask("doctor", "--json").stdout));
    return list(sections)
      .flatMap((section) => list(record(section).findings))
      .filter((finding) => text(record(finding).level) !== "info").length;
  }

  #launch(
    prompt: string,
    script: Parameters<Stage["launch"]>[0]["script"],
    env?: ReturnType<NonNullable<Fault["env"]>>,
  ): Promise<Launched> {
    const consent = { hooks: false };
    return this.stage.launch({ agent: this.#agent, prompt, script, consent, ...(env && { env }) });
  }
}
