/** Whether two lists of globs can name the same file. In doubt they can. */
export function canOverlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => canMeet(segments(one), segments(other))));
}

const segments = (glob: string) =>
  // A folder stands for everything in it.
  glob
    .replace(/^\.?\//, "")
    .replace(/\/$/, "/**")
    .split("/");

function canMeet(one: readonly string[], other: readonly string[]): boolean {
  const [first, ...rest] = one;
  const [second, ...remaining] = other;
  if (first === undefined && second === undefined) return true;
  if (first === "**") return canMeet(rest, other) || (other.length > 0 && canMeet(one, remaining));
  if (second === "**") return canMeet(other, one);
  // "src" can be meant as the folder "src", with all that is in it.
  if (first === undefined || second === undefined) return true;
  return canBeSame(first, second) && canMeet(rest, remaining);
}

const WILD = /[*?[{(!]/;

/** Two names of one level: what stands before the first and after the last wildcard has to agree. */
function canBeSame(one: string, other: string): boolean {
  if (!WILD.test(one) && !WILD.test(other)) return one === other;
  const [startOne, startOther] = [one, other].map((name) => name.slice(0, wildAt(name)));
  if (!agree(startOne ?? "", startOther ?? "")) return false;
  const ends = [one, other].map((name) =>
    [...(/[^*?\]})]*$/.exec(name)?.[0] ?? "")].reverse().join(""),
  );
  return agree(ends[0] ?? "", ends[1] ?? "");
}

const wildAt = (name: string) => {
  const at = name.search(WILD);
  return at < 0 ? name.length : at;
};

const agree = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);
