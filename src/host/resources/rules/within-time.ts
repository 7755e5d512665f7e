import { type Context, createContext, Script } from "node:vm";

let script: Script | undefined;
let context: Context | undefined;

/**
 * Runs a function and stops it when it takes too long, also inside a regular expression that
 * backtracks for ever: nothing else in the process can interrupt one. False if it was stopped.
 */
export function withinTime(run: () => void, ms: number): boolean {
  script ??= new Script("run()");
  context ??= createContext({});
  context.run = run;
  try {
    script.runInContext(context, { timeout: ms });
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  } finally {
    context.run = undefined;
  }
}

/** Not an `instanceof` check: the error comes from the other context. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
