/** Every key of the page: what it does, and where. Help and the docs show this table. */
export const KEYS = {
  "answer.yes": {
    keys: "y",
    about: "yes, allow; or to the field of an answer",
    group: "What waits",
  },
  "answer.no": { keys: "n", about: "no, deny", group: "What waits" },
  "answer.hold": { keys: ".", about: "not now: the agent waits on", group: "What waits" },
  "answer.always": { keys: "a", about: "always or never…", group: "What waits" },
  "answer.1": {
    keys: "1",
    about: "the first choice, where there are several",
    group: "What waits",
  },
  "answer.2": { keys: "2", about: "the second", group: "What waits" },
  "answer.3": { keys: "3", about: "the third", group: "What waits" },
  "answer.4": { keys: "4", about: "the fourth", group: "What waits" },
  "answer.next": { keys: "w", about: "the next question", group: "What waits" },
  "session.hold": { keys: "h", about: "hold the session, or let it go on", group: "Session" },
  "session.interrupt": { keys: "x", about: "end its turn (pressed twice)", group: "Session" },
  "session.say": { keys: "s", about: "say something to it", group: "Session" },
  "session.next": { keys: "J", about: "next session", group: "Session" },
  "session.previous": { keys: "K", about: "previous session", group: "Session" },
  "session.resume": { keys: "c", about: "copy the command to resume", group: "Session" },
  "entry.next": { keys: "j", about: "next entry or result", group: "Reading" },
  "entry.previous": { keys: "k", about: "previous entry or result", group: "Reading" },
  "entry.open": { keys: "o", about: "open or close it (also Enter)", group: "Reading" },
  "entry.raw": { keys: "r", about: "its raw line", group: "Reading" },
  "prompt.previous": { keys: "[", about: "previous prompt", group: "Reading" },
  "prompt.next": { keys: "]", about: "next prompt", group: "Reading" },
  "entry.end": { keys: "G", about: "to the end, and follow", group: "Reading" },
  "entry.begin": { keys: "g g", about: "to the beginning", group: "Reading" },
  "diff.layout": { keys: "d", about: "diffs side by side or in one", group: "Reading" },
  "go.now": { keys: "g n", about: "now", group: "Go" },
  "go.history": { keys: "g h", about: "history", group: "Go" },
  "go.crews": { keys: "g c", about: "crews", group: "Go" },
  "go.use": { keys: "g u", about: "use", group: "Go" },
  "go.extensions": { keys: "g e", about: "extensions and agents", group: "Go" },
  "go.rules": { keys: "g r", about: "rules", group: "Go" },
  "go.search": { keys: "/", about: "search", group: "Go" },
  "page.theme": { keys: "t", about: "light, dark, as the system", group: "Page" },
  "page.help": { keys: "?", about: "this list", group: "Page" },
  "page.close": { keys: "Escape", about: "close what is open", group: "Page" },
} as const;

export type KeyName = keyof typeof KEYS;

/** Which bindings a row of pressed keys is, and whether it can still become a longer one. */
export function matching(pressed: readonly string[]): { name?: KeyName; isBegun: boolean } {
  const text = pressed.join(" ");
  let name: KeyName | undefined;
  let isBegun = false;
  for (const known of keyNames()) {
    if (KEYS[known].keys === text) name = known;
    else if (KEYS[known].keys.startsWith(`${text} `)) isBegun = true;
  }
  return name === undefined ? { isBegun } : { name, isBegun };
}

export function keyNames(): KeyName[] {
  return Object.keys(KEYS).filter((name): name is KeyName => Object.hasOwn(KEYS, name));
}
