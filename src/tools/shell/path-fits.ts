import { SHELL_UNKNOWN } from "./reading.ts";

/** One step of a pattern: a letter, any one letter, any letters of a name, any letters at all. */
type Step = string;
const ONE = "?";
const NAME = "*";
const MANY = "**";

/** Longer paths do not exist. */
const LONGEST = 4_096;

/**
 * Whether a path that a shell command writes to fits a pattern, such as `**` + `/.env`. The path
 * may hold SHELL_UNKNOWN, and `*`, `?` and `[…]` if it is a pattern itself; `maybe` says that it
 * could come to fit. Capital letters make no difference: on many disks they make none.
 *
 * @example
 * pathFits("config/.ENV", "**\/.env"); // "yes"
 * pathFits(".e*", "**\/.env"); // "maybe"
 * pathFits("src/app.ts", "**\/.env"); // "no"
 */
export function pathFits(path: string, pattern: string): "yes" | "maybe" | "no" {
  if (path.length > LONGEST) return "maybe";
  const wanted = stepsOf(pattern);
  // With any text in its place: then it fits whatever it will be.
  const plain = path.replaceAll(SHELL_UNKNOWN, "unknown").replace(/[*?]/g, "x");
  if (share([...`/${plain}`.toLowerCase()], wanted)) return "yes";
  if (plain === path && !path.includes("[")) return "no";
  return share(stepsOf(path), wanted) ? "maybe" : "no";
}

/** The steps of a path: one from the root and one from a folder that is not named begin alike. */
function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  const all = `/${text.toLowerCase()}`;
  for (let at = 0; at < all.length; at++) {
    const letter = all.charAt(at);
    const end = letter === "[" ? all.indexOf("]", at + 2) : -1;
    if (letter === SHELL_UNKNOWN) steps.push(MANY);
    else if (letter === "*") {
      const isDouble = all.charAt(at + 1) === "*";
      if (isDouble) at++;
      // `**` + `/` is also nothing at all.
      if (isDouble && all.charAt(at + 1) === "/" && steps.at(-1) === "/") {
        steps.pop();
        steps.push(MANY);
      } else steps.push(isDouble ? MANY : NAME);
    } else if (end > 0 && !all.slice(at, end).includes("/")) {
      steps.push(ONE);
      at = end;
    } else steps.push(letter === "?" ? ONE : letter);
  }
  return steps;
}

/** Whether some text fits both. Each pair of places is looked at once. */
function share(a: readonly Step[], b: readonly Step[]): boolean {
  let row = new Uint8Array(b.length + 1);
  // row[j]: the first i steps of a and the first j of b can be the same text.
  row[0] = 1;
  for (let j = 1; j <= b.length; j++) row[j] = row[j - 1] && canBeEmpty(b[j - 1]) ? 1 : 0;
  for (let i = 1; i <= a.length; i++) {
    const next = new Uint8Array(b.length + 1);
    const x = a[i - 1];
    next[0] = row[0] && canBeEmpty(x) ? 1 : 0;
    for (let j = 1; j <= b.length; j++) {
      const y = b[j - 1];
      next[j] =
        (row[j - 1] && meets(x, y)) ||
        (row[j] && (canBeEmpty(x) || takes(y, x))) ||
        (next[j - 1] && (canBeEmpty(y) || takes(x, y)))
          ? 1
          : 0;
    }
    row = next;
  }
  return row[b.length] === 1;
}

const canBeEmpty = (step: Step | undefined) => step === NAME || step === MANY;
/** Whether a step that stands for any number of letters can swallow this one. */
const takes = (wide: Step | undefined, step: Step | undefined) =>
  wide === MANY || (wide === NAME && step !== "/" && step !== MANY);

function meets(x: Step | undefined, y: Step | undefined): boolean {
  if (x === y) return true;
  if (x === ONE) return y !== "/";
  if (y === ONE) return x !== "/";
  return takes(x, y) || takes(y, x);
}
