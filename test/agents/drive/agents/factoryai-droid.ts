import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent } from "../agent.ts";
import { fieldInLines } from "../json-lines.ts";

export const factoryaiDroid: Agent = {
  name: "factoryai-droid",
  package: "@factory/cli-linux-x64",
  programs: [`@factory/cli-${process.platform}-${process.arch}/bin/droid`],
  files: (_place, modelUrl) => ({
    ".factory/settings.json": {
      customModels: [
        {
          model: "mock-model",
          id: "custom:mock-0",
          index: 0,
          displayName: "mock",
          baseUrl: `${modelUrl}/v1`,
          apiKey: "mock",
          provider: "generic-chat-completion-api",
          maxOutputTokens: 8192,
        },
      ],
    },
  }),
  // Without it, it looks for its own server for five seconds, and a subagent never starts.
  env: () => ({ FACTORY_AIRGAP_ENABLED: "true", FACTORY_DROID_AUTO_UPDATE_ENABLED: "false" }),
  // What starts it adds the rest.
  through: fileURLToPath(new URL("../droid-rpc.mjs", import.meta.url)),
  args: ({ prompt, resume }) => [prompt, resume ?? ""],
  tools: {
    shell: ({ command }) => ({
      name: "Execute",
      input: { command, timeout: 60, riskLevel: "low", riskLevelReason: "a test" },
    }),
    write: ({ path, content }) => ({ name: "Create", input: { file_path: path, content } }),
    edit: ({ path, before, after }) => ({
      name: "Edit",
      input: { file_path: path, old_str: before, new_str: after },
    }),
    read: ({ path }) => ({ name: "Read", input: { file_path: path } }),
    skill: ({ name }) => ({ name: "Skill", input: { skill: name } }),
    subagent: ({ prompt }) => ({
      name: "Task",
      input: { subagent_type: "worker", description: "a part of it", prompt, await: true },
    }),
  },
  skillFile: (name) => `.factory/skills/${name}/SKILL.md`,
  typedSkill: (name) => `/${name}`,
  sessionId: ({ stdout }) => fieldInLines(stdout, "session_id"),
  transcript({ home, cwd }, id) {
    const path = join(home, ".factory/sessions", cwd.replaceAll("/", "-"), `${id}.jsonl`);
    return existsSync(path) ? path : undefined;
  },
};
