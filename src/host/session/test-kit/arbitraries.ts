import fc from "fast-check";
import type { SessionEntry } from "../../../events/index.ts";

/** What survives a file: no -0, no undefined. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const text = fc.string({ unit: "binary", maxLength: 20 });
const content = fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text })));
const timestamp = fc.integer({ min: 0, max: 4e12 });
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };

const message = fc.oneof(
  fc.record({ role: fc.constant("user"), content, timestamp }),
  fc.record({
    role: fc.constant("assistant"),
    content: fc.array(fc.record({ type: fc.constant("text"), text })),
    provider: text,
    model: text,
    usage: fc.constant(usage),
    timestamp,
  }),
  fc.record({ role: fc.constant("of another program"), what: json, timestamp }),
);

/** `kept`: a number that stands for an entry. */
const draft = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("message"), message }) },
  fc.record({ type: fc.constant("model_change"), provider: text, modelId: text }),
  fc.record({ type: fc.constant("thinking_level_change"), thinkingLevel: text }),
  fc.record({
    type: fc.constant("compaction"),
    summary: text,
    tokensBefore: fc.nat(),
    kept: fc.nat({ max: 40 }),
  }),
  fc.record({ type: fc.constant("branch_summary"), fromId: text, summary: text, details: json }),
  fc.record({ type: fc.constant("custom"), customType: text, data: json }),
  fc.record({
    type: fc.constant("custom_message"),
    customType: text,
    content,
    display: fc.boolean(),
    details: json,
  }),
  fc.record({ type: fc.constant("session_info"), name: text }),
  fc.record({ type: fc.constant("label"), targetId: fc.constant("e1"), label: text }),
  fc.record({ type: fc.constant("of another program"), whatever: json }),
);

type Linked = { id: number; parent: number | null };

function build(draft: Record<string, unknown>, { id, parent }: Linked): SessionEntry {
  const { kept, ...rest } = draft;
  const entry = {
    ...rest,
    id: `e${id}`,
    parentId: parent === null ? null : `e${parent}`,
    timestamp: "2026-01-02T03:04:05.678Z",
    ...(typeof kept === "number" && { firstKeptEntryId: `e${kept}` }),
  };
  return entry as unknown as SessionEntry;
}

/** A well-formed session: every entry stands below an earlier one, or at the beginning. */
export const tree: fc.Arbitrary<SessionEntry[]> = fc
  .array(fc.tuple(draft, fc.nat({ max: 6 })), { maxLength: 40 })
  .map((drafts) =>
    drafts.map(([draft, back], id) => {
      // Mostly below the one before; the more back, the earlier.
      const parent = id - 1 - Math.max(0, back - 3);
      return build(draft, { id, parent: parent < 0 ? null : parent });
    }),
  );

/** Anything but a tree: ids that repeat, parents that are missing or come later, circles. */
export const tangle: fc.Arbitrary<SessionEntry[]> = fc.array(
  fc
    .tuple(draft, fc.nat({ max: 12 }), fc.option(fc.nat({ max: 14 })))
    .map(([draft, id, parent]) => build(draft, { id, parent })),
  { maxLength: 25 },
);
