import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { Dice, Vocabulary } from "./words.ts";

/** What a turn is made of, before an agent's own form is given to it. */
interface Round {
  readonly id: string;
  readonly at: string;
  readonly thinking: string;
  readonly answer: string;
  readonly command: string;
  readonly path: string;
  readonly output: string;
}

interface Writer {
  /** How much of everything it has. */
  readonly share: number;
  /** Whether what the model thought is in its transcripts. */
  readonly thinks: boolean;
  file(home: string, number: number): string;
  begin(id: string, at: string): object[];
  prompt(text: string, at: string, id: string): object[];
  round(round: Round, session: string): object[];
}

export interface Corpus {
  readonly home: string;
  readonly files: readonly string[];
  readonly bytes: number;
  /** At least so many texts are in it that can be found. */
  readonly entries: number;
}

/** A word that is in it once, if it has a few sessions. */
export const RARE = "zyzzogeton";
/** What makes it, and what is asked about it, the same in every run. */
export const SEED = 20_261_117;

/**
 * How much of it is written. By bytes, tools print as much as they do for people: 4.3 KB of transcript
 * for each entry. By entries, they print a few lines: 0.8 KB for each. The index keeps the beginning
 * and the end of what a tool printed, so that makes no difference to whoever is asked, and leaves
 * less to read for whoever reads the files.
 */
type Amount = { readonly bytes: number } | { readonly entries: number };

const CWD = "/home/dev/app";
const START = Date.UTC(2026, 0, 1);

/** Sessions of seven agents, the same in every run. */
export function writeCorpus(home: string, amount: Amount): Corpus {
  const dice = new Dice(SEED);
  const vocabulary = new Vocabulary(dice);
  const files: string[] = [];
  let entries = 0;
  let total = 0;
  for (const [name, writer] of Object.entries(WRITERS)) {
    let written = 0;
    let said = 0;
    const isEnough = () =>
      "bytes" in amount
        ? written >= amount.bytes * writer.share
        : said >= amount.entries * writer.share;
    for (let number = 0; !isEnough(); number++) {
      const path = writer.file(home, number);
      const session = sessionId(number, name);
      mkdirSync(dirname(path), { recursive: true });
      const fd = openSync(path, "w");
      const clock = new Clock(START + dice.below(300) * 86_400_000);
      const put = (objects: readonly object[]) => {
        const text = objects.map((line) => `${JSON.stringify(line)}\n`).join("");
        written += writeSync(fd, text);
      };
      put(writer.begin(session, clock.next()));
      const turns = 2 + dice.below(12);
      for (let turn = 0; turn < turns; turn++) {
        const isRare = name === "codex" && number === 3 && turn === 1;
        const asked = vocabulary.prose(60 + dice.below(400)) + (isRare ? ` ${RARE}` : "");
        put(writer.prompt(asked, clock.next(), `p${turn}`));
        said++;
        const rounds = 1 + dice.below(10);
        for (let at = 0; at < rounds; at++) {
          const id = `${session}-${turn}-${at}`;
          const printed = "bytes" in amount ? asForPeople(dice) : 40 + dice.below(400);
          const round = roundOf(id, clock.next(), vocabulary, dice, printed);
          put(writer.round(round, session));
          // The call, what the tool printed, and what the model said and thought.
          said += 2 + (round.answer ? 1 : 0) + (round.thinking && writer.thinks ? 1 : 0);
        }
      }
      closeSync(fd);
      files.push(path);
    }
    total += written;
    entries += said;
  }
  return { home, files, bytes: total, entries };
}

/** How much a tool prints: mostly a file or a part of it, sometimes very much. */
function asForPeople(dice: Dice): number {
  return dice.below(10) === 0 ? 20_000 + dice.below(40_000) : 300 + dice.below(9_000);
}

function roundOf(
  id: string,
  at: string,
  vocabulary: Vocabulary,
  dice: Dice,
  printed: number,
): Round {
  return {
    id,
    at,
    thinking: dice.below(3) === 0 ? vocabulary.prose(100 + dice.below(500)) : "",
    answer: dice.below(2) === 0 ? vocabulary.prose(40 + dice.below(500)) : "",
    command: `rg -n "${vocabulary.name()}" ${vocabulary.path()} | head -${dice.below(50)}`,
    path: vocabulary.path(),
    output: vocabulary.code(printed),
  };
}

class Clock {
  #now: number;

  constructor(start: number) {
    this.#now = start;
  }

  next(): string {
    this.#now += 7_000;
    return new Date(this.#now).toISOString();
  }
}

function sessionId(number: number, agent: string): string {
  const part = Buffer.from(agent).toString("hex").slice(0, 12).padEnd(12, "0");
  return `${number.toString(16).padStart(8, "0")}-0000-7000-8000-${part}`;
}

const day = (number: number) =>
  `2026/${String(1 + (number % 12)).padStart(2, "0")}/${String(1 + (number % 28)).padStart(2, "0")}`;

const WRITERS: Readonly<Record<string, Writer>> = {
  claude: {
    share: 0.4,
    thinks: true,
    file: (home, number) =>
      join(
        home,
        ".claude/projects",
        `-home-dev-app-${number % 40}`,
        `${sessionId(number, "claude")}.jsonl`,
      ),
    begin: () => [],
    prompt: (content, timestamp, uuid) => [
      {
        uuid,
        timestamp,
        cwd: CWD,
        sessionId: "s",
        type: "user",
        message: { role: "user", content },
      },
    ],
    round: (round, sessionId) => {
      const common = {
        timestamp: round.at,
        cwd: CWD,
        sessionId,
        version: "2.1.197",
        gitBranch: "main",
        userType: "external",
        isSidechain: false,
      };
      const usage = {
        input_tokens: 12,
        cache_creation_input_tokens: 400,
        cache_read_input_tokens: 90_000,
        output_tokens: 300,
      };
      const said = (content: object, kind: string) => ({
        ...common,
        uuid: `${round.id}-${kind}`,
        parentUuid: round.id,
        requestId: `req_${round.id}`,
        type: "assistant",
        message: {
          id: `msg_${round.id}`,
          type: "message",
          role: "assistant",
          model: "claude-sonnet-4-6",
          content: [content],
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
      });
      return [
        ...(round.thinking
          ? [said({ type: "thinking", thinking: round.thinking, signature: "E".repeat(400) }, "t")]
          : []),
        ...(round.answer ? [said({ type: "text", text: round.answer }, "a")] : []),
        said(
          {
            type: "tool_use",
            id: `toolu_${round.id}`,
            name: "Bash",
            input: { command: round.command, description: "look" },
          },
          "c",
        ),
        {
          ...common,
          uuid: `${round.id}-r`,
          type: "user",
          message: {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: `toolu_${round.id}`, content: round.output },
            ],
          },
          toolUseResult: { stdout: round.output, stderr: "", interrupted: false },
        },
      ];
    },
  },
  codex: {
    share: 0.25,
    thinks: true,
    file: (home, number) =>
      join(
        home,
        ".codex/sessions",
        day(number),
        `rollout-2026-01-01T00-00-00-${sessionId(number, "codex")}.jsonl`,
      ),
    begin: (id, timestamp) => [
      {
        timestamp,
        type: "session_meta",
        payload: {
          id,
          timestamp,
          cwd: CWD,
          cli_version: "0.166.0",
          base_instructions: { text: "You are Codex. ".repeat(400) },
        },
      },
      {
        timestamp,
        type: "turn_context",
        payload: { cwd: CWD, model: "gpt-5.5", approval_policy: "never" },
      },
    ],
    prompt: (message, timestamp) => [
      { timestamp, type: "event_msg", payload: { type: "user_message", message } },
      {
        timestamp,
        type: "response_item",
        payload: {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: message }],
        },
      },
    ],
    round: ({ id, at: timestamp, thinking, answer, command, output }) => [
      ...(thinking
        ? [
            {
              timestamp,
              type: "response_item",
              payload: {
                type: "reasoning",
                summary: [{ type: "summary_text", text: thinking }],
                encrypted_content: "g".repeat(1_500),
              },
            },
          ]
        : []),
      ...(answer
        ? [
            {
              timestamp,
              type: "response_item",
              payload: {
                type: "message",
                role: "assistant",
                content: [{ type: "output_text", text: answer }],
              },
            },
          ]
        : []),
      {
        timestamp,
        type: "response_item",
        payload: {
          type: "function_call",
          name: "exec_command",
          arguments: JSON.stringify({ cmd: command }),
          call_id: `call_${id}`,
        },
      },
      {
        timestamp,
        type: "response_item",
        payload: {
          type: "function_call_output",
          call_id: `call_${id}`,
          output: `Exit code: 0\nWall time: 0.1 seconds\nOutput:\n${output}`,
        },
      },
    ],
  },
  gemini: {
    share: 0.1,
    thinks: true,
    file: (home, number) =>
      join(
        home,
        ".gemini/tmp/app/chats",
        `session-2026-01-01T00-00-${sessionId(number, "gemini").slice(0, 8)}.jsonl`,
      ),
    begin: (sessionId, startTime) => [
      { sessionId, projectHash: "0".repeat(64), startTime, kind: "main" },
    ],
    prompt: (text, timestamp, id) => [{ id, timestamp, type: "user", content: [{ text }] }],
    round: ({ id, at: timestamp, thinking, answer, command, output }) => [
      {
        id,
        timestamp,
        type: "gemini",
        content: answer,
        model: "gemini-2.5-pro",
        tokens: { input: 9_000, output: 200, cached: 8_000, thoughts: 10 },
        thoughts: thinking ? [{ subject: "Looking", description: thinking }] : [],
        toolCalls: [
          {
            id: `t-${id}`,
            name: "run_shell_command",
            args: { command },
            status: "success",
            timestamp,
            result: [
              {
                functionResponse: {
                  id: `t-${id}`,
                  name: "run_shell_command",
                  response: { output },
                },
              },
            ],
          },
        ],
      },
    ],
  },
  copilot: {
    share: 0.08,
    thinks: false,
    file: (home, number) =>
      join(home, ".copilot/session-state", sessionId(number, "copilot"), "events.jsonl"),
    begin: (sessionId, timestamp) => [
      {
        type: "session.start",
        id: "start",
        timestamp,
        data: { sessionId, selectedModel: "gpt-5.5", context: { cwd: CWD } },
      },
    ],
    prompt: (content, timestamp, id) => [
      { type: "user.message", id, timestamp, data: { content } },
    ],
    round: ({ id, at: timestamp, answer, command, output }) => [
      {
        type: "assistant.message",
        id: `${id}-a`,
        timestamp,
        data: { content: answer, model: "gpt-5.5" },
      },
      {
        type: "tool.execution_start",
        id: `${id}-c`,
        timestamp,
        data: { toolCallId: id, toolName: "bash", arguments: { command } },
      },
      {
        type: "tool.execution_complete",
        id: `${id}-r`,
        timestamp,
        data: {
          toolCallId: id,
          success: true,
          result: { content: output, detailedContent: output },
        },
      },
    ],
  },
  pi: {
    share: 0.07,
    thinks: true,
    file: (home, number) =>
      join(
        home,
        ".pi/agent/sessions/--home-dev-app--",
        `2026-01-01T00-00-00-000Z_${sessionId(number, "pi")}.jsonl`,
      ),
    begin: (id, timestamp) => [{ type: "session", version: 3, id, timestamp, cwd: CWD }],
    prompt: (text, timestamp, id) => [
      {
        type: "message",
        id,
        timestamp,
        message: { role: "user", content: [{ type: "text", text }] },
      },
    ],
    round: ({ id, at: timestamp, thinking, answer, command, output }) => [
      {
        type: "message",
        id: `${id}-a`,
        timestamp,
        message: {
          role: "assistant",
          model: "claude-sonnet-4-6",
          usage: { input: 10, output: 100, cacheRead: 5_000, cacheWrite: 100 },
          content: [
            { type: "thinking", thinking },
            { type: "text", text: answer },
            { type: "toolCall", id, name: "bash", arguments: { command } },
          ],
        },
      },
      {
        type: "message",
        id: `${id}-r`,
        timestamp,
        message: {
          role: "toolResult",
          toolCallId: id,
          toolName: "bash",
          content: [{ type: "text", text: output }],
        },
      },
    ],
  },
  droid: {
    share: 0.05,
    thinks: false,
    file: (home, number) =>
      join(home, ".factory/sessions/-home-dev-app", `${sessionId(number, "droid")}.jsonl`),
    begin: (id) => [
      { type: "session_start", id, title: "work", owner: "dev", version: 2, cwd: CWD },
    ],
    prompt: (text, timestamp, id) => [
      {
        type: "message",
        id,
        timestamp,
        message: { role: "user", content: [{ type: "text", text }] },
      },
    ],
    round: ({ id, at: timestamp, answer, command, output }) => [
      {
        type: "message",
        id: `${id}-a`,
        timestamp,
        message: {
          role: "assistant",
          modelId: "claude-sonnet-4-6",
          content: [
            { type: "text", text: answer },
            { type: "tool_use", id, name: "Execute", input: { command } },
          ],
        },
      },
      {
        type: "message",
        id: `${id}-r`,
        timestamp,
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: output }],
        },
      },
    ],
  },
  cursor: {
    share: 0.05,
    thinks: false,
    file: (home, number) => {
      const id = sessionId(number, "cursor");
      return join(home, ".cursor/projects/home-dev-app/agent-transcripts", id, `${id}.jsonl`);
    },
    begin: () => [],
    prompt: (text) => [
      {
        role: "user",
        message: { content: [{ type: "text", text: `<user_query>\n${text}\n</user_query>` }] },
      },
    ],
    round: ({ id, answer, command, output }) => [
      {
        role: "assistant",
        message: {
          content: [
            { type: "text", text: answer },
            { type: "tool_use", id, name: "Shell", input: { command } },
          ],
        },
      },
      {
        role: "user",
        message: { content: [{ type: "tool_result", tool_use_id: id, content: output }] },
      },
    ],
  },
};
