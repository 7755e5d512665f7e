import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DIST } from "../built.ts";

const run = promisify(execFile);
const SEAM = fileURLToPath(new URL("bin/seam.js", DIST));

/** A repository, a home for Seam and its daemon that one benchmark has to itself. */
export class CrewScratch {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "seam-bench-crew-")));
  readonly home = join(this.root, "seam");
  readonly project = join(this.root, "project");
  readonly env = { ...plainEnvironment(), HOME: this.root, SEAM_HOME: this.home, NO_COLOR: "1" };

  constructor(settings: object = {}) {
    this.write("project/README.md", "# A project\n");
    this.write("seam/settings.json", JSON.stringify({ crew: { atOnce: 8, ...settings } }));
    const role = "---\nname: walker\ndescription: works\naccess: write\n---\n\nWork.\n";
    this.write("seam/crew/agents/walker.md", role);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "Bench");
    this.git("config", "user.email", "bench@localhost");
    this.commit("Start");
  }

  write(path: string, text: string): void {
    const whole = join(this.root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.project, encoding: "utf8", stdio: "pipe" });
  }

  commit(message: string): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
  }

  /** A script for the embedded agent's model. */
  script(name: string, turns: readonly object[]): string {
    this.write(`${name}.json`, JSON.stringify(turns));
    return `scripted:${join(this.root, `${name}.json`)}`;
  }

  workflow(name: string, head: string, tasks: readonly string[]): void {
    const text = `---\nname: ${name}\ndescription: bench\n${head}---\n\n${tasks.join("\n")}`;
    this.write(`seam/crew/workflows/${name}.workflow.md`, text);
  }

  async seam(...args: string[]): Promise<string> {
    const options = { cwd: this.project, env: this.env, maxBuffer: 256 * 1024 * 1024 };
    return (await run(process.execPath, [SEAM, ...args], options)).stdout;
  }

  /** The embedded agent by hand, as a crew starts it. */
  async agent(model: string, prompt: string, folder = this.project): Promise<void> {
    const child = run(
      process.execPath,
      [SEAM, "run", "-p", prompt, "--mode", "json", "--model", model],
      {
        cwd: folder,
        env: this.env,
        maxBuffer: 256 * 1024 * 1024,
      },
    );
    child.child.stdin?.end();
    await child;
  }

  async remove(): Promise<void> {
    await this.seam("daemon", "stop").catch(() => {});
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Further certificates take Node longer to read than all else it does at its start. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return env;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
