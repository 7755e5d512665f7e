import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "../../errors/index.ts";

const run = promisify(execFile);

const COMMAND_DEADLINE_MS = 30_000;
/** A command may ask for a fingerprint or a password: not at every request. */
const COMMAND_FRESH_MS = 15 * 60_000;
/** What looks like the name of a variable is one, and not a key. */
const VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface KeySource {
  /** The value itself, `$VARIABLE`, the name of a variable, or `!command`. */
  readonly value: string;
  /** Commands are only run from the user's own file. */
  readonly mayRunCommands: boolean;
}

/** Finds out what a configured key or header really is. */
export class KeyValues {
  readonly #env: Environment;
  readonly #commands = new Map<string, { readonly at: number; readonly output: Promise<string> }>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Whether there will be a value, as far as can be said without running anything. */
  has({ value, mayRunCommands }: KeySource): boolean {
    if (value.startsWith("!")) return mayRunCommands;
    return this.#plain(value) !== undefined;
  }

  /** The variable a value is taken from. */
  variableOf({ value }: KeySource): string | undefined {
    const name = value.replace(/^\$/, "");
    return this.#env[name] ? name : undefined;
  }

  /** Throws with what is missing. */
  async read({ value, mayRunCommands }: KeySource): Promise<string> {
    if (value.startsWith("!")) {
      if (!mayRunCommands) throw new Error("commands are only run from the user's models.json");
      return this.#command(value.slice(1));
    }
    const plain = this.#plain(value);
    if (plain === undefined) throw new Error(`the variable ${value.replace("$", "")} is not set`);
    return plain;
  }

  /** A header may also be what it says. */
  async readHeader(source: KeySource): Promise<string> {
    if (source.value.startsWith("!") && source.mayRunCommands) return this.read(source);
    return this.#plain(source.value) ?? source.value;
  }

  #plain(value: string): string | undefined {
    if (value.startsWith("$")) return this.#env[value.slice(1)] || undefined;
    return this.#env[value] || (VARIABLE.test(value) ? undefined : value);
  }

  #command(command: string): Promise<string> {
    const known = this.#commands.get(command);
    if (known && Date.now() - known.at < COMMAND_FRESH_MS) return known.output;
    const output = outputOf(command);
    this.#commands.set(command, { at: Date.now(), output });
    output.catch(() => this.#commands.delete(command));
    return output;
  }
}

async function outputOf(command: string): Promise<string> {
  let stdout: string;
  try {
    ({ stdout } = await run("sh", ["-c", command], { timeout: COMMAND_DEADLINE_MS }));
  } catch (thrown) {
    // Never the output: it may hold half of a secret.
    const [line] = messageOf(thrown).split("\n");
    throw new Error(`the command for it failed: ${line}`, { cause: thrown });
  }
  const value = stdout.trim();
  if (!value) throw new Error(`the command for it printed nothing: ${command}`);
  return value;
}
