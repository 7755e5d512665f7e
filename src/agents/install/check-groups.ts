import { isRecord } from "../../values/index.ts";
import type { FileProblem } from "./examine-file.ts";

/** What an agent with Claude Code's form of hooks wants of each handler. */
export interface GroupRules {
  /** Handler types, each with the text it cannot do without. */
  readonly types: Readonly<Record<string, string | undefined>>;
  /** Keys the file may have; undefined: any. */
  readonly topKeys?: readonly string[];
  /** Events it knows; what it does not know it does not look at. */
  readonly events: readonly string[];
  /** Whether a group must have a list of handlers. */
  readonly needsHandlers: boolean;
  /** Whether the value of an event it knows must be a list; else it is passed over. */
  readonly needsLists: boolean;
}

/** Every place that makes the agent skip the whole file. */
export function checkGroups(value: unknown, rules: GroupRules): FileProblem[] {
  if (!isRecord(value)) return [{ at: "the file", why: "is not an object" }];
  const { topKeys } = rules;
  const strange = Object.keys(value).filter((key) => topKeys && !topKeys.includes(key));
  const found = strange.map((at) => ({ at, why: "is not a key it knows" }));
  const { hooks } = value;
  if (hooks === undefined) return found;
  if (!isRecord(hooks)) return [...found, { at: "hooks", why: "is not an object" }];
  const events = Object.entries(hooks).filter(([event]) => rules.events.includes(event));
  return [...found, ...events.flatMap(([event, list]) => checkList(`hooks.${event}`, list, rules))];
}

function checkList(at: string, list: unknown, rules: GroupRules): FileProblem[] {
  if (!Array.isArray(list)) return rules.needsLists ? [{ at, why: "is not a list" }] : [];
  return list.flatMap((group, i) => checkGroup(`${at}.${i}`, group, rules));
}

function checkGroup(at: string, group: unknown, rules: GroupRules): FileProblem[] {
  if (!isRecord(group)) return [{ at, why: "is not an object" }];
  const { matcher, hooks } = group;
  const found: FileProblem[] = [];
  if (matcher !== undefined && typeof matcher !== "string") {
    found.push({ at: `${at}.matcher`, why: "is not text" });
  }
  if (!Array.isArray(hooks)) {
    const missing = hooks === undefined && !rules.needsHandlers;
    return missing ? found : [...found, { at: `${at}.hooks`, why: "is not a list" }];
  }
  return [
    ...found,
    ...hooks.flatMap((handler, i) => checkHandler(`${at}.hooks.${i}`, handler, rules)),
  ];
}

function checkHandler(at: string, handler: unknown, { types }: GroupRules): FileProblem[] {
  if (!isRecord(handler)) return [{ at, why: "is not an object" }];
  const { type, timeout } = handler;
  if (typeof type !== "string" || !Object.hasOwn(types, type)) {
    return [
      { at: `${at}.type`, why: `is ${JSON.stringify(type) ?? "missing"}, which it does not know` },
    ];
  }
  const needed = types[type];
  const found: FileProblem[] = [];
  if (needed && typeof handler[needed] !== "string") {
    found.push({ at: `${at}.${needed}`, why: "is not text" });
  }
  if (needed === "url" && typeof handler.url === "string" && !URL.canParse(handler.url)) {
    found.push({ at: `${at}.url`, why: "is not a URL" });
  }
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0)) {
    found.push({ at: `${at}.timeout`, why: "is not a number above 0" });
  }
  return found;
}
