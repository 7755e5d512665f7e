import type { HookAnswer } from "../../agents/index.ts";

const LONGEST_ERROR = 8_000;

/** Whoever rang or brought a hook, and waits for what it is told. */
export interface Caller {
  /** Resolves with whether the answer has left: whoever asked may be gone. */
  answer(answer: HookAnswer): Promise<boolean>;
  refuse(status: number, why: string): void;
  /** Hangs up without an answer, so that the caller asks the next daemon. */
  leave(): void;
  /** Calls back once the connection is over, whoever ended it. */
  whenOver(hear: () => void): void;
}

/**
 * An answer as clients understand it: the body goes to stdout; exit code and stderr are headers.
 * stderr is written so that a shell's printf can read it.
 */
export function answerHeaders(answer: HookAnswer, body: Buffer): Record<string, string> {
  return {
    "content-type": "application/octet-stream",
    "content-length": String(body.length),
    "x-seam-exit": String(answer.exitCode),
    ...(answer.stderr && { "x-seam-stderr": escaped(answer.stderr.slice(0, LONGEST_ERROR)) }),
  };
}

/** Octal for everything that is not a plain character. */
function escaped(text: string): string {
  let written = "";
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte);
    written += PLAIN.test(character) ? character : `\\0${byte.toString(8).padStart(3, "0")}`;
  }
  return written;
}

const PLAIN = /[\w.,:;/()'"=+-]/;
