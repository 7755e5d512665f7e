import fc from "fast-check";
import { getNodeValue } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { FLAT, GROUPS, type Shape } from "./handler-list.ts";
import { MARKER } from "./hook-command.ts";
import { type JsonText, parseJsonText } from "./json-text.ts";
import { hasEntries, withEntries, withoutEntries } from "./merge.ts";
import { writtenConfigs } from "./test-kit/json-texts.ts";

const EVENTS = ["PreToolUse", "Stop", "SessionStart"];
const command = (event: string, version = "") => `run ${event}${version}; exit 0 ${MARKER}`;
const STYLES: [string, Shape, (event: string, version?: string) => unknown][] = [
  [
    "groups",
    GROUPS,
    (e, v) => ({ hooks: [{ type: "command", command: command(e, v), timeout: 9 }] }),
  ],
  ["flat lists", FLAT, (e, v) => ({ bash: command(e, v) })],
];

const read = (text: string): JsonText => {
  const json = parseJsonText(text);
  if ("what" in json) throw new Error(`${json.what} in ${text}`);
  return json;
};
const meaning = (text: string): Record<string, unknown> => {
  const { root } = read(text);
  return root ? getNodeValue(root) : {};
};
/** What was there before, by path. */
const there =
  (value: Record<string, unknown>) =>
  ([first, event]: readonly string[]) => {
    if (first === undefined) return true;
    if (!Object.hasOwn(value, first)) return false;
    return event === undefined || Object.hasOwn(value[first] as object, event);
  };

describe.each(STYLES)("%s", (_, shape, entry) => {
  const wanted = (version?: string, events = EVENTS) => ({
    top: {},
    entries: new Map(events.map((event) => [event, entry(event, version)])),
  });
  const configs = writtenConfigs(EVENTS, shape === FLAT);

  it("puts entries in, at the end of each list, and changes nothing else", () => {
    fc.assert(
      fc.property(configs, ({ text, value, comments }) => {
        const merged = withEntries(read(text), shape, wanted());
        const hooks = (value.hooks ?? {}) as Record<string, unknown[]>;
        const expected = { ...hooks };
        for (const event of EVENTS) expected[event] = [...(hooks[event] ?? []), entry(event)];
        expect(meaning(merged)).toEqual({ ...value, hooks: expected });
        let at = 0;
        for (const comment of comments) {
          at = merged.indexOf(comment, at);
          expect(at).toBeGreaterThanOrEqual(0);
        }
      }),
      runs(400),
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(configs, ({ text }) => {
        const once = withEntries(read(text), shape, wanted());
        expect(withEntries(read(once), shape, wanted())).toBe(once);
      }),
    );
  });

  it("takes out what it put in, and nothing else", () => {
    fc.assert(
      fc.property(configs, ({ text, value, comments }) => {
        const merged = withEntries(read(text), shape, wanted());
        const back = withoutEntries(read(merged), shape, {}, there(value)) ?? "";
        expect(hasEntries(read(back), shape)).toBe(false);
        expect(meaning(back)).toEqual(value);
        for (const comment of comments) expect(back).toContain(comment);
      }),
      runs(400),
    );
  });

  it("replaces old entries where they stand, and removes those no longer wanted", () => {
    fc.assert(
      fc.property(configs, ({ text }) => {
        const old = withEntries(read(text), shape, wanted(" old", [...EVENTS, "Gone"]));
        const now = withEntries(read(old), shape, wanted());
        const fresh = meaning(withEntries(read(text), shape, wanted()));
        expect(meaning(now)).toEqual({ ...fresh, hooks: { ...(fresh.hooks as object), Gone: [] } });
      }),
    );
  });
});
