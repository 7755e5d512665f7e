import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runs } from "../../../../test/setup/sample.ts";
import { SeamError } from "../../../errors/index.ts";
import type { Message } from "../../../events/index.ts";
import { failureOf } from "../failure.ts";
import { HELLO, hear, lonelyModels, user } from "../test-kit/ask.ts";
import { malformedArguments } from "../tool-arguments.ts";
import { parseScript, type ScriptedTurn } from "./parse-script.ts";
import { scriptedModels } from "./scripted-models.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "seam-script-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const NOWHERE = { env: {}, modelsFile: "/nowhere/models.json", authFile: "/nowhere/auth.json" };

function script(...turns: ScriptedTurn[]) {
  const models = scriptedModels(turns, NOWHERE);
  const model = models.resolve("scripted/script");
  return (messages: Message[] = [user("Hello")], options = {}) =>
    hear(models.stream(model, { messages }, options));
}

test("a file with comments is played turn by turn, and its end is told by name", async () => {
  const file = join(dir, "demo.json");
  writeFileSync(file, '[ { "text": "one" }, /* then */ { "text": "two" }, ]');
  const models = lonelyModels();
  const model = models.resolve(`scripted:${file}`);
  expect(model).toMatchObject({ provider: "scripted", id: file });
  expect((await hear(models.stream(model, HELLO))).types).toEqual([
    "start",
    "text_start",
    "text_delta",
    "text_end",
    "done",
  ]);
  // Asking for the same script again does not start it over.
  expect(models.resolve(`scripted:${file}`)).toBe(model);
  const { message } = await hear(models.stream(model, HELLO));
  expect(message.content).toEqual([{ type: "text", text: "two" }]);
  const over = (await hear(models.stream(model, HELLO))).message;
  expect(over.stopReason).toBe("error");
  expect(over.errorMessage).toContain(`The script ${file} has 2 turns`);
  expect(failureOf(over)?.kind).toBe("fatal");
});

test("thinking, text and calls come in that order, with ids that do not change", async () => {
  const ask = script({
    toolCalls: [
      { name: "read", arguments: { path: "a" } },
      { name: "ls", id: "mine" },
    ],
    text: "Looking.",
    thinking: "Hm.",
  });
  const { message } = await ask();
  expect(message.stopReason).toBe("toolUse");
  expect(message.content).toEqual([
    { type: "thinking", thinking: "Hm." },
    { type: "text", text: "Looking." },
    { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a" } },
    { type: "toolCall", id: "mine", name: "ls", arguments: {} },
  ]);
});

test("content keeps the order it has", async () => {
  const ask = script({
    content: [{ text: "a" }, { name: "ls" }, { thinking: "b" }, { text: "c" }],
  });
  const { message } = await ask();
  expect(message.content.map(({ type }) => type)).toEqual(["text", "toolCall", "thinking", "text"]);
});

test("ids go on where the conversation is", async () => {
  const first = await script({ toolCalls: [{ name: "a" }, { name: "b" }] })();
  const ask = script({ toolCalls: [{ name: "c" }] }, { toolCalls: [{ name: "d" }] });
  expect((await ask([user("x"), first.message])).message.content).toMatchObject([{ id: "call_3" }]);
  expect((await ask([user("x"), first.message])).message.content).toMatchObject([{ id: "call_4" }]);
});

test("malformed arguments arrive as a real model's would", async () => {
  const { message } = await script({ toolCalls: [{ name: "read", malformed: '{"path' }] })();
  const [call] = message.content;
  expect(call?.type === "toolCall" && malformedArguments(call)).toBe('{"path');
});

test("{input} is what the user said, also inside arguments", async () => {
  const ask = script({
    text: "You said {input}.",
    toolCalls: [{ name: "echo", arguments: { text: "{input}" } }],
  });
  const { message } = await ask([user('say "hi"\n$&')]);
  expect(message.content).toMatchObject([
    { text: 'You said say "hi"\n$&.' },
    { arguments: { text: 'say "hi"\n$&' } },
  ]);
});

test("chunkSize cuts the answer into pieces", async () => {
  const { events } = await script({ text: "abcdefg", chunkSize: 3 })();
  const deltas = events.flatMap((event) => ("delta" in event ? [event.delta] : []));
  expect(deltas).toEqual(["abc", "def", "g"]);
});

test("delayMs comes before the answer and between its pieces", async () => {
  const start = performance.now();
  await script({ text: "abc", chunkSize: 1, delayMs: 20 })();
  expect(performance.now() - start).toBeGreaterThan(50);
});

test("an abort ends a long wait and a long answer at once", async () => {
  const ask = script(
    { text: "late", delayMs: 600_000 },
    { text: "x".repeat(100_000), chunkSize: 1 },
  );
  const waiting = new AbortController();
  setTimeout(() => waiting.abort(), 20);
  expect((await ask(undefined, { signal: waiting.signal })).message.stopReason).toBe("aborted");
  const models = scriptedModels([{ text: "x".repeat(100_000), chunkSize: 1 }], NOWHERE);
  const abort = new AbortController();
  const model = models.resolve("scripted/script");
  let deltas = 0;
  for await (const event of models.stream(model, HELLO, { signal: abort.signal })) {
    if (event.type === "text_delta" && ++deltas === 10) abort.abort();
  }
  expect(deltas).toBeLessThan(20);
});

test("an error comes with its status, or in the middle of the answer", async () => {
  const ask = script(
    { error: { status: 529, message: "Overloaded" } },
    { text: "Half a sentence", error: { message: "socket hang up", after: 6 } },
    { thinking: "ab", text: "cd", error: { status: 500, message: "late", after: 3 } },
    { text: "all", error: { message: "at the end", after: 100 } },
  );
  const first = await ask();
  expect(first.types).toEqual(["error"]);
  expect(failureOf(first.message)).toEqual({ kind: "transient", status: 529 });
  const second = await ask();
  expect(second.message).toMatchObject({
    content: [{ text: "Half a" }],
    errorMessage: "socket hang up",
  });
  expect((await ask()).message.content).toMatchObject([{ thinking: "ab" }, { text: "c" }]);
  expect((await ask()).message).toMatchObject({ content: [{ text: "all" }], stopReason: "error" });
});

test("usage, stop reason, and a turn that says nothing", async () => {
  const ask = script(
    { text: "a", usage: { input: 5, output: 2 }, stopReason: "length" },
    {},
    { text: "a", stopReason: "error" },
  );
  const { message } = await ask();
  expect(message).toMatchObject({ stopReason: "length", usage: { input: 5, totalTokens: 7 } });
  expect(failureOf((await ask()).message)?.kind).toBe("transient");
  expect((await ask()).types.at(-1)).toBe("error");
});

test("a turn with when is used as soon as it fits, the others in order, none twice", async () => {
  const ask = script(
    { text: "first" },
    { when: "^weather", text: "rain" },
    { text: "second" },
    { when: "tool says", text: "seen" },
  );
  const said = async (...messages: Message[]) => {
    const [block] = (await ask(messages)).message.content;
    return block?.type === "text" ? block.text : "";
  };
  const result: Message = {
    role: "toolResult",
    toolCallId: "1",
    toolName: "x",
    content: [{ type: "text", text: "the tool says hi" }],
    isError: false,
    timestamp: 1,
  };
  expect(await said(user("weather?"))).toBe("rain");
  expect(await said(user("weather?"))).toBe("first");
  expect(await said(user("weather?"), result)).toBe("seen");
  expect(await said(user("anything"))).toBe("second");
});

test("payload and response are seen without a network, and a changed payload counts", async () => {
  const models = scriptedModels(
    [{ text: "{input}" }, { error: { status: 429, message: "x" } }],
    NOWHERE,
  );
  const model = models.resolve("scripted/script");
  const payloads: unknown[] = [];
  const statuses: unknown[] = [];
  const options = {
    onPayload: (payload: unknown) => {
      payloads.push(payload);
      return { ...(payload as object), messages: [user("changed")] };
    },
    onResponse: (response: unknown) => statuses.push(response),
  };
  const { message } = await hear(models.stream(model, HELLO, options));
  expect(message.content).toMatchObject([{ text: "changed" }]);
  await hear(models.stream(model, HELLO, options));
  expect(payloads[0]).toEqual({
    model: "script",
    system: "Be brief.",
    messages: HELLO.messages,
    tools: undefined,
  });
  expect(statuses).toEqual([
    { status: 200, headers: {} },
    { status: 429, headers: {} },
  ]);
});

test("a payload replaced with nonsense does not break the script", async () => {
  for (const nonsense of ["text", 7, { messages: 1 }, { messages: [null, {}, { role: 1 }] }]) {
    const { message } = await script({ text: "{input}!" })(undefined, {
      onPayload: () => nonsense,
    });
    expect(message.stopReason).toBe("stop");
  }
});

test("the model's window can be made small", () => {
  const file = join(dir, "small.json");
  writeFileSync(file, '{ "model": { "contextWindow": 500 }, "turns": [] }');
  expect(lonelyModels().resolve(`scripted:${file}`).contextWindow).toBe(500);
});

test("a script is the default of the models made for it", () => {
  const env = { ANTHROPIC_API_KEY: "k" };
  expect(scriptedModels([], { ...NOWHERE, env }).defaultModel()?.provider).toBe("scripted");
});

test.each([
  ["{}", "no list of turns"],
  ["[{]", "line 1"],
  ["", "line 1"],
  ["[7]", "turn 1"],
  ['[{}, { "toolCall": [] }]', 'turn 2: "toolCall" means nothing; did you mean "toolCalls"?'],
  ['[{ "toolCalls": [{}] }]', "turn 1"],
  [
    '[{ "toolCalls": [{ "name": "ls" }, { "name": "read", "input": {} }] }]',
    'turn 1: toolCalls[1]: "input" means nothing; it can have name, arguments, malformed, id',
  ],
  [
    '[{ "content": [{ "texts": "a" }] }]',
    'content[0]: "texts" means nothing; did you mean "text"?',
  ],
  ['[{ "error": { "message": "a", "code": 500 } }]', 'error: "code" means nothing'],
  ['[{ "usage": { "inputs": 1 } }]', 'usage: "inputs" means nothing; did you mean "input"?'],
  ['{ "turns": [], "model": { "window": 5 } }', 'model: "window" means nothing'],
  ['[{ "when": "(" }]', "turn 1"],
  ['[{ "text": "a", "content": [{ "text": "b" }] }]', 'either "content" or'],
  ['[{ "content": [{ "text": "a", "thinking": "b" }] }]', "one of text, thinking, name"],
  ['[{ "content": [{}] }]', "one of text, thinking, name"],
  ['[{ "toolCalls": [{ "name": "x", "arguments": {}, "malformed": "y" }] }]', "both"],
  ['[{ "error": {} }]', "turn 1"],
  ['[{ "chunkSize": 0 }]', "turn 1"],
  ['{ "turns": [], "model": { "contextWindow": "big" } }', "model:"],
])("%s is refused with the reason", (text, detail) => {
  expect(() => parseScript(text, "x.json")).toThrow(SeamError);
  expect(() => parseScript(text, "x.json")).toThrow(detail);
});

test("a file that is not there", () => {
  expect(() => lonelyModels().resolve("scripted:/no/such/file")).toThrow("/no/such/file");
});

test("whatever stands in a script, it plays or is refused with a SeamError", async () => {
  const key = fc.constantFrom(
    ...["text", "thinking", "toolCalls", "content", "error", "usage", "when", "stopReason", "name"],
    ...["arguments", "malformed", "message", "after", "chunkSize", "turns", "model", "__proto__"],
  );
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));
  const texts = fc.oneof(
    fc.string(),
    value.map((one) => JSON.stringify(one) ?? ""),
    fc.tuple(value, fc.nat(60)).map(([one, at]) => (JSON.stringify([one]) ?? "").slice(0, at)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseScript(text, "fuzz.json");
      } catch (thrown) {
        if (!(thrown instanceof SeamError)) throw thrown;
      }
    }),
    runs(3_000),
  );
  expect(() => parseScript("[".repeat(500_000), "deep.json")).toThrow(SeamError);
});
