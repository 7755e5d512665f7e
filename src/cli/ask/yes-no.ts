import { once } from "node:events";
import { paint } from "../print.ts";

const NO = new Set(["n", "N", "\x1b", "\x03", "\x04"]);

/**
 * A question that one key answers: y or n, Enter for what is offered, Esc and Ctrl-C for no. Needs
 * nothing of the terminal but single keys, so it also works on a dumb one.
 */
export async function askYesNo(message: string, offered: boolean): Promise<boolean> {
  const { stdin, stdout } = process;
  stdout.write(`${paint("bold", message)} ${offered ? "(Y/n)" : "(y/N)"} `);
  stdin.setRawMode(true).resume();
  try {
    for (;;) {
      const answer = answerOf(String((await once(stdin, "data"))[0]), offered);
      if (answer === undefined) continue;
      stdout.write(`${answer ? "yes" : "no"}\n`);
      return answer;
    }
  } finally {
    stdin.setRawMode(false).pause();
  }
}

/** Arrows and the like begin as Esc does. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what terminals send
const SEQUENCE = /\x1b[[O][0-9;]*[A-Za-z~]/g;

/** Undefined for keys that say nothing. */
function answerOf(keys: string, offered: boolean): boolean | undefined {
  for (const key of keys.replace(SEQUENCE, "")) {
    if (key === "y" || key === "Y") return true;
    if (key === "\r" || key === "\n") return offered;
    if (NO.has(key)) return false;
  }
  return undefined;
}
