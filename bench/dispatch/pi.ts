/** The published Pi, driven through its own loader and runner. */
import { pathToFileURL } from "node:url";
import { PI_ROOT } from "../../test/peers/pi.ts";

const folder = `${pathToFileURL(PI_ROOT).href}/dist/core/extensions`;

export const PI_LOADER = `${folder}/loader.js`;

interface Loader {
  loadExtensions(paths: readonly string[], cwd: string): Promise<Loaded>;
}

interface Loaded {
  readonly extensions: readonly unknown[];
  readonly errors: readonly { readonly error: string }[];
  readonly runtime: unknown;
}

/** The ways in which Pi's session sends events to its extensions. */
export interface PiRunner {
  emit(event: object): Promise<unknown>;
  emitToolCall(event: object): Promise<unknown>;
  emitMessageEnd(event: object): Promise<unknown>;
  emitContext(messages: readonly object[]): Promise<unknown>;
}

interface RunnerModule {
  ExtensionRunner: new (extensions: readonly unknown[], runtime: unknown, cwd: string) => PiRunner;
}

/**
 * A runner with these extensions. It gets no session and no models, and its actions stay unbound:
 * an event's way to handlers that do nothing touches none of them, neither here nor in Seam.
 */
export async function piWith(paths: readonly string[], cwd: string): Promise<PiRunner> {
  const loader: Loader = await import(PI_LOADER);
  const module: RunnerModule = await import(`${folder}/runner.js`);
  const { extensions, errors, runtime } = await loader.loadExtensions(paths, cwd);
  const [failed] = errors;
  if (failed) throw new Error(failed.error);
  return new module.ExtensionRunner(extensions, runtime, cwd);
}
