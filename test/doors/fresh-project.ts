import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../docs/markdown-files.ts";

export interface Packed {
  /** The tarball as it would be published. */
  readonly tarball: Buffer;
  /** Its files, as npm lists them. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** A project in which it is installed, and in which nothing else is. */
  readonly project: string;
  remove(): void;
}

/** The packages that the installed one finds beside itself. */
const BESIDE = ["typebox", "@types/node", "undici-types"];

/** Packs what is built, and installs it in a new project without asking a registry. */
export async function freshProject(): Promise<Packed> {
  const project = mkdtempSync(join(tmpdir(), "seam-project-"));
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", project];
  const { stdout } = await promisify(execFile)("npm", pack, { cwd: ROOT, maxBuffer: 1e8 });
  const [packed] = JSON.parse(stdout) as { filename: string; files: Packed["files"] }[];
  if (!packed) throw new Error("npm packed nothing.");
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  const tarball = join(project, packed.filename);
  execFileSync("tar", ["-xzf", tarball, "-C", modules]);
  execFileSync("mv", [join(modules, "package"), join(modules, "agentseam")]);
  for (const name of BESIDE) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  return {
    tarball: readFileSync(tarball),
    files: packed.files,
    project,
    remove: () => rmSync(project, { recursive: true, force: true }),
  };
}

/** What the type checker says of some files of the project; empty if nothing is wrong. */
export function typeCheck(
  project: string,
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023"],
    types: ["node"],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  const config = { compilerOptions, files: Object.keys(files) };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return new Promise((done) => {
    // In one thread: each more looks at the libraries once more, and other tests run beside it.
    const all = [tsc, "-p", project, "--singleThreaded", ...args];
    execFile(process.execPath, all, { cwd: project }, (_, stdout) => done(stdout.trim()));
  });
}
