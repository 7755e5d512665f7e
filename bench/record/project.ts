import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A repository for measuring, with settings of nobody's. */
export class BenchProject {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(folder: string, name: string) {
    const { PATH } = process.env;
    const home = join(folder, "home");
    const root = join(folder, name);
    for (const dir of [home, root]) mkdirSync(dir, { recursive: true });
    this.root = realpathSync(root);
    this.env = { PATH, HOME: home, SEAM_HOME: join(home, ".seam"), GIT_CONFIG_NOSYSTEM: "1" };
    this.git("init", "-q", "-b", "main");
    this.git("config", "user.name", "Test User");
    this.git("config", "user.email", "test@example.com");
    this.git("config", "gc.auto", "0");
  }

  git(...args: string[]): string {
    const options = { cwd: this.root, env: this.env, encoding: "utf8" } as const;
    return execFileSync("git", args, { ...options, stdio: ["ignore", "pipe", "pipe"] }).trim();
  }

  write(path: string, text: string): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }

  /** Milliseconds a program takes. */
  time(program: string, ...args: string[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const options = { cwd: this.root, env: this.env } as const;
      const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
      child.once("error", reject);
      child.once("exit", (code) => {
        if (code === 0) resolve(performance.now() - startedAt);
        else reject(new Error(`${program} ${args.join(" ")} ended with ${code}`));
      });
    });
  }
}

/** Files in folders of fifty, as in a large project. */
export function fill(project: BenchProject, files: number): void {
  for (let i = 0; i < files; i++) project.write(pathOf(i), `export const n${i} = ${i};\n`);
  project.git("add", "-A");
  project.git("commit", "-q", "-m", "Many files");
}

export function pathOf(index: number): string {
  return `packages/p${index % 20}/src/d${Math.floor(index / 1000)}/f${index}.ts`;
}
