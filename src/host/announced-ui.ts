import type { ExtensionUIContext } from "../extensions/index.ts";
import type { Emitter } from "./emitter.ts";

const DIALOGS = ["select", "confirm", "input", "editor", "custom"] as const;

/** The same user interface; that somebody waits for an answer is told, once for dialogs in dialogs. */
export function announced(ui: ExtensionUIContext, emitter: Emitter): ExtensionUIContext {
  let open = 0;
  const asking = <Args extends unknown[], T>(
    kind: (typeof DIALOGS)[number],
    ask: (...args: Args) => Promise<T>,
  ) => {
    return async (...args: Args): Promise<T> => {
      const title = typeof args[0] === "string" ? { title: args[0] } : {};
      const about = { reason: "ui_prompt" as const, kind, ...title };
      if (open++ === 0) emitter.emit({ type: "ui_prompt_start", ...about });
      try {
        return await ask(...args);
      } finally {
        if (--open === 0) emitter.emit({ type: "ui_prompt_end", ...about });
      }
    };
  };
  const dialogs = new Map<PropertyKey, unknown>([
    ["select", asking("select", (...args: Parameters<typeof ui.select>) => ui.select(...args))],
    ["confirm", asking("confirm", (...args: Parameters<typeof ui.confirm>) => ui.confirm(...args))],
    ["input", asking("input", (...args: Parameters<typeof ui.input>) => ui.input(...args))],
    ["editor", asking("editor", (...args: Parameters<typeof ui.editor>) => ui.editor(...args))],
    ["custom", asking("custom", (...args: Parameters<typeof ui.custom>) => ui.custom(...args))],
  ]);
  return new Proxy(ui, {
    get: (target, key) => {
      const own: unknown = dialogs.get(key) ?? Reflect.get(target, key, target);
      // Bound, so that a host may implement its UI as a class.
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}
