import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that is gone when the file's tests have ended, with all that is in the temporary one. */
export function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "seam-record-")));
}

/** A real repository with settings of nobody's. */
export class Project {
  readonly root: string;
  readonly home: string;

  constructor(options: { readonly empty?: boolean } = {}) {
    this.home = newFolder();
    this.root = newFolder();
    cpSync(this.#begun(options.empty === true), this.root, { recursive: true });
    // A copied folder is new, and young packs are looked at twice, by two processes.
    utimesSync(join(this.root, ".git/objects/pack"), 1, 1);
  }

  /** The repository that all begin with: git makes it once for a file of tests, the others are copies. */
  #begun(empty: boolean): string {
    const kept = join(tmpdir(), empty ? "empty-repository" : "repository");
    if (existsSync(kept)) return kept;
    const made = newFolder();
    const git = (...args: string[]) => this.in(made, ...args);
    git("init", "-q", "-b", "main");
    git("config", "user.name", "Test User");
    git("config", "user.email", "test@example.com");
    // After every commit it would start another git, which looks whether there is something to tidy.
    git("config", "maintenance.auto", "false");
    for (const name of readdirSync(join(made, ".git/hooks")))
      rmSync(join(made, ".git/hooks", name));
    if (!empty) {
      writeFileSync(join(made, "README.md"), "# A project\n");
      git("add", "-A");
      git("commit", "-q", "-m", "Start");
    }
    renameSync(made, kept);
    return kept;
  }

  get env(): NodeJS.ProcessEnv {
    const { PATH = "", TMPDIR } = process.env;
    return {
      PATH,
      ...(TMPDIR !== undefined && { TMPDIR }),
      HOME: this.home,
      SEAM_HOME: join(this.home, ".seam"),
      GIT_CONFIG_NOSYSTEM: "1",
    };
  }

  git(...args: string[]): string {
    return this.in(this.root, ...args);
  }

  in(cwd: string, ...args: string[]): string {
    const options = { cwd, env: this.env, encoding: "utf8" } as const;
    const { status, stdout, stderr, error } = spawnSync("git", args, options);
    if (status !== 0) throw error ?? new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trimEnd();
  }

  write(path: string, text: string | Buffer): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  }

  /** Commits everything. */
  commit(message: string): string {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
    return this.git("rev-parse", "HEAD");
  }

  /** Whether git finds nothing wrong with the repository. */
  isSound(): boolean {
    execFileSync("git", ["fsck", "--strict", "--no-dangling"], {
      cwd: this.root,
      env: this.env,
      stdio: "pipe",
    });
    return true;
  }
}
