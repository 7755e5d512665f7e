import type { Agent } from "../agent.ts";
import { newestFile } from "../find-file.ts";
import { fieldInLines } from "../json-lines.ts";

export const gemini: Agent = {
  name: "gemini",
  package: "@google/gemini-cli",
  programs: ["@google/gemini-cli/bundle/gemini.js"],
  files: () => ({
    // With an address of its own it takes the key for that of a gateway, and gives up.
    ".gemini/settings.json": { security: { auth: { selectedType: "gemini-api-key" } } },
  }),
  env: ({ modelUrl, consent }) => ({
    GEMINI_API_KEY: "mock",
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    // Otherwise it starts itself a second time, only to give itself more memory.
    GEMINI_CLI_NO_RELAUNCH: "true",
    ...(consent.folder ? { GEMINI_CLI_TRUST_WORKSPACE: "true" } : {}),
  }),
  args: ({ prompt, resume }) => [
    "-m",
    "gemini-2.5-flash",
    "--yolo",
    "--output-format",
    "stream-json",
    ...(resume ? ["--resume", resume] : []),
    "-p",
    prompt,
  ],
  tools: {
    shell: ({ command }) => ({ name: "run_shell_command", input: { command } }),
    write: ({ path, content }) => ({ name: "write_file", input: { file_path: path, content } }),
    edit: ({ path, before, after }) => ({
      name: "replace",
      input: { file_path: path, old_string: before, new_string: after, instruction: "change it" },
    }),
    read: ({ path }) => ({ name: "read_file", input: { file_path: path } }),
    skill: ({ name }) => ({ name: "activate_skill", input: { name } }),
    subagent: ({ prompt }) => ({
      name: "invoke_agent",
      input: { agent_name: "generalist", prompt },
    }),
  },
  // A subagent that only says its last words is told to go on.
  endOfSubagent: (response) => ({ name: "complete_task", input: { result: { response } } }),
  skillFile: (name) => `.gemini/skills/${name}/SKILL.md`,
  sessionId: ({ stdout }) => fieldInLines(stdout, "session_id"),
  transcript: ({ home }, id) =>
    newestFile(`${home}/.gemini/tmp`, new RegExp(`/chats/session-.*-${id.slice(0, 8)}\\.jsonl$`)),
};
