import { call, calls, get, only, PNG, type Probes } from "./kit.ts";

const UNPUBLISHED = "what 1.5.0 checks schemas with is not published";

const at = 1_700_000_000_000;
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = { input: 900, output: 50, cacheRead: 40, cacheWrite: 10, totalTokens: 1_000, cost };
const model = {
  id: "m",
  name: "M",
  api: "anthropic-messages",
  provider: "anthropic",
  baseUrl: "https://api.anthropic.com",
  reasoning: true,
  input: ["text"],
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  contextWindow: 200_000,
  maxTokens: 8_000,
};
const assistant = {
  role: "assistant",
  content: [
    { type: "text", text: "Hi." },
    { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } },
  ],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "m",
  usage,
  stopReason: "toolUse",
  timestamp: at,
};
const user = { role: "user", content: "Hello.", timestamp: at };
const result = {
  role: "toolResult",
  toolCallId: "c1",
  toolName: "bash",
  content: [{ type: "text", text: "a.txt" }],
  isError: false,
  timestamp: at,
};
const iso = new Date(at).toISOString();
const entry = (id: string, parentId: string | null, message: object) => ({
  type: "message",
  id,
  parentId,
  timestamp: iso,
  message,
});
const branch = [entry("1", null, user), entry("2", "1", assistant), entry("3", "2", result)];
const tooLong = { ...assistant, stopReason: "error", errorMessage: "prompt is too long: 9 > 8" };
const schema = {
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
} as const;
const tool = { name: "t", description: "T", parameters: schema };

/** Functions that give the same for the same. */
export const FUNCTIONS: Readonly<Record<string, Probes>> = {
  "pi-coding-agent": {
    formatSize: calls([0], [1_023], [1_536], [5_000_000]),
    truncateHead: calls(["a\nb\nc", { maxLines: 2 }], ["abc", {}]),
    truncateTail: calls(["a\nb\nc", { maxLines: 2 }], ["abc", {}]),
    truncateLine: calls(["abcdef", 3], ["ab", 3]),
    parseFrontmatter: calls(["---\na: 1\n---\nBody"], ["No head"]),
    stripFrontmatter: calls(["---\na: 1\n---\nBody"], ["No head"]),
    convertToLlm: calls([[user, assistant, result]]),
    serializeConversation: calls([[user, assistant, result]]),
    calculateContextTokens: calls([usage]),
    estimateTokens: calls([user], [assistant], [result]),
    shouldCompact: calls(
      [190_000, 200_000, { enabled: true, reserveTokens: 16_384, keepRecentTokens: 1 }],
      [10, 200_000, { enabled: true, reserveTokens: 16_384, keepRecentTokens: 1 }],
    ),
    getLastAssistantUsage: calls([branch]),
    findTurnStartIndex: calls([branch, 2, 0]),
    getLatestCompactionEntry: calls([branch]),
    buildSessionContext: calls([branch]),
    parseSessionEntries: calls([branch.map((one) => JSON.stringify(one)).join("\n")]),
    parseSkillBlock: calls(
      ['<skill name="a" location="/a/SKILL.md">\nDo.\n</skill>\n\nNow'],
      ["no skill"],
    ),
    getLanguageFromPath: calls(["a.ts"], ["c.unknown"], ["x.py"]),
    isBashToolResult: calls([{ toolName: "bash" }], [{ toolName: "read" }]),
    isReadToolResult: calls([{ toolName: "read" }], [{ toolName: "bash" }]),
    isEditToolResult: calls([{ toolName: "edit" }], [{ toolName: "bash" }]),
    isWriteToolResult: calls([{ toolName: "write" }], [{ toolName: "bash" }]),
    isGrepToolResult: calls([{ toolName: "grep" }], [{ toolName: "bash" }]),
    isFindToolResult: calls([{ toolName: "find" }], [{ toolName: "bash" }]),
    isLsToolResult: calls([{ toolName: "ls" }], [{ toolName: "bash" }]),
    isToolCallEventType: calls(["bash", { toolName: "bash" }], ["bash", { toolName: "read" }]),
    defineTool: calls([{ name: "a" }]),
    createEventBus: (value) => {
      const bus = Reflect.apply(value, undefined, []) as {
        on(channel: string, handler: (data: unknown) => void): () => void;
        emit(channel: string, data: unknown): void;
      };
      const heard: unknown[] = [];
      const stop = bus.on("a", (data) => void heard.push(data));
      bus.emit("a", 1);
      bus.emit("b", 2);
      stop();
      bus.emit("a", 3);
      return heard;
    },
    withFileMutationQueue: async (value) => {
      const order: number[] = [];
      const wait = (ms: number, n: number) => async () => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        order.push(n);
      };
      await Promise.all([
        Reflect.apply(value, undefined, ["/tmp/names-probe", wait(20, 1)]),
        Reflect.apply(value, undefined, ["/tmp/names-probe", wait(0, 2)]),
      ]);
      return order;
    },
  },
  "pi-ai": {
    isContextOverflow: calls([tooLong, 200_000], [assistant, 200_000], [assistant, 500]),
    calculateCost: (value) => get(call(value, model, { ...usage, cost: { ...cost } }), "total"),
    modelsAreEqual: calls(
      [model, { ...model }],
      [model, { ...model, id: "n" }],
      [undefined, model],
      [undefined, undefined],
    ),
    clampThinkingLevel: calls([model, "high"], [{ ...model, reasoning: false }, "high"]),
    getSupportedThinkingLevels: calls([model], [{ ...model, reasoning: false }]),
    parseStreamingJson: calls(['{"a": 1, "b": "x'], ["{}"], [""], ["[1,"]),
    repairJson: calls(['{"a": "x\ny"}']),
    parseJsonWithRepair: calls(['{"a": "x\ny"}'], ['{"a": 1}']),
    fauxText: calls(["a"]),
    fauxThinking: calls(["a"]),
    fauxToolCall: calls(["bash", { command: "ls" }, { id: "c" }]),
    validateToolArguments: only(
      "0.74.2",
      UNPUBLISHED,
      calls([tool, { type: "toolCall", id: "c", name: "t", arguments: { n: 1 } }]),
    ),
    validateToolCall: only(
      "0.74.2",
      UNPUBLISHED,
      calls([[tool], { type: "toolCall", id: "c", name: "t", arguments: { n: 1 } }]),
    ),
    StringEnum: calls([["a", "b"], { description: "d" }]),
  },
  "pi-agent-core": {
    formatSize: calls([0], [1_536]),
    truncateHead: calls(["a\nb\nc", { maxLines: 2 }]),
    truncateLine: calls(["abcdef", 3]),
    parseCommandArgs: calls(['a "b c" d'], [""]),
    substituteArgs: calls(["$1 and $2, $@", ["x", "y"]], ["$ARGUMENTS", ["a", "b"]]),
    sanitizeBinaryOutput: calls(["a\u0000b\tc\n"]),
    bashExecutionToText: calls([
      { command: "ls", output: "a", exitCode: 0, cancelled: false, truncated: false },
    ]),
    ok: calls([1]),
    err: calls(["no"]),
    getOrUndefined: calls([{ ok: true, value: 1 }], [{ ok: false, error: "e" }]),
    shouldCompact: calls([
      190_000,
      200_000,
      { enabled: true, reserveTokens: 16_384, keepRecentTokens: 1 },
    ]),
    convertToLlm: calls([[user, assistant, result]]),
  },
  "pi-tui": {
    visibleWidth: calls(["abc"], ["日本"], ["\u001b[31mred\u001b[0m"], ["👍🏽"], ["\t"]),
    truncateToWidth: calls(["abcdef", 4], ["日本語", 4], ["ab", 4], ["abcdef", 4, ""]),
    wrapTextWithAnsi: calls(["one two three", 7], ["\u001b[31mred text\u001b[0m", 4], ["", 5]),
    // How well it fits is a number of each one's own.
    fuzzyMatch: (value) =>
      [
        ["abc", "a_b_c"],
        ["x", "abc"],
      ].map((args) => (Reflect.apply(value, undefined, args) as { matches: boolean }).matches),
    fuzzyFilter: (value) =>
      Reflect.apply(value, undefined, [["alpha", "beta", "gamma"], "ga", (text: string) => text]),
    matchesKey: calls(["\r", "enter"], ["\u001b[A", "up"], ["\u0003", "ctrl+c"], ["a", "b"]),
    parseKey: calls(["\r"], ["\u001b[A"], ["\u0003"], ["a"], ["\u001b"]),
    isKeyRelease: calls(["\u001b[97;1:3u"], ["a"]),
    isKeyRepeat: calls(["\u001b[97;1:2u"], ["a"]),
    isFocusable: calls([{ focused: true }], [{}], [null]),
    encodeITerm2: calls(["QUJD", { width: 10 }]),
    imageFallback: calls(["image/png", { widthPx: 10, heightPx: 20 }, "a.png"]),
    calculateImageRows: calls([{ widthPx: 100, heightPx: 50 }, 20, { widthPx: 8, heightPx: 16 }]),
    getPngDimensions: calls([PNG], ["nope"]),
    getImageDimensions: calls([PNG, "image/png"]),
    hyperlink: calls(["text", "https://example.com"]),
  },
};
