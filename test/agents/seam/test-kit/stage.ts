import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { daemonPaths, stopDaemon } from "../../../../src/daemon/index.ts";
import { EVENT_NAMES } from "../../../../src/events/index.ts";
import type { Agent, AgentName } from "../../drive/agent.ts";
import { type Launch, type Launched, launch, prepareHome } from "../../drive/launch.ts";
import { type NewPlace, newPlace } from "../../drive/place.ts";
import { type Json, parse, record } from "../../model-server/json.ts";
import { whole } from "./whole.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
/** The command line under test. */
const CLI = process.env.SEAM_CLI ?? join(ROOT, "dist/bin/seam.js");

/** Extensions as they ship, and those of these tests. */
const SHIPPED = ["permission-gate", "protected-paths"] as const;
const OWN = ["all-events", "tell", "change", "go-on", "cancel", "die"] as const;
export type ExtensionName = (typeof SHIPPED)[number] | (typeof OWN)[number];

/** An event as the extension `all-events` wrote it down. */
export type Seen = Readonly<Record<string, unknown>> & { readonly type: string };

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A fresh machine: nobody's home, a project, no daemon, and the command line to begin with. */
export class Stage implements NewPlace {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly seamHome: string;
  readonly #place: NewPlace;
  readonly #release: Agent | undefined;

  /** `release`: of the agent that this stage is for, if it is not the one that all tests run on. */
  constructor(release?: Agent) {
    this.#release = release;
    this.#place = newPlace();
    this.root = this.#place.root;
    this.home = this.#place.home;
    this.cwd = this.#place.cwd;
    this.seamHome = join(this.home, ".seam");
    mkdirSync(join(this.seamHome, "extensions"), { recursive: true });
    writeFileSync(join(this.seamHome, "event-names.json"), JSON.stringify(EVENT_NAMES));
  }

  /** Node, and the command line under test. */
  readonly command = [process.execPath, CLI] as const;

  /** What the user's own shell has. */
  get env(): NodeJS.ProcessEnv {
    const { PATH, TZ } = process.env;
    return { PATH, TZ, HOME: this.home, SEAM_HOME: this.seamHome, GIT_CONFIG_NOSYSTEM: "1" };
  }

  /** What the agent needs to find its model, as if the user had set it up. */
  async prepare(...agents: readonly AgentName[]): Promise<void> {
    for (const agent of agents) await prepareHome(agent, this);
  }

  /** Seam's answer, whatever it is. */
  ask(...args: readonly string[]): Ended {
    return this.run(...this.command, ...args);
  }

  /** What Seam prints. It must succeed. */
  seam(...args: readonly string[]): string {
    return succeeded(`seam ${args.join(" ")}`, this.ask(...args));
  }

  git(...args: readonly string[]): string {
    return succeeded(`git ${args.join(" ")}`, this.run("git", ...args)).trim();
  }

  run(command: string, ...args: readonly string[]): Ended {
    return this.runIn(this.cwd, command, ...args);
  }

  runIn(cwd: string, command: string, ...args: readonly string[]): Ended {
    const { env } = this;
    try {
      const options = { cwd, env, encoding: "utf8", stdio: "pipe" } as const;
      return { code: 0, stdout: execFileSync(command, args, options), stderr: "" };
    } catch (thrown) {
      const { status, stdout = "", stderr = "" } = record(thrown);
      if (typeof status !== "number") throw thrown;
      return { code: status, stdout: String(stdout), stderr: String(stderr) };
    }
  }

  /** One prompt of the agent to its end; in the project, or in another folder. */
  launch({
    cwd = this.cwd,
    ...options
  }: Omit<Launch, "root" | "home" | "cwd"> & { readonly cwd?: string }): Promise<Launched> {
    const { root, home, seamHome } = this;
    const { TZ } = process.env;
    const env = { SEAM_HOME: seamHome, GIT_CONFIG_NOSYSTEM: "1", TZ, ...options.env };
    const release = this.#release?.name === options.agent ? { release: this.#release } : {};
    return launch({ ...release, ...options, root, home, cwd, env });
  }

  use(...names: readonly ExtensionName[]): void {
    for (const name of names) {
      const own = fileURLToPath(new URL(`extensions/${name}.ts`, import.meta.url));
      const from = existsSync(own) ? own : join(ROOT, "extensions", `${name}.ts`);
      copyFileSync(from, this.#extension(name));
    }
  }

  drop(...names: readonly ExtensionName[]): void {
    for (const name of names) rmSync(this.#extension(name), { force: true });
  }

  /** All events so far. */
  seen(): Seen[] {
    const file = join(this.seamHome, "seen.jsonl");
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return whole(text).map((line) => record(parse(line)) as Seen);
  }

  /** Every hook that the daemon accepted. */
  journal(): Json[] {
    const folder = join(this.seamHome, "run/journal");
    const files = readdirSync(folder).sort();
    const lines = files.flatMap((file) => whole(readFileSync(join(folder, file), "utf8")));
    return lines.map((line) => record(parse(line)));
  }

  /** The number of the last hook that was recorded. */
  get recorded(): number {
    return Number(readFileSync(join(this.seamHome, "run/cursor"), "utf8"));
  }

  /** The process of the daemon, if there is one. */
  get daemonPid(): number | undefined {
    const { pid } = record(parse(this.ask("daemon", "status", "--json").stdout));
    return typeof pid === "number" ? pid : undefined;
  }

  log(): string {
    const file = join(this.seamHome, "run/daemon.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  stopDaemon(): void {
    this.ask("daemon", "stop");
  }

  /** Asks the daemon from this process: a command would take longer to start than to ask. */
  async remove(): Promise<void> {
    await stopDaemon(daemonPaths(this.seamHome)).catch(() => {});
    this.#place.remove();
  }

  #extension(name: ExtensionName): string {
    return join(this.seamHome, "extensions", `${name}.ts`);
  }
}

function succeeded(what: string, { code, stdout, stderr }: Ended): string {
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}
