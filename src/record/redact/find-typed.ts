import { isPlaceholder } from "./placeholders.ts";
import type { Span } from "./span.ts";

/** `expect "*assword*"`, `child.expect("assword:")`: what a script waits for before it types. */
const ASKED = /expect[ \t({][^)]{0,80}?(?:assword|assphrase|asscode)[^)\n]{0,8}["'}]/g;
/** `send "secret\r"`, `send -- "secret\r"`, `child.sendline("secret")`. */
const TYPED =
  /(?:send(?:_user)?(?:[ \t]{1,4}-[a-z-]{1,12}){0,2}[ \t]{1,4}|sendline\()(\\*["'])([^\n"'\\]{4,128})(?:\\+[rn])*\1/dy;
/** So far behind the question is the answer at most. */
const FURTHEST = 200;
/** Also after the end of a line as it stands in a string of JSON. */
const BEGINS = /(?:(?<!\w)|(?<=\\n))send/g;

/** Passwords that scripts type when they are asked for one, as those for `expect` and pexpect do. */
export function findTyped(text: string): Span[] {
  if (!text.includes("expect") || !text.includes("send")) return [];
  const spans: Span[] = [];
  for (const { index, 0: asked } of text.matchAll(ASKED)) {
    const from = index + asked.length;
    const until = from + FURTHEST;
    BEGINS.lastIndex = from;
    for (let at = BEGINS.exec(text); at && at.index < until; at = BEGINS.exec(text)) {
      TYPED.lastIndex = at.index;
      const typed = TYPED.exec(text);
      if (!typed) continue;
      const [start = 0, end = 0] = typed.indices?.[2] ?? [];
      if (!isPlaceholder(typed[2] ?? "")) spans.push({ start, end, kind: "credential" });
      break;
    }
  }
  return spans;
}
