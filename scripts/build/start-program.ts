// With this every program of a build begins. V8 compiles more than a megabyte for a command that
// prints ten lines, which takes longer than all else it does; so what it compiled is kept beside the
// programs and used at the next start. Whoever may write there may change the programs themselves.
// Where nobody may, everything is compiled at every start.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

type Require = (name: string) => unknown;
/** What a file of a build becomes: as Node wraps CommonJS, and with what `import.meta.url` says. */
type Wrapped = (
  exports: object,
  require: Require,
  module: { exports: object },
  url: string,
) => void;

const CODE = join(__dirname, "code");
/** Another V8, or one with other flags, does not understand what this one compiled. */
const COMPILED = join(__dirname, "compiled", cachedDataVersionTag().toString(16));

/** By then a program has run what it runs at every start, and that is compiled. */
const STARTED_MS = 2_000;

const installed = createRequire(__filename);
const loaded = new Map<string, { exports: object }>();
const notKept = new Map<string, Script>();

/** Runs a file of the build, which is named after its content: of one name there is one text. */
export function start(name: string): object {
  const before = loaded.get(name);
  if (before) return before.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const file = join(CODE, name);
  const require: Require = (other) =>
    other.startsWith("./") ? start(other.slice(2)) : installed(other);
  const run = compile(name, file).runInThisContext() as Wrapped;
  run.call(undefined, module.exports, require, module, pathToFileURL(file).href);
  return module.exports;
}

function compile(name: string, file: string): Script {
  const text = `(function (exports, require, module, moduleUrl) {${readFileSync(file, "utf8")}\n})`;
  const cachedData = compiledBefore(name);
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) });
  if (!cachedData || script.cachedDataRejected) notKept.set(name, script);
  return script;
}

function compiledBefore(name: string): Buffer | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    return readFileSync(join(COMPILED, name));
  } catch {
    return undefined;
  }
}

function keepCompiled(): void {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    if (notKept.size > 0) mkdirSync(COMPILED, { recursive: true });
    for (const [name, script] of notKept) keep(join(COMPILED, name), script);
  } catch {
    // Then the next start compiles it again.
  }
  notKept.clear();
}

function keep(file: string, script: Script): void {
  const draft = `${file}.${process.pid}`;
  try {
    // On the disk before it has its name: V8 trusts what it finds there.
    writeFileSync(draft, script.createCachedData(), { flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

process.once("exit", keepCompiled);
setTimeout(keepCompiled, STARTED_MS).unref();
