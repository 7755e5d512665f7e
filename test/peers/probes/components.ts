import {
  call,
  component,
  get,
  MARKDOWN,
  make,
  only,
  own,
  type Probes,
  SELECT,
  same,
  shown,
  tell,
  tui,
  type Use,
} from "./kit.ts";

const at = 1_700_000_000_000;
const iso = new Date(at).toISOString();
const DOWN = "\u001b[B";
const text = (said: string) => ({ type: "text", text: said });
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const assistant = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Hm." },
    text("Some **words** and a list:\n\n- one\n- two"),
  ],
  api: "a",
  provider: "p",
  model: "m",
  usage: { ...NO_COST, totalTokens: 0, cost: { ...NO_COST, total: 0 } },
  stopReason: "stop",
  timestamp: at,
};
const keys = { matches: () => false, getKeys: () => [], getKeybinding: () => undefined };
const nothing = () => {};
const tree = [
  {
    entry: {
      type: "message",
      id: "1",
      parentId: null,
      timestamp: iso,
      message: { role: "user", content: "First question", timestamp: at },
    },
    children: [
      {
        entry: { type: "message", id: "2", parentId: "1", timestamp: iso, message: assistant },
        children: [],
      },
    ],
  },
];

/** The words that are shown, in their order: frames and gaps are each one's own. */
const words = (lines: unknown) =>
  (lines as string[])
    .join(" ")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
    .replace(/\u001b\[[\d;]*m/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** What is chosen with these keys, and that the names of all choices are to be seen. */
const chooses =
  (
    args: (onSelect: (value: unknown) => void, onCancel: () => void) => readonly unknown[],
    see: readonly string[],
    ...pressed: readonly string[]
  ): Use =>
  async (value) => {
    const chosen: unknown[] = [];
    const made = make(
      value,
      ...args(
        (one) => void chosen.push(one),
        () => void chosen.push("cancelled"),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    const said = words(shown(made));
    const list =
      typeof get(made, "getSelectList") === "function" ? tell(made, "getSelectList") : made;
    for (const key of pressed) tell(list, "handleInput", key);
    return [see.map((one) => said.includes(one)), chosen];
  };

const session = (name: string) => ({
  path: `/s/${name}.jsonl`,
  id: name,
  cwd: "/w",
  created: new Date(at),
  modified: new Date(at),
  messageCount: 2,
  firstMessage: `Question of ${name}`,
  allMessagesText: "",
});

export const COMPONENTS: Probes = {
  AssistantMessageComponent: component([assistant, false, MARKDOWN]),
  UserMessageComponent: component(["Some **words** of the user.", MARKDOWN]),
  BashExecutionComponent: (value) => {
    const made = make(value, "ls", tui);
    tell(made, "appendOutput", "a.txt\nb.txt\n");
    tell(made, "setComplete", 0, false);
    const said = words(shown(made));
    return [said.includes("ls"), said.includes("a txt b txt")];
  },
  BorderedLoader: (value, { initTheme }) => {
    const theme = call(initTheme) ?? { fg: (_: string, part: string) => part, bold: same };
    const made = make(value, tui, theme, "Working …");
    const said = words(shown(made));
    tell(made, "dispose");
    return [said.includes("Working"), get(get(made, "signal"), "aborted")];
  },
  BranchSummaryMessageComponent: (value) => {
    const made = make(
      value,
      { role: "branchSummary", summary: "What was there.", fromId: "1", timestamp: at },
      MARKDOWN,
    );
    tell(made, "setExpanded", true);
    return words(shown(made)).includes("What was there");
  },
  CompactionSummaryMessageComponent: (value) => {
    const made = make(
      value,
      { role: "compactionSummary", summary: "What was there.", tokensBefore: 9_000, timestamp: at },
      MARKDOWN,
    );
    tell(made, "setExpanded", true);
    const said = words(shown(made));
    return [said.includes("What was there"), said.includes("9 000")];
  },
  CustomEditor: (value) => {
    const made = make(value, tui, { borderColor: same, selectList: SELECT }, keys);
    for (const key of ["h", "i"]) tell(made, "handleInput", key);
    return [shown(made), tell(made, "getText")];
  },
  CustomMessageComponent: (value) => {
    const message = {
      role: "custom",
      customType: "kind",
      content: "Said.",
      display: true,
      timestamp: at,
    };
    const plain = words(shown(make(value, message, undefined, MARKDOWN)));
    const render = () => ({ render: () => ["drawn"], invalidate: nothing });
    const drawn = words(shown(make(value, message, render, MARKDOWN)));
    return [plain.includes("Said"), plain.includes("kind"), drawn.includes("drawn")];
  },
  DynamicBorder: component([same]),
  ExtensionEditorComponent: async (value) => {
    const done: unknown[] = [];
    const made = make(
      value,
      tui,
      keys,
      "Write it",
      "Draft",
      (said: string) => done.push(said),
      () => done.push("no"),
    );
    const said = words(shown(made));
    tell(made, "handleInput", "\r");
    return [said.includes("Write it"), said.includes("Draft"), done];
  },
  ExtensionInputComponent: async (value) => {
    const done: unknown[] = [];
    const made = make(
      value,
      "Your name",
      "nobody",
      (said: string) => done.push(said),
      () => done.push("no"),
    );
    const said = words(shown(made));
    for (const key of ["a", "b", "\r"]) tell(made, "handleInput", key);
    return [said.includes("Your name"), done];
  },
  ExtensionSelectorComponent: chooses(
    (onSelect, onCancel) => ["Which", ["One", "Two"], onSelect, onCancel],
    ["Which", "One", "Two"],
    DOWN,
    "\r",
  ),
  FooterComponent: own("Pi's asks its own session for everything", true, (value) => {
    const footer = make(
      value,
      {
        model: { id: "the-model", provider: "p", contextWindow: 1_000 },
        state: {
          model: { id: "the-model", provider: "p", contextWindow: 1_000 },
          thinkingLevel: "off",
        },
        sessionManager: { getCwd: () => "/w", getEntries: () => [], getSessionName: () => "named" },
        getContextUsage: () => undefined,
        getSessionStats: () => ({
          tokens: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
          cost: 0,
        }),
      },
      {
        getGitBranch: () => "main",
        getExtensionStatuses: () => new Map(),
        getAvailableProviderCount: () => 1,
      },
    );
    return words(shown(footer)).includes("the model");
  }),
  ModelSelectorComponent: own("Pi's asks its own registry", ["Model one"], async (value) => {
    const model = (name: string) => ({ id: name, name, provider: "p", api: "a", input: ["text"] });
    const chosen: unknown[] = [];
    const registry = {
      refresh: nothing,
      getError: () => undefined,
      getAvailable: () => [model("Model one"), model("Model two")],
      find: () => undefined,
    };
    const made = make(
      value,
      tui,
      undefined,
      { getDefaultModel: nothing, setDefaultModelAndProvider: nothing },
      registry,
      [],
      (one: object) => chosen.push(get(one, "name")),
      nothing,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    shown(made);
    tell(made, "handleInput", "\r");
    return chosen;
  }),
  OAuthSelectorComponent: only("0.74.2", "1.5.0 asks its model runtime", async (value) => {
    const chosen: unknown[] = [];
    const providers = [{ id: "p", name: "Provider P", authType: "oauth" }];
    const storage = {
      hasAuth: () => false,
      get: () => undefined,
      getAuthStatus: () => ({ configured: false }),
    };
    const made = make(
      value,
      "login",
      storage,
      providers,
      (one: unknown) => chosen.push(one),
      nothing,
      () => ({ configured: false }),
    );
    const said = words(shown(made));
    tell(made, "handleInput", "\r");
    return [said.includes("Provider P"), chosen];
  }),
  SessionSelectorComponent: async (value) => {
    const chosen: unknown[] = [];
    const load = async () => [session("one"), session("two")];
    const made = make(
      value,
      load,
      load,
      (one: unknown) => chosen.push(one),
      nothing,
      nothing,
      nothing,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const said = words(shown(made));
    const list =
      typeof get(made, "getSessionList") === "function" ? tell(made, "getSessionList") : made;
    tell(list, "handleInput", "\r");
    return [said.includes("Question of one"), said.includes("Question of two"), chosen];
  },
  ShowImagesSelectorComponent: chooses(
    (onSelect, onCancel) => [true, onSelect, onCancel],
    ["Yes", "No"],
    DOWN,
    "\r",
  ),
  SkillInvocationMessageComponent: (value) => {
    const block = {
      name: "dig",
      location: "/s/dig/SKILL.md",
      content: "Dig deep.",
      userMessage: undefined,
    };
    const made = make(value, block, MARKDOWN);
    const folded = words(shown(made));
    tell(made, "setExpanded", true);
    return [
      folded.includes("dig"),
      folded.includes("Dig deep"),
      words(shown(made)).includes("Dig deep"),
    ];
  },
  ThemeSelectorComponent: chooses(
    (onSelect, onCancel) => ["dark", onSelect, onCancel, nothing],
    ["dark", "light"],
    "\r",
  ),
  ThinkingSelectorComponent: chooses(
    (onSelect, onCancel) => ["off", ["off", "low", "high"], onSelect, onCancel],
    ["off", "low", "high"],
    DOWN,
    "\r",
  ),
  ToolExecutionComponent: (value) => {
    const made = make(value, "greet", "c1", { name: "Ada" }, {}, undefined, tui, "/w");
    tell(made, "updateResult", { content: [text("Hello, Ada.")], isError: false });
    const said = words(shown(made));
    return [said.includes("greet"), said.includes("Hello Ada")];
  },
  TreeSelectorComponent: async (value) => {
    const chosen: unknown[] = [];
    const made = make(
      value,
      structuredClone(tree),
      "2",
      40,
      (one: unknown) => chosen.push(one),
      nothing,
    );
    const said = words(shown(made));
    tell(made, "handleInput", "\u001b[A");
    tell(made, "handleInput", "\r");
    return [said.includes("First question"), chosen];
  },
  UserMessageSelectorComponent: async (value) => {
    const chosen: unknown[] = [];
    const messages = [
      { id: "1", text: "First question" },
      { id: "2", text: "Second question" },
    ];
    const made = make(value, messages, (one: unknown) => chosen.push(one), nothing);
    const said = words(shown(made));
    tell(tell(made, "getMessageList"), "handleInput", "\r");
    return [said.includes("First question"), said.includes("Second question"), chosen];
  },
};
