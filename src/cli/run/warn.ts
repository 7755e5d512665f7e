import { paint } from "../print.ts";

/** What is odd, beside the answer: on stderr in every mode. */
export function warn(text: string): void {
  process.stderr.write(`${paint("yellow", "!", process.stderr)} ${text}\n`);
}
