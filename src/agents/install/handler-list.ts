import type { Node } from "jsonc-parser";
import { isOurs } from "./hook-command.ts";
import { itemsOf, valueAt } from "./json-text.ts";

/** One of Seam's entries in the list of an event. */
export interface Mine {
  readonly node: Node;
  /** The list it is an item of. */
  readonly container: Node;
  /** What should stand in its place, made from what should stand in the event's list. */
  wanted(entry: unknown): unknown;
}

/** How an agent lists the handlers of one event. */
export interface Shape {
  /** Seam's entries in the list of an event. */
  mine(list: Node): Mine[];
}

const COMMAND_KEYS = ["command", "bash"] as const;

function isSeams(handler: Node): boolean {
  return COMMAND_KEYS.some((key) => isOurs(valueAt(handler, key)?.value));
}

/** `[{ command }]` */
export const FLAT: Shape = {
  mine: (list) =>
    itemsOf(list)
      .filter(isSeams)
      .map((node) => ({ node, container: list, wanted: (entry) => entry })),
};

/** `[{ matcher, hooks: [{ command }] }]`, as Claude Code has it and others after it. */
export const GROUPS: Shape = {
  mine: (list) =>
    itemsOf(list).flatMap((group): Mine[] => {
      const handlers = valueAt(group, "hooks");
      const all = itemsOf(handlers);
      const ours = all.filter(isSeams);
      if (!handlers || ours.length === 0) return [];
      if (ours.length === all.length) {
        return [{ node: group, container: list, wanted: (entry) => entry }];
      }
      // Somebody put a handler of their own into Seam's group: the group is theirs now.
      return ours.map((node) => ({ node, container: handlers, wanted: firstHandler }));
    }),
};

function firstHandler(entry: unknown): unknown {
  const { hooks } = entry as { hooks?: readonly unknown[] };
  return hooks?.[0];
}
