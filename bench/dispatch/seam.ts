import type { Dispatcher } from "../../src/dispatch/index.ts";
import { DIST } from "../built.ts";

export const SEAM_EXTENSIONS = new URL("extensions/index.js", DIST).href;

// Typed by the sources: this file must also pass the type check where nothing is built.
type DispatchRoom = typeof import("../../src/dispatch/index.ts");
type ExtensionsRoom = typeof import("../../src/extensions/index.ts");

export async function newDispatcher(): Promise<Dispatcher> {
  const room: DispatchRoom = await import(new URL("dispatch/index.js", DIST).href);
  return new room.Dispatcher();
}

/** The dispatcher of a session with these extensions. */
export async function seamWith(paths: readonly string[], cwd: string): Promise<Dispatcher> {
  const room: ExtensionsRoom = await import(SEAM_EXTENSIONS);
  const set = await room.loadExtensions({ cwd, sources: paths });
  const [failure] = set.failures;
  if (failure) throw failure.problem.error;
  return set.dispatcher;
}
