import { homedir } from "node:os";
import {
  type Component,
  defaultTheme,
  truncateToWidth,
  visibleWidth,
} from "../../../terminal/index.ts";
import type { AgentSession } from "../agent/agent-session.ts";

interface FooterData {
  getGitBranch(): string | null;
  getExtensionStatuses(): ReadonlyMap<string, string>;
}

/** Folder, branch, tokens, cost and model of a session, in two lines. */
export class FooterComponent implements Component {
  #session: AgentSession;
  readonly #data: FooterData;
  #compacts = true;

  constructor(session: AgentSession, data: FooterData) {
    this.#session = session;
    this.#data = data;
  }

  setSession(session: AgentSession): void {
    this.#session = session;
  }
  setAutoCompactEnabled(enabled: boolean): void {
    this.#compacts = enabled;
  }
  invalidate(): void {}
  dispose(): void {}

  render(width: number): string[] {
    const theme = defaultTheme();
    const branch = this.#data.getGitBranch();
    const cwd = this.#session.sessionManager.getCwd().replace(homedir(), "~");
    const { tokens, cost, contextUsage } = this.#session.getSessionStats();
    const percent = contextUsage?.percent;
    const counted = [
      `↑${short(tokens.input)}`,
      `↓${short(tokens.output)}`,
      `$${cost.toFixed(3)}`,
      ...(percent === undefined || percent === null
        ? []
        : [`${percent.toFixed(1)}%${this.#compacts ? " (auto)" : ""}`]),
    ].join(" ");
    const model = this.#session.model?.id ?? "no model";
    const gap = " ".repeat(Math.max(1, width - visibleWidth(counted) - visibleWidth(model)));
    const statuses = [...this.#data.getExtensionStatuses().values()].join(" ");
    return [
      `${cwd}${branch === null ? "" : ` (${branch})`}`,
      counted + gap + model,
      ...(statuses ? [statuses] : []),
    ].map((line) => theme.fg("dim", truncateToWidth(line, width)));
  }
}

function short(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000
    ? `${(count / 1_000).toFixed(1)}k`
    : `${(count / 1_000_000).toFixed(1)}M`;
}
