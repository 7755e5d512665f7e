import { declarationOf, isEventName } from "../events/index.ts";
import { LONGEST_FROM_PROJECT_MS, type SettingKey, type Settings } from "./schema.ts";

/**
 * What a setting may do when a project's file says it: `.seam/settings.json` or
 * `.seam/settings.local.json`. The rule behind every line: what tightens counts at once; what runs
 * something or is laxer counts after the user agreed to exactly that file, and never against what
 * the user said. In the user's own file everything counts.
 */
export interface Policy<Value> {
  /** In words: what counts before the user agreed. */
  readonly untrusted: string;
  /** In words: what counts after. */
  readonly trusted: string;
  /** How values of several files are put together; without it the last one counts. */
  readonly merge?: (now: Value, value: Value) => Value;
  /** What of a project's value counts before the user agreed. */
  readonly tighten?: (now: Value, value: Value) => Value;
  /** What of it counts after. `userSet`: the user's own file has this setting. */
  readonly agreed?: (now: Value, value: Value, userSet: boolean) => Value;
  /** What the value asks for that needs the user's agreement, in words. */
  readonly asks?: (value: Value) => string | undefined;
  /** Why something of the value never counts from a project. */
  readonly refuses?: (now: Value, value: Value, userSet: boolean) => string | undefined;
}

const MORE_TIME = "a project can give more time, not less";
const add = (now: readonly string[], value: readonly string[]) => [...now, ...value];
const over = <Value extends object>(now: Value, value: Value): Value => ({ ...now, ...value });
const longer = (now: number, value: number) =>
  Math.max(now, Math.min(value, LONGEST_FROM_PROJECT_MS));
const setTo = (key: SettingKey) => (value: unknown) => `set ${key} to ${JSON.stringify(value)}`;
const NOTHING = "nothing";

/** What handlers of an event have now. */
function deadlineNow(deadlines: Settings["deadlines"], event: string): number {
  return deadlines[event] ?? (isEventName(event) ? declarationOf(event).deadlineMs : 0);
}

export const POLICIES: { readonly [Key in SettingKey]: Policy<Settings[Key]> } = {
  extensions: {
    untrusted: NOTHING,
    trusted: "loaded, each after you agreed to its content as well",
    merge: add,
    agreed: add,
    asks: (value) => (value.length > 0 ? `run ${value.join(", ")}` : undefined),
  },
  packages: {
    untrusted: NOTHING,
    trusted:
      "loaded from the project's `node_modules`, each after you agreed to its content as well",
    merge: add,
    agreed: add,
    asks: (value) => (value.length > 0 ? `run the packages ${value.join(", ")}` : undefined),
  },
  agents: {
    untrusted: NOTHING,
    trusted:
      "loaded from the project's `node_modules`, each after you agreed to its content as well",
    merge: add,
    agreed: add,
    asks: (value) => (value.length > 0 ? `run the agents ${value.join(", ")}` : undefined),
  },
  disabled: {
    untrusted: NOTHING,
    trusted: "leaves out the project's own extensions, never yours",
    agreed: (now) => now,
    asks: (value) =>
      value.length > 0 ? `leave out the project's extensions ${value.join(", ")}` : undefined,
  },
  deadlines: {
    untrusted: NOTHING,
    trusted: "gives more time, up to ten minutes; never less",
    merge: over,
    agreed: (now, value) =>
      over(
        now,
        Object.fromEntries(
          Object.entries(value).map(([event, ms]) => [event, longer(deadlineNow(now, event), ms)]),
        ),
      ),
    asks: setTo("deadlines"),
    refuses: (now, value) =>
      Object.entries(value).some(([event, ms]) => ms < deadlineNow(now, event))
        ? MORE_TIME
        : undefined,
  },
  loadDeadlineMs: {
    untrusted: NOTHING,
    trusted: "gives more time, up to ten minutes; never less",
    agreed: longer,
    asks: setTo("loadDeadlineMs"),
    refuses: (now, value) => (value < now ? MORE_TIME : undefined),
  },
  stuckMs: {
    untrusted: NOTHING,
    trusted: "gives more time, up to ten minutes; never less, never for ever",
    agreed: (now, value) => (now === 0 || value === 0 ? now : longer(now, value)),
    asks: setTo("stuckMs"),
    refuses: (now, value) => (value < now ? MORE_TIME : undefined),
  },
  compaction: {
    untrusted: NOTHING,
    trusted: "counts",
    merge: over,
    agreed: over,
    asks: setTo("compaction"),
  },
  retry: {
    untrusted: NOTHING,
    trusted: "counts",
    merge: over,
    agreed: over,
    asks: setTo("retry"),
  },
  maxTodoReminders: {
    untrusted: NOTHING,
    trusted: "counts",
    agreed: (_, value) => value,
    asks: setTo("maxTodoReminders"),
  },
  whenUnavailable: {
    untrusted: "`block` counts",
    trusted: "`block` counts, nothing else",
    tighten: (now, value) => (value === "block" ? value : now),
    refuses: (now, value) =>
      value !== "block" && value !== now ? "a project can only say block" : undefined,
  },
  protectSeam: {
    untrusted: "`block` counts",
    trusted: "`block` counts, nothing else",
    tighten: (now, value) => (value === "block" ? value : now),
    refuses: (now, value) =>
      value !== "block" && value !== now ? "a project can only say block" : undefined,
  },
  theme: {
    untrusted: NOTHING,
    trusted: NOTHING,
    agreed: (now) => now,
    refuses: () => "how your terminal looks is yours to say",
  },
  fullscreen: {
    untrusted: NOTHING,
    trusted: NOTHING,
    agreed: (now) => now,
    refuses: () => "how your terminal looks is yours to say",
  },
  inbox: {
    untrusted: NOTHING,
    trusted: NOTHING,
    merge: over,
    agreed: (now) => now,
    refuses: () => "whom agents wait for is yours to say",
  },
  daemonIdleMinutes: {
    untrusted: NOTHING,
    trusted: NOTHING,
    refuses: () => "the daemon serves all projects",
  },
  keepDays: {
    untrusted: NOTHING,
    trusted: NOTHING,
    refuses: () => "what is deleted on your disk is for you to say",
  },
  checkpointRemote: {
    untrusted: NOTHING,
    trusted: "counts, unless you set it yourself",
    agreed: (now, value, userSet) => (userSet ? now : value),
    asks: (value) => `exchange checkpoints with ${value} when you run seam sync`,
    refuses: (now, value, userSet) =>
      userSet && value !== now ? "your own settings say otherwise" : undefined,
  },
  unrecorded: {
    untrusted: NOTHING,
    trusted: NOTHING,
    merge: add,
    refuses: () => "it is about all your repositories",
  },
  prices: {
    untrusted: NOTHING,
    trusted: NOTHING,
    merge: over,
    refuses: () => "what you pay is the same in all projects",
  },
  redaction: {
    untrusted: "`patterns` are added",
    trusted: "`patterns` and `allow` are added",
    merge: addRedaction,
    tighten: (now, { patterns = [] }) => addRedaction(now, { patterns }),
    agreed: addRedaction,
    asks: ({ allow = [] }) =>
      allow.length > 0 ? `leave in the record what matches ${allow.join(", ")}` : undefined,
  },
  view: {
    untrusted: NOTHING,
    trusted: NOTHING,
    refuses: () => "there is one page for all your projects",
  },
  crew: {
    untrusted: NOTHING,
    trusted: NOTHING,
    merge: over,
    agreed: (now) => now,
    refuses: () => "what crews may use, and where they push, is yours to say",
  },
};

function addRedaction(
  now: Settings["redaction"],
  { patterns = [], allow = [] }: Settings["redaction"],
): Settings["redaction"] {
  return {
    ...now,
    ...(patterns.length > 0 && { patterns: unique(now.patterns, patterns) }),
    ...(allow.length > 0 && { allow: unique(now.allow, allow) }),
  };
}

/** A file that changed is read twice: as it was trusted, and for what it adds to that. */
function unique(now: readonly string[] = [], value: readonly string[]): string[] {
  return [...new Set([...now, ...value])];
}
