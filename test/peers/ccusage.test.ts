/**
 * The numbers of `seam stats` beside those of ccusage, on the same files of Claude Code and Codex.
 *
 * They are equal but for what follows; each line has a test below.
 *
 * | what a transcript says | ccusage | Seam | why |
 * |---|---|---|---|
 * | one message id with two request ids | two calls | one call | an answer has one id; a request that is sent again gets an answer with another |
 * | an answer Claude Code made up itself (model `<synthetic>`) with tokens | tokens, no model | nothing | no model was asked |
 * | a model without a known price | costs 0, marked as missing | no cost, named below the table | a sum that lacks something says so |
 * | tokens written to the cache of an OpenAI model before GPT-5.6 | 1.25 of input | as input | OpenAI asks nothing extra for it |
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { Dice } from "../../bench/search/words.ts";
import { ALL_AGENTS } from "../../src/agents/index.ts";
import { Indexer } from "../../src/search/indexing/indexer.ts";
import type { StatsRequest } from "../../src/search/request.ts";
import { stats } from "../../src/search/stats/stats.ts";
import { openToRead } from "../../src/search/store/database.ts";

const CCUSAGE = fileURLToPath(new URL("node_modules/.bin/ccusage", import.meta.url));

interface Numbers {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
}

/** A home with transcripts, and the numbers of both for it. */
function place() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "seam-ccusage-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const ask = (agent: string, report: string, ...more: string[]) => {
    const env = {
      ...process.env,
      HOME: home,
      TZ: "UTC",
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      CODEX_HOME: join(home, ".codex"),
    };
    const args = [agent, report, "--json", "--offline", ...more];
    const said: Record<string, Record<string, unknown>[]> = JSON.parse(
      execFileSync(CCUSAGE, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
    return said[report === "session" ? "sessions" : report] ?? [];
  };
  const seam = async (request: StatsRequest) => {
    const indexer = new Indexer({
      home: join(home, "seam"),
      agents: ALL_AGENTS,
      folders: { home, env: {} },
      log: () => {},
    });
    await indexer.pass();
    await indexer.close();
    const database = openToRead(join(home, "seam"));
    if (!database) throw new Error("There is no index.");
    const { rows } = stats(database, { timezone: "UTC", ...request }, {});
    database.close();
    return Object.fromEntries(
      rows.map(({ key, input, output, cacheRead, cacheWrite, cost = 0 }) => [
        key,
        { input, output, cacheRead, cacheWrite, cost: rounded(cost) },
      ]),
    );
  };
  const write = (path: string, lines: readonly object[]) => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  };
  return { ask, seam, write };
}

const rounded = (dollars: unknown) => Math.round(Number(dollars) * 1e9) / 1e9;

function numbersOf(rows: readonly Record<string, unknown>[], key: string): Record<string, Numbers> {
  return Object.fromEntries(
    rows.map((row) => [
      String(row[key]),
      {
        input: Number(row.inputTokens),
        output: Number(row.outputTokens),
        cacheRead: Number(row.cacheReadTokens),
        cacheWrite: Number(row.cacheCreationTokens),
        cost: rounded(row.totalCost ?? row.costUSD),
      },
    ]),
  );
}

interface Answer {
  readonly id: string;
  readonly at: string;
  readonly model?: string;
  readonly usage: object;
  readonly request?: string;
  readonly more?: object;
}

const answer = (
  session: string,
  { id, at, model = "claude-sonnet-4-5-20250929", usage, request = `req_${id}`, more }: Answer,
) => ({
  type: "assistant",
  uuid: `${session}-${id}-${at}`,
  sessionId: session,
  timestamp: at,
  cwd: "/home/dev/app",
  version: "2.1.197",
  requestId: request,
  message: {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text: "x" }],
    usage,
  },
  ...more,
});

const MODELS = [
  "claude-sonnet-4-5-20250929",
  "claude-opus-4-8",
  "claude-haiku-4-5-20251001",
  "claude-opus-4-1-20250805",
  "claude-sonnet-4-6",
];
const at = (day: number, second: number) =>
  new Date(Date.UTC(2026, 9, day, 9, 0, second)).toISOString();

it("Claude Code: repeats, growing answers, forks, several models, both caches and long requests", async () => {
  const { ask, seam, write } = place();
  const dice = new Dice(7);
  let before: object[] = [];
  for (let session = 0; session < 12; session++) {
    const name = `session-${session}`;
    // A session that goes on from another brings its lines along.
    const lines: object[] = session % 3 === 2 ? [...before] : [];
    for (let call = 0; call < 25; call++) {
      const written = dice.below(5_000);
      const input = dice.below(10) === 0 ? 150_000 + dice.below(200_000) : dice.below(3_000);
      const usage = (output: number) => ({
        input_tokens: input,
        output_tokens: output,
        cache_read_input_tokens: dice.below(90_000),
        cache_creation_input_tokens: written,
        cache_creation: {
          ephemeral_5m_input_tokens: written - Math.floor(written / 3),
          ephemeral_1h_input_tokens: Math.floor(written / 3),
        },
      });
      const one = {
        id: `msg_${session}_${call}`,
        at: at(1 + session, call),
        model: MODELS[dice.below(MODELS.length)] ?? "",
      };
      const final = usage(200 + dice.below(4_000));
      const first = { ...final, output_tokens: 1 + dice.below(100) };
      if (dice.below(2) === 0) lines.push(answer(name, { ...one, usage: first }));
      for (let again = dice.below(3); again >= 0; again--)
        lines.push(answer(name, { ...one, usage: final }));
    }
    before = lines;
    write(`.claude/projects/-home-dev-app/${name}.jsonl`, lines);
  }
  write(".claude/projects/-home-dev-app/session-0/subagents/agent-x.jsonl", [
    answer("session-0", {
      id: "msg_child",
      at: at(1, 50),
      usage: { input_tokens: 5, output_tokens: 7 },
    }),
  ]);
  write(".claude/projects/-home-dev-app/priced.jsonl", [
    answer("priced", {
      id: "msg_priced",
      at: at(20, 1),
      usage: { input_tokens: 5, output_tokens: 7 },
      more: { costUSD: 0.25 },
    }),
  ]);
  expect(await seam({ by: "day", agent: "claude-code" })).toEqual(
    numbersOf(ask("claude", "daily"), "date"),
  );
  expect(await seam({ by: "month", agent: "claude-code" })).toEqual(
    numbersOf(ask("claude", "monthly"), "month"),
  );
  expect(await seam({ by: "session", agent: "claude-code" })).toEqual(
    numbersOf(ask("claude", "session"), "sessionId"),
  );
});

const spent = (input: number, cached: number, output: number, reasoning = 0) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: input + output,
});

it("Codex: totals that grow, repeated counts, and a change of the model", async () => {
  const { ask, seam, write } = place();
  const dice = new Dice(11);
  for (let session = 0; session < 6; session++) {
    const id = `01a1e05c-c3e8-78e1-9f96-d1e5fb5d8a0${session}`;
    const time = (call: number) => at(1 + session, call);
    const lines: object[] = [
      {
        timestamp: time(0),
        type: "session_meta",
        payload: { id, timestamp: time(0), cwd: "/home/dev/app", cli_version: "0.166.0" },
      },
    ];
    let total: readonly [number, number, number, number] = [0, 0, 0, 0];
    for (let call = 0; call < 20; call++) {
      if (call % 7 === 0) {
        const model = ["gpt-5-codex", "gpt-5", "gpt-5.5"][dice.below(3)];
        lines.push({
          timestamp: time(call),
          type: "turn_context",
          payload: { model, cwd: "/home/dev/app" },
        });
      }
      const input = dice.below(12) === 0 ? 280_000 : 100 + dice.below(50_000);
      const last = [input, dice.below(input), 10 + dice.below(900), dice.below(10)] as const;
      total = [total[0] + last[0], total[1] + last[1], total[2] + last[2], total[3] + last[3]];
      const count = {
        timestamp: time(call),
        type: "event_msg",
        payload: {
          type: "token_count",
          info: {
            last_token_usage: spent(...last),
            total_token_usage: spent(...total),
            model_context_window: 272_000,
          },
        },
      };
      lines.push(count);
      if (dice.below(3) === 0) lines.push({ ...count, timestamp: time(call + 1) });
    }
    write(
      `.codex/sessions/2026/10/0${1 + session}/rollout-2026-10-0${1 + session}T09-00-00-${id}.jsonl`,
      lines,
    );
  }
  expect(await seam({ by: "day", agent: "codex" })).toEqual(
    numbersOf(ask("codex", "daily"), "date"),
  );
});

it("differs only where the table above says so", async () => {
  const { ask, seam, write } = place();
  const usage = { input_tokens: 100, output_tokens: 10 };
  write(".claude/projects/-p/a.jsonl", [
    answer("a", { id: "m1", at: at(1, 1), usage }),
    answer("a", { id: "m1", at: at(1, 2), usage, request: "req_again" }),
    answer("a", { id: "m2", at: at(2, 1), usage, model: "<synthetic>" }),
    answer("a", { id: "m3", at: at(3, 1), usage, model: "brand-new-1" }),
    answer("a", {
      id: "m4",
      at: at(4, 1),
      usage: { ...usage, cache_creation_input_tokens: 1_000_000 },
      model: "gpt-5",
    }),
  ]);
  const theirs = numbersOf(ask("claude", "daily"), "date");
  const ours = await seam({ by: "day" });
  expect([theirs["2026-10-01"]?.input, ours["2026-10-01"]?.input]).toEqual([200, 100]);
  expect([theirs["2026-10-02"]?.input, ours["2026-10-02"]?.input]).toEqual([100, undefined]);
  expect([theirs["2026-10-03"], ours["2026-10-03"]?.input]).toMatchObject([
    { input: 100, cost: 0 },
    100,
  ]);
  const write1M = (numbers: Numbers | undefined) =>
    Math.round(((numbers?.cost ?? 0) - 0.000225) * 1e4) / 1e4;
  expect([write1M(theirs["2026-10-04"]), write1M(ours["2026-10-04"])]).toEqual([1.5625, 1.25]);
});
