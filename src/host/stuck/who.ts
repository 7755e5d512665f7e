import { codeIn } from "../../dispatch/index.ts";
import { type ExtensionSet, memberOwning, membersWithoutFile } from "../../extensions/index.ts";
import {
  type Answer,
  type Frame,
  NOT_IN_AN_EVENT,
  type Question,
  type Verdict,
} from "./protocol.ts";

/**
 * Which extension holds the thread. What Seam called and what never came back is known for sure;
 * after that the files on the stack tell; code of extensions that have no file is compared.
 */
export function who({ steady, now, frames }: Question, sets: Iterable<ExtensionSet>): Answer {
  const called = codeIn(steady);
  if (called) return { verdict: verdict(called.path, called.what, frames) };
  // The outermost: an extension that calls others in a loop is the one that does not come back.
  for (const { file } of [...frames].reverse()) {
    const member = memberOwning(file);
    if (member && !member.gone) return { verdict: verdict(member.path, NOT_IN_AN_EVENT, frames) };
  }
  const last = codeIn(now);
  if (last) return { verdict: verdict(last.path, last.what, frames) };
  const suspects = membersWithoutFile()
    .filter(({ gone }) => !gone)
    .map(({ path, text = "" }) => ({
      path,
      code: [text, ...[...sets].flatMap((set) => set.codeOf(path))],
    }));
  return { suspects };
}

function verdict(path: string, what: string, frames: readonly Frame[]): Verdict {
  const where = isFile(path)
    ? frames.find(({ file }) => memberOwning(file)?.path === path)
    : frames[0];
  return { path, what, ...(where && { where }) };
}

/** Not an extension that is part of the program. */
const isFile = (path: string) => !path.startsWith("<");
