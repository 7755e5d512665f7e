import { messageOf, refusal, SeamError } from "../errors/index.ts";
import { isJsonPrinted, paint, printJson } from "./print.ts";

/** Tells what went wrong, as JSON too for who asked for it, and gives the exit code. */
export function reportError(thrown: unknown, args: readonly string[]): number {
  const error = refusal(thrown) ?? thrown;
  const isSeams = error instanceof SeamError;
  if (wantsJson(args) && !isJsonPrinted()) {
    printJson({ error: isSeams ? error : { message: messageOf(error) } });
  }
  const text = messageOf(error).trimEnd().replaceAll("\n", "\n      ");
  process.stderr.write(`${paint("red", "error", process.stderr)} ${text}\n`);
  if (isSeams) process.stderr.write(`      ${error.next}\n`);
  return isSeams && error.code === "SEAM_USAGE" ? 2 : 1;
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).includes("--json");
}
