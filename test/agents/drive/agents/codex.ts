import { parse, record } from "../../model-server/json.ts";
import type { Heard } from "../../model-server/wire.ts";
import type { Agent } from "../agent.ts";
import { newestFile } from "../find-file.ts";
import { fieldInLines } from "../json-lines.ts";

const target: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};
const platform = `${process.platform}-${process.arch}`;

export const codex: Agent = {
  name: "codex",
  package: "@openai/codex",
  programs: [`@openai/codex-${platform}/vendor/${target[platform]}/bin/codex`],
  files: (_place, modelUrl) => ({
    // The model needs a name that Codex has data for, or the model gets no apply_patch.
    ".codex/config.toml": `model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.mock]
name = "mock"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
`,
  }),
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, MOCK_KEY: "mock" }),
  args: ({ prompt, resume, consent }) => [
    "exec",
    ...(resume ? ["resume", resume] : []),
    "--json",
    ...(consent.hooks ? ["--dangerously-bypass-hook-trust"] : []),
    prompt,
  ],
  tools: {
    shell: ({ command }) => ({ name: "exec_command", input: { cmd: command } }),
    write: ({ path, content }) => ({
      name: "apply_patch",
      input: patch(`Add File: ${path}`, prefixed("+", content)),
    }),
    edit: ({ path, before, after }) => ({
      name: "apply_patch",
      input: patch(`Update File: ${path}`, `@@\n${prefixed("-", before)}${prefixed("+", after)}`),
    }),
    // It has no tool of its own for reading.
    read: ({ path }) => ({ name: "exec_command", input: { cmd: `cat '${path}'` } }),
    // It does not wait for the subagent by itself: a second turn has to.
    subagent: ({ prompt }) => [
      { name: "spawn_agent", namespace: "multi_agent_v1", input: { message: prompt } },
      (heard) => ({
        name: "wait_agent",
        namespace: "multi_agent_v1",
        input: { targets: [spawned(heard)], timeout_ms: 60_000 },
      }),
    ],
  },
  skillFile: (name) => `.codex/skills/${name}/SKILL.md`,
  typedSkill: (name) => `$${name}`,
  sessionId: ({ stdout }) => fieldInLines(stdout, "thread_id"),
  transcript: ({ home }, id) =>
    newestFile(`${home}/.codex/sessions`, new RegExp(`rollout-.*${id}\\.jsonl$`)),
};

function spawned(heard: readonly Heard[]): unknown {
  return record(parse(heard.findLast(({ role }) => role === "tool")?.text ?? "")).agent_id;
}

function patch(head: string, body: string): string {
  return `*** Begin Patch\n*** ${head}\n${body}*** End Patch\n`;
}

function prefixed(sign: string, text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${sign}${line}\n`).join("");
}
