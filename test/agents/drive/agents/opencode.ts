import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { fieldInLines } from "../json-lines.ts";

const platform = `${process.platform}-${process.arch}`;

export const opencode: Agent = {
  name: "opencode",
  package: "opencode-ai",
  programs: [`opencode-${platform}/bin/opencode`, `opencode-${platform}-baseline/bin/opencode`],
  files: (_place, modelUrl) => ({
    // As if it had installed what it wants beside its settings: it cannot, and a try that is cut
    // short makes the next start wait for a minute.
    ".config/opencode/package-lock.json": {
      packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } },
    },
    ".config/opencode/node_modules/.keep": "",
    ".config/opencode/opencode.json": {
      model: "mock/mock-model",
      small_model: "mock/mock-model",
      autoupdate: false,
      share: "disabled",
      provider: {
        mock: {
          npm: "@ai-sdk/openai-compatible",
          name: "Mock",
          options: { baseURL: `${modelUrl}/v1`, apiKey: "mock" },
          models: {
            "mock-model": {
              name: "Mock",
              limit: { context: 128_000, output: 4096 },
              cost: { input: 1, output: 2 },
            },
          },
        },
      },
    },
  }),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  args: ({ prompt, resume }) => [
    "run",
    prompt,
    "--format",
    "json",
    "--auto",
    ...(resume ? ["-s", resume] : []),
  ],
  tools: {
    shell: ({ command }) => ({ name: "bash", input: { command, description: "run it" } }),
    write: ({ path, content }) => ({ name: "write", input: { filePath: path, content } }),
    edit: ({ path, before, after }) => ({
      name: "edit",
      input: { filePath: path, oldString: before, newString: after },
    }),
    read: ({ path }) => ({ name: "read", input: { filePath: path } }),
    skill: ({ name }) => ({ name: "skill", input: { name } }),
    subagent: ({ prompt }) => ({
      name: "task",
      input: { description: "a part of it", prompt, subagent_type: "general" },
    }),
  },
  // In a folder of its own it would install something as well.
  skillFile: (name) => `.claude/skills/${name}/SKILL.md`,
  sessionId: ({ stdout }) => fieldInLines(stdout, "sessionID"),
  transcript({ home }) {
    const path = join(home, ".local/share/opencode/opencode.db");
    return existsSync(path) ? path : undefined;
  },
};
