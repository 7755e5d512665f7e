import type { Agent } from "../agent.ts";
import { newestFile } from "../find-file.ts";
import { fieldInLines } from "../json-lines.ts";

const args: Agent["args"] = ({ prompt, resume }) => [
  "--provider",
  "mock",
  "--model",
  "mock-model",
  "--mode",
  "json",
  ...(resume ? ["--session", resume] : []),
  "-p",
  prompt,
];

export const pi: Agent = {
  name: "pi",
  package: "@earendil-works/pi-coding-agent",
  programs: ["@earendil-works/pi-coding-agent/dist/cli.js"],
  newer: [
    {
      package: "pi-next",
      programs: ["pi-next/dist/cli.js"],
      node: 22,
      args: (start) => [start.consent.folder ? "--approve" : "--no-approve", ...args(start)],
    },
  ],
  files: (_place, modelUrl) => ({
    ".pi/agent/models.json": {
      providers: {
        mock: {
          baseUrl: `${modelUrl}/v1`,
          api: "openai-completions",
          apiKey: "mock",
          models: [
            {
              id: "mock-model",
              name: "Mock",
              reasoning: false,
              input: ["text"],
              contextWindow: 128_000,
              maxTokens: 4096,
              cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
            },
          ],
        },
      },
    },
  }),
  env: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
  args,
  tools: {
    shell: ({ command }) => ({ name: "bash", input: { command } }),
    write: ({ path, content }) => ({ name: "write", input: { path, content } }),
    edit: ({ path, before, after }) => ({
      name: "edit",
      input: { path, edits: [{ oldText: before, newText: after }] },
    }),
    read: ({ path }) => ({ name: "read", input: { path } }),
  },
  skillFile: (name) => `.pi/skills/${name}/SKILL.md`,
  typedSkill: (name) => `/skill:${name}`,
  sessionId: ({ stdout }) => fieldInLines(stdout, "id"),
  transcript: ({ home }, id) =>
    newestFile(`${home}/.pi/agent/sessions`, new RegExp(`_${id}\\.jsonl$`)),
};
