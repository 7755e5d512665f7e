import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const MAIN = join(import.meta.dirname, "../../dist/bin/seam.js");

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  json<T = unknown>(): T;
}

/** A project and a user's Seam folder of their own, and the built command run in them. */
export interface Place {
  readonly project: string;
  readonly home: string;
  /** Writes files below the project. */
  write(files: Readonly<Record<string, string>>): void;
  seam(...args: string[]): Promise<Ended>;
  /** The same with something on its standard input. */
  piped(input: string, ...args: string[]): Promise<Ended>;
  /** The same in a folder below the project, or any other that is named in full. */
  seamIn(folder: string): (...args: string[]) => Promise<Ended>;
  remove(): void;
}

export function newPlace(files: Readonly<Record<string, string>> = {}, name = "project"): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "seam-cli-")));
  const project = join(base, name);
  const home = join(base, "home");
  const write: Place["write"] = (more) => {
    for (const [name, text] of Object.entries(more)) {
      const path = join(project, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  };
  mkdirSync(project);
  // Without it a .git or .seam further up would make another folder the project.
  mkdirSync(join(project, ".seam"));
  mkdirSync(home);
  write(files);
  return {
    project,
    home,
    write,
    seam: (...args) => run(args, project, home),
    piped: (input, ...args) => run(args, project, home, input),
    seamIn:
      (folder) =>
      (...args) =>
        run(args, resolve(project, folder), home),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** A place that is gone after the test. */
export function place(files: Readonly<Record<string, string>> = {}): Place {
  const made = newPlace(files);
  onTestFinished(made.remove);
  return made;
}

function run(args: string[], cwd: string, home: string, input = ""): Promise<Ended> {
  // The variables of a test runner would change what node --test prints and does.
  const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: home, NO_COLOR: "1" };
  return new Promise((done) => {
    // Shorter than a test may take, so that what it printed is known; an installation can take minutes.
    const options = { cwd, env, timeout: 200_000 };
    const child = execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? -1) : 0;
      done({ code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T });
    });
    child.stdin?.end(input);
  });
}
