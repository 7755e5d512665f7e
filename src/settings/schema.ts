import { type Static, Type } from "typebox";

/** Every number has bounds: a timer that is set to more than 2^31-1 ms fires at once. */
const HOUR_MS = 3_600_000;
/** Less than this, and handlers fail that do nothing wrong. */
const SHORTEST_DEADLINE_MS = 100;
/** The longest a project may let anyone wait, whatever the user trusted. */
export const LONGEST_FROM_PROJECT_MS = 600_000;

const tokens = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 }));
const milliseconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 24 * HOUR_MS }));
const deadline = { minimum: SHORTEST_DEADLINE_MS, maximum: HOUR_MS };

const dollars = Type.Number({ minimum: 0, maximum: 1_000_000 });
const price = Type.Object(
  {
    input: dollars,
    output: dollars,
    cacheRead: Type.Optional(dollars),
    cacheWrite: Type.Optional(dollars),
    cacheWriteHour: Type.Optional(dollars),
  },
  { additionalProperties: false },
);

/** All settings there are. What each may do from which file is in `policy.ts`. */
export const SettingsSchema = Type.Object({
  extensions: Type.Array(Type.String(), {
    description: "Extension files or folders to load, beside those in the usual folders.",
    default: [],
  }),
  theme: Type.String({
    description:
      "The colours of the interactive terminal: dark, light, the name of a theme file, or auto for what fits the terminal.",
    default: "auto",
    minLength: 1,
    maxLength: 100,
  }),
  fullscreen: Type.Boolean({
    description:
      "Whether Seam's own agent uses the whole terminal. If not, what was said goes into the terminal's own scrollback.",
    default: true,
  }),
  packages: Type.Array(Type.String(), {
    description: "npm packages or folders whose package.json names extensions.",
    default: [],
  }),
  agents: Type.Array(Type.String(), {
    description:
      "npm packages or folders with an agent that does not come with Seam: its default export is the agent.",
    default: [],
  }),
  disabled: Type.Array(Type.String(), {
    description: "Names of extensions that are found and not loaded.",
    default: [],
  }),
  deadlines: Type.Record(Type.String(), Type.Number(deadline), {
    description: "Milliseconds a handler may take, by event: 100 to 3600000.",
    default: {},
  }),
  loadDeadlineMs: Type.Number({
    description: "Milliseconds one extension may take to load: 100 to 3600000.",
    ...deadline,
    default: 10_000,
  }),
  stuckMs: Type.Number({
    description:
      "Milliseconds code of an extension may hold the embedded agent's thread before the run is ended; 0 means for ever.",
    minimum: 0,
    maximum: HOUR_MS,
    default: 10_000,
  }),
  compaction: Type.Object(
    {
      enabled: Type.Optional(Type.Boolean()),
      reserveTokens: tokens,
      keepRecentTokens: tokens,
      idleMs: milliseconds,
    },
    {
      additionalProperties: false,
      description:
        "When the embedded agent summarises the older part of a conversation. enabled: without being asked. reserveTokens: as soon as less than this is left of the model's window. keepRecentTokens: what stays word for word. Small windows get less of both. idleMs: also when nothing has happened for this long and the window is half full; 0 means never.",
      default: { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000, idleMs: 0 },
    },
  ),
  retry: Type.Object(
    {
      enabled: Type.Optional(Type.Boolean()),
      maxRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
      baseDelayMs: milliseconds,
      maxDelayMs: milliseconds,
      fallbackModels: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    },
    {
      additionalProperties: false,
      description:
        "How often the embedded agent asks again after a failure that passes, and how long it waits: baseDelayMs, then twice as long each time, or what the provider asks for, and never longer than maxDelayMs. fallbackModels: models that go on with the turn, one after the other, when that was in vain.",
      default: { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000 },
    },
  ),
  maxTodoReminders: Type.Integer({
    description:
      "How often in a turn the embedded agent is reminded of open todos when it stops before they are done; 0 means never.",
    minimum: 0,
    maximum: 100,
    default: 3,
  }),
  whenUnavailable: Type.Union(
    [Type.Literal("auto"), Type.Literal("allow"), Type.Literal("block")],
    {
      description:
        "What becomes of an agent's tool calls while Seam's daemon cannot be reached. auto: they are blocked where a critical extension is installed.",
      default: "auto",
    },
  ),
  protectSeam: Type.Union([Type.Literal("ask"), Type.Literal("block"), Type.Literal("allow")], {
    description:
      "What becomes of an agent's tool call that would change what Seam relies on: its folders, its hooks in the agents' settings, git's hooks. ask: the agent's own dialog, where it has none the call is blocked. A project can only say block.",
    default: "ask",
  }),
  inbox: Type.Object(
    {
      attended: Type.Optional(Type.Union([Type.Literal("clients"), Type.Literal("always")])),
      notify: Type.Optional(Type.Boolean()),
      notifyAfterSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3_600 })),
      notifyCommand: Type.Optional(Type.String()),
    },
    {
      additionalProperties: false,
      description:
        "Questions that wait for a person. attended: when agents wait for an answer; clients: while a page or a terminal is attached; always: also while none is. notify: show a notification at the desktop once a question has waited for notifyAfterSeconds. notifyCommand: a shell command that does it instead, with the question in SEAM_QUESTION, SEAM_TITLE and SEAM_TEXT.",
      default: { attended: "clients", notify: true, notifyAfterSeconds: 5 },
    },
  ),
  daemonIdleMinutes: Type.Number({
    description:
      "Minutes without a hook after which the daemon ends; the next hook starts it again.",
    minimum: 0.01,
    maximum: 10_080,
    default: 60,
  }),
  keepDays: Type.Integer({
    description:
      "Days for which the files in snapshots of turns and of rewinds are kept, and states of sessions that are over. The daemon removes older ones. What happened in a turn stays, and so does every checkpoint. 0 means for ever.",
    minimum: 0,
    maximum: 36_500,
    default: 90,
  }),
  checkpointRemote: Type.String({
    description: "Where `seam sync` exchanges checkpoints: the name of a remote, or a URL.",
    default: "origin",
  }),
  unrecorded: Type.Array(Type.String(), {
    description:
      "Folders that are left out where `seam enable --level user --record` records every repository: absolute, or from the home folder on (`~/private`). What is below them is left out as well.",
    default: [],
  }),
  prices: Type.Record(Type.String(), price, {
    description:
      "What models cost in `seam stats`, by the beginning of their name, in dollars for a million tokens: input, output, cacheRead, cacheWrite, cacheWriteHour. Counts before the table that comes with Seam.",
    default: {},
  }),
  redaction: Type.Object(
    {
      patterns: Type.Optional(Type.Array(Type.String())),
      allow: Type.Optional(Type.Array(Type.String())),
    },
    {
      additionalProperties: false,
      description:
        "What is taken out of the record, beside what looks like a secret. patterns: texts, or regular expressions like /acme-[0-9a-f]{32}/i; lists add up. allow: what is no secret although it looks like one.",
      default: {},
    },
  ),
  view: Type.Object(
    {
      port: Type.Optional(Type.Integer({ minimum: 1024, maximum: 65_535 })),
      prefix: Type.Optional(Type.String({ pattern: "^(/[A-Za-z0-9._~-]+)+$" })),
      hosts: Type.Optional(Type.Array(Type.String())),
      terminal: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    },
    {
      additionalProperties: false,
      description:
        "The page of `seam view`. port: the one to use, not the one it had before. prefix: the path it is under, like /seam, behind a proxy that serves other things too. hosts: names it may be reached by beside localhost, like box.example.org or box.example.org:8443. terminal: the program and its arguments in which a session is resumed from the page, like `gnome-terminal` and `--`; without it, tmux.",
      default: {},
    },
  ),
  crew: Type.Object(
    {
      database: Type.Optional(Type.String({ minLength: 1 })),
      remote: Type.Optional(Type.String({ minLength: 1 })),
      slots: Type.Optional(Type.String({ minLength: 1 })),
      setup: Type.Optional(Type.String({ minLength: 1 })),
      name: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9._-]{1,64}$" })),
      agents: Type.Optional(Type.Array(Type.String())),
      atOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
      atOnceFor: Type.Optional(
        Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 256 })),
      ),
      atOnceIn: Type.Optional(
        Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 256 })),
      ),
      dayBudget: Type.Optional(
        Type.Object(
          {
            dollars: Type.Optional(dollars),
            tokens: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000_000 })),
            minutes: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
          },
          { additionalProperties: false },
        ),
      ),
      land: Type.Optional(Type.Boolean()),
      proofMinutes: Type.Optional(Type.Number({ minimum: 0.01, maximum: 1_440 })),
      leaseSeconds: Type.Optional(Type.Number({ minimum: 0.5, maximum: 3_600 })),
    },
    {
      additionalProperties: false,
      description:
        "Crews. database: postgres://… for several machines; without it, a file in ~/.seam/crew. remote: the git remote, a name or a URL, by which machines exchange the branches of a run; nothing else is ever pushed. slots: the folder for worktrees. setup: a command that makes a fresh worktree ready, such as npm ci; run again only when a lock file changed. name: of this machine among the workers. agents: who does what a workflow leaves open, best first, like claude-code or codex:gpt-5. atOnce: agents at work at the same time on this machine. atOnceFor: the same for one agent, on all machines. atOnceIn: the same for one pool of machines. dayBudget: dollars, tokens and minutes for all runs of a day. land: true brings what a run that is done made to the branch on which it was started. proofMinutes: for each command that proves something. leaseSeconds: after so long another machine takes over what a worker had that is not heard of.",
      default: { atOnce: 4, proofMinutes: 30, leaseSeconds: 30 },
    },
  ),
});

export type Settings = Static<typeof SettingsSchema>;
export type SettingKey = keyof Settings;

export const SETTING_KEYS = Object.keys(SettingsSchema.properties) as SettingKey[];

export function defaultSettings(): Settings {
  return {
    extensions: [],
    theme: "auto",
    fullscreen: true,
    packages: [],
    agents: [],
    disabled: [],
    deadlines: {},
    loadDeadlineMs: 10_000,
    stuckMs: 10_000,
    compaction: { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000, idleMs: 0 },
    retry: { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000 },
    maxTodoReminders: 3,
    whenUnavailable: "auto",
    protectSeam: "ask",
    inbox: { attended: "clients", notify: true, notifyAfterSeconds: 5 },
    daemonIdleMinutes: 60,
    keepDays: 90,
    checkpointRemote: "origin",
    unrecorded: [],
    prices: {},
    redaction: {},
    view: {},
    crew: { atOnce: 4, proofMinutes: 30, leaseSeconds: 30 },
  };
}
