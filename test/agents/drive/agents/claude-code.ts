import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { fieldInLines } from "../json-lines.ts";

export const claudeCode: Agent = {
  name: "claude-code",
  package: "@anthropic-ai/claude-code",
  programs: [`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`],
  newer: [
    {
      package: "claude-code-next",
      programs: [
        `claude-code-next/node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
      ],
    },
  ],
  files: () => ({}),
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "sk-ant-mock",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    // It refuses to skip permissions as root otherwise.
    IS_SANDBOX: "1",
  }),
  args: ({ prompt, resume }) => [
    "-p",
    prompt,
    "--permission-mode",
    "bypassPermissions",
    "--output-format",
    "stream-json",
    "--verbose",
    ...(resume ? ["--resume", resume] : []),
  ],
  tools: {
    shell: ({ command }) => ({ name: "Bash", input: { command, description: "run it" } }),
    write: ({ path, content }) => ({ name: "Write", input: { file_path: path, content } }),
    edit: ({ path, before, after }) => ({
      name: "Edit",
      input: { file_path: path, old_string: before, new_string: after },
    }),
    read: ({ path }) => ({ name: "Read", input: { file_path: path } }),
    skill: ({ name }) => ({ name: "Skill", input: { skill: name } }),
    subagent: ({ prompt }) => ({
      name: "Agent",
      input: {
        description: "a part of it",
        prompt,
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    }),
    background: ({ prompt }) => ({
      name: "Agent",
      input: {
        description: "a part of it",
        prompt,
        subagent_type: "general-purpose",
        run_in_background: true,
      },
    }),
  },
  skillFile: (name) => `.claude/skills/${name}/SKILL.md`,
  typedSkill: (name) => `/${name}`,
  sessionId: ({ stdout }) => fieldInLines(stdout, "session_id"),
  transcript({ home, cwd }, id) {
    const slug = cwd.replace(/[^a-zA-Z0-9]/g, "-");
    const path = join(home, ".claude/projects", slug, `${id}.jsonl`);
    return existsSync(path) ? path : undefined;
  },
};
