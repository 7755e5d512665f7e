import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Agent } from "../agent.ts";
import { newestFile } from "../find-file.ts";
import { COPILOT_CACHE } from "../installed.ts";

export const copilotCli: Agent = {
  name: "copilot-cli",
  package: "@github/copilot",
  programs: [`@github/copilot-${process.platform}-${process.arch}/copilot`],
  files: () => ({}),
  env: ({ modelUrl, resume, consent }) => ({
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: "mock",
    COPILOT_MODEL: "gpt-4.1",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    // It unpacks 235 MB before its first run: once for all homes.
    COPILOT_PKG_CACHE_HOME: COPILOT_CACHE,
    // The flag for a trusted folder is refused together with --resume.
    ...(resume && consent.folder ? { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "true" } : {}),
  }),
  args: ({ prompt, resume, consent }) => [
    "-p",
    prompt,
    "--allow-all-tools",
    ...(resume ? [`--resume=${resume}`] : consent.folder ? ["--trust-folder"] : []),
  ],
  tools: {
    shell: ({ command }) => ({
      name: "bash",
      input: { command, description: "run it", sessionId: "main", async: false },
    }),
    write: ({ path, content }) => ({ name: "create", input: { path, file_text: content } }),
    edit: ({ path, before, after }) => ({
      name: "edit",
      input: { path, old_str: before, new_str: after },
    }),
    read: ({ path }) => ({ name: "view", input: { path } }),
    skill: ({ name }) => ({ name: "skill", input: { skill: name } }),
    subagent: ({ prompt }) => ({
      name: "task",
      input: {
        agent_type: "general-purpose",
        name: "helper",
        description: "a part of it",
        prompt,
        mode: "sync",
      },
    }),
  },
  skillFile: (name) => `.github/skills/${name}/SKILL.md`,
  sessionId({ home, startedAt }) {
    const events = newestFile(`${home}/.copilot/session-state`, /\/events\.jsonl$/, startedAt);
    return events && basename(dirname(events));
  },
  transcript({ home }, id) {
    const path = join(home, ".copilot/session-state", id, "events.jsonl");
    return existsSync(path) ? path : undefined;
  },
};
