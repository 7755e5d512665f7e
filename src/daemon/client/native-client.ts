import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { builtFile } from "../../settings/index.ts";

/**
 * Where compilers are looked for. Not on the PATH: in a project it may name folders that the project
 * itself has filled.
 */
const COMPILER_FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/bin"];
const COMPILERS = ["cc", "gcc", "clang"];
/**
 * A program that needs no library starts fastest, and faster still if it begins before the library
 * does; not every system can make one.
 */
const EARLY = ["-DSEAM_EARLY", "-fno-stack-protector", "-Wl,-e,seam_early"];
const HAS_EARLY = process.platform === "linux" && process.arch === "x64";
const KINDS = [...(HAS_EARLY ? [["-static", ...EARLY]] : []), ["-static"], []];
const COMPILE_MS = 60_000;
const TRY_MS = 20_000;

/** The compiled client, or why there is none. */
export type NativeClient = { readonly program: Buffer } | { readonly missing: string };

const clientFolder = () => builtFile("client");

const sources = () =>
  readdirSync(join(clientFolder(), "native"))
    .filter((name) => /\.[ch]$/.test(name))
    .sort();

/** What a compiled client was made from. */
export function sourceDigest(): string {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  for (const name of sources()) {
    hash.update(`${name}\n`).update(readFileSync(join(clientFolder(), "native", name)));
  }
  return hash.digest("hex");
}

/**
 * Compiles the client and tries it: it is used only if it does what the shell client does. Kept in
 * the package for the next time, where the package can be written to. `folder` is the user's own.
 */
export function nativeClient(folder: string): NativeClient {
  const kept = join(clientFolder(), "compiled", sourceDigest());
  if (existsSync(kept) && runs(kept)) return { program: readFileSync(kept) };
  const compiler = findCompiler();
  if (compiler === undefined) return { missing: "there is no C compiler" };
  const made = join(folder, `hook.${process.pid}.new`);
  try {
    let missing = "";
    for (const kind of KINDS) {
      missing = compile(compiler, made, kind) ?? tried(made) ?? "";
      if (missing !== "") continue;
      const program = readFileSync(made);
      keep(kept, program);
      return { program };
    }
    return { missing };
  } finally {
    rmSync(made, { force: true });
  }
}

function findCompiler(): string | undefined {
  // Without its developer tools macOS would ask the user to install them.
  if (process.platform === "darwin" && spawnSync("/usr/bin/xcode-select", ["-p"]).status !== 0) {
    return undefined;
  }
  return COMPILER_FOLDERS.flatMap((folder) => COMPILERS.map((name) => join(folder, name))).find(
    (path) => existsSync(path),
  );
}

/** Undefined if it worked. */
function compile(compiler: string, to: string, kind: readonly string[]): string | undefined {
  const files = sources().filter((name) => name.endsWith(".c"));
  const args = ["-O2", "-w", ...kind, "-o", to, ...files];
  const { status, error, stderr } = spawnSync(compiler, args, {
    cwd: join(clientFolder(), "native"),
    // The compiler's own helpers are found on the PATH.
    env: { PATH: COMPILER_FOLDERS.join(":"), LC_ALL: "C" },
    encoding: "utf8",
    timeout: COMPILE_MS,
  });
  if (status === 0) return undefined;
  const [line = ""] = (error?.message ?? stderr).split("\n");
  return `${compiler} ended with ${status}: ${line}`;
}

function tried(program: string): string | undefined {
  const args = [join(clientFolder(), "try-client.cjs"), program];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: TRY_MS });
  return stdout === "ok" ? undefined : `the compiled client failed when it was tried: ${stdout}`;
}

/** The client was tried when it was made; this look is for a package from another machine. */
function runs(program: string): boolean {
  return spawnSync(program, []).status === 0;
}

function keep(path: string, program: Buffer): void {
  try {
    mkdirSync(join(path, ".."), { recursive: true });
    replaceFile(path, program, { mode: 0o755 });
  } catch {
    // The user may not write to the package.
  }
}
