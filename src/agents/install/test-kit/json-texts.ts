import fc from "fast-check";

/** JSON as a person may have written it, and what it means. */
export interface Written {
  readonly text: string;
  readonly value: Record<string, unknown>;
  readonly comments: readonly string[];
}

interface Hand {
  pick<T>(...choices: T[]): T;
  readonly eol: string;
  readonly unit: string;
  readonly commented: boolean;
  readonly trailing: boolean;
  readonly comments: string[];
}

const key = fc.oneof(
  fc.constantFrom("hooks", "model", "env", "permissions", "version", 'quo"ted', "ü", "a//b", "/*"),
  fc.string({ maxLength: 6 }).filter((text) => text !== "__proto__"),
);

const handler = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom("./mine.sh", "echo '// no comment'", "x # agent seam", "a,b]}"),
});
const group = fc.record(
  { matcher: fc.constantFrom("*", "Bash", ""), hooks: fc.array(handler, { maxLength: 3 }) },
  { requiredKeys: ["hooks"] },
);

/** Lists of hooks that are not Seam's, in events that Seam wants and in others. */
const hooks = (events: readonly string[], item: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...events, "SomethingElse"), fc.array(item, { maxLength: 3 }), {
    maxKeys: 4,
    noNullPrototype: true,
  });

/** Configuration files with whatever else is in them, in every style of writing. */
export function writtenConfigs(events: readonly string[], flat: boolean): fc.Arbitrary<Written> {
  const others = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
    noNullPrototype: true,
  });
  const value = fc
    .tuple(others, fc.option(hooks(events, flat ? handler : group)))
    .map(([{ hooks: _, ...rest }, mine]) => (mine ? { ...rest, hooks: mine } : rest));
  return fc.tuple(value, fc.nat()).map(([meant, seed]) => {
    let state = seed;
    const pick = <T>(...choices: T[]) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return choices[(state >>> 16) % choices.length] as T;
    };
    const hand: Hand = {
      pick,
      eol: pick("\n", "\n", "\r\n"),
      unit: pick("  ", "    ", "\t", " "),
      commented: pick(true, false),
      trailing: pick(true, false),
      comments: [],
    };
    const oneLine = pick(true, false, false);
    const body = write(meant, hand, oneLine ? undefined : "");
    const before = hand.commented && !oneLine ? comment(hand, "") : "";
    const text = before + body + pick("", hand.eol);
    const comments = hand.comments.sort((a, b) => text.indexOf(a) - text.indexOf(b));
    return { text, value: JSON.parse(JSON.stringify(meant)), comments };
  });
}

/** `indent` undefined: all on one line. */
function write(value: unknown, hand: Hand, indent: string | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((item) => ["", item] as const)
    : Object.entries(value).map(
        ([k, v]) => [`${JSON.stringify(k)}:${hand.pick("", " ")}`, v] as const,
      );
  const inner =
    indent === undefined || hand.pick(true, true, true, false) === false
      ? undefined
      : indent + hand.unit;
  const line = inner === undefined ? "" : hand.eol + inner;
  let text = open;
  for (const [i, [name, item]] of parts.entries()) {
    const last = i === parts.length - 1;
    text += line + name + write(item, hand, inner);
    if (!last || hand.trailing) text += `${sometimes(hand, inner)},`;
    text += sometimes(hand, inner);
    if (!last && inner === undefined) text += hand.pick("", " ");
  }
  if (parts.length === 0) text += hand.pick("", " ") + sometimes(hand, inner);
  else if (inner !== undefined) text += hand.eol + indent;
  return text + close;
}

/** Now and then a comment: of a whole line where lines end, else one with an end of its own. */
function sometimes(hand: Hand, inner: string | undefined): string {
  if (!hand.commented || hand.pick(true, true, true, false)) return "";
  return inner === undefined || hand.pick(true, false) ? ` ${block(hand)}` : comment(hand, inner);
}

function block(hand: Hand): string {
  const text = `/* ${hand.comments.length}: "hooks", [ */`;
  hand.comments.push(text);
  return text;
}

function comment(hand: Hand, indent: string): string {
  const text = `// ${hand.comments.length}: } "hooks": [],`;
  hand.comments.push(text);
  return ` ${text}${hand.eol}${indent}`;
}
