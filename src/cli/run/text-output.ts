import { paint } from "../print.ts";

/** Where a run without a screen writes what it has to say. */
export function textOutput(problem: (text: string) => void) {
  return {
    problem,
    out: (text: string) => void process.stdout.write(text),
    note: (text: string) => {
      if (process.stderr.isTTY) process.stderr.write(`${paint("dim", text, process.stderr)}\n`);
    },
  };
}
