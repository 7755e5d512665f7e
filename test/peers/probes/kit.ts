/** What a probe is made of: how a value of Pi's is used, and what it is used on. */

export type Module = Readonly<Record<string, unknown>>;

/** A function or class of Pi's, in Seam or in Pi. */
export type Value = (...args: never[]) => unknown;

/** Something that was made by one of them. */
export type Thing = object;

/** How a value is used: what it gives is compared. */
export type Use = (value: Value, module: Module) => unknown;

/** Where both cannot give the same: it is used in Seam, must not throw and must give what `gives` says. */
export interface Own {
  readonly use: Use;
  /** Why it is not compared. */
  readonly because: string;
  readonly gives: unknown;
}

/** Compared with one version alone. */
export interface In {
  readonly use: Use;
  readonly version: string;
  /** Why not with the others. */
  readonly because: string;
}

export type Probe = Use | Own | In;
export type Probes = Readonly<Record<string, Probe>>;

/** Used in Seam alone. */
export const own = (because: string, gives: unknown, use: Use): Own => ({ because, gives, use });

export const only = (version: string, because: string, use: Use): In => ({ version, because, use });

/** A call with these arguments, and these, and these. */
export const calls =
  (...list: readonly (readonly unknown[])[]): Use =>
  async (value) => {
    const results: unknown[] = [];
    for (const args of list) results.push(await call(value, ...args));
    return results;
  };

export function call(value: unknown, ...args: readonly unknown[]): unknown {
  if (typeof value !== "function") throw new Error("It is no function.");
  return Reflect.apply(value, undefined, args);
}

export function make(value: unknown, ...args: readonly unknown[]): Thing {
  if (typeof value !== "function") throw new Error("It is no class.");
  const made: unknown = Reflect.construct(value, args);
  return Object(made) as Thing;
}

/** Calls a method of something. */
export function tell(thing: unknown, method: string, ...args: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(Object(thing), method);
  if (typeof found !== "function") throw new Error(`It has no ${method}.`);
  return Reflect.apply(found, thing, args);
}

export const get = (thing: unknown, name: string): unknown => Reflect.get(Object(thing), name);

export const WIDTH = 60;

/** What a component shows. */
export const shown = (component: unknown): unknown => tell(component, "render", WIDTH);

/** A class whose object shows something, after these keys were pressed. */
export const component =
  (
    args: readonly unknown[] | ((module: Module) => readonly unknown[]),
    ...keys: readonly string[]
  ): Use =>
  async (value, module) => {
    const made = make(value, ...(typeof args === "function" ? args(module) : args));
    const first = shown(made);
    for (const key of keys) tell(made, "handleInput", key);
    // What waits for a file or a session shows it a moment later.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const last = keys.length > 0 ? shown(made) : undefined;
    if (typeof get(made, "stop") === "function") tell(made, "stop");
    if (typeof get(made, "dispose") === "function") tell(made, "dispose");
    return [first, last];
  };

/** As much of a terminal as a component asks for. */
export const tui = {
  requestRender: () => {},
  terminal: { rows: 40, columns: 80, write: () => {} },
  mode: "mainScreen",
};

const same = (text: string) => text;
export const SELECT = {
  selectedPrefix: same,
  selectedText: same,
  description: same,
  scrollInfo: same,
  noMatch: same,
};
export const MARKDOWN = Object.fromEntries(
  [
    "heading",
    "link",
    "linkUrl",
    "code",
    "codeBlock",
    "codeBlockBorder",
    "quote",
    "quoteBorder",
    "hr",
    "listBullet",
    "bold",
    "italic",
    "strikethrough",
    "underline",
  ].map((name) => [name, same]),
);
export { same };

/** A picture of one pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
