import { closeSync, readFileSync } from "node:fs";

/** A conversation that the compiled client began, and could not go on with. */
export interface HandedOver {
  /** The client's greeting, if the daemon answered it; else "". */
  readonly initialize: string;
  /** What the client said after that answer; "" if it had not yet. */
  readonly initialized: string;
  /** What it said since, as far as it was not answered. */
  readonly rest: Buffer;
}

/** In an open file, whose number is in the environment: a line, a line, and all the rest. */
export function handedOver(environment: NodeJS.ProcessEnv): HandedOver | undefined {
  const { SEAM_MCP_HANDED: number } = environment;
  delete environment.SEAM_MCP_HANDED;
  if (number === undefined || !/^\d+$/.test(number)) return undefined;
  const bytes = readFileSync(Number(number));
  closeSync(Number(number));
  const first = bytes.indexOf("\n");
  const second = bytes.indexOf("\n", first + 1);
  return {
    initialize: bytes.toString("utf8", 0, first),
    initialized: bytes.toString("utf8", first + 1, second),
    rest: bytes.subarray(second + 1),
  };
}
