import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { type AgentName, agentNamed } from "../../agents/index.ts";
import { replaceFile } from "../../files/index.ts";

/** What a user agrees to before Seam starts an agent without its own questions. */
export interface Consent {
  readonly agent: AgentName;
  readonly text: string;
}

/** By agent, the very text that was agreed to: another text is another question. */
const AgreedSchema = Type.Record(Type.String(), Type.String());

const fileIn = (home: string) => join(home, "crew/consents.json");

/** What still has to be agreed to for these agents. */
export function missingConsents(home: string, agents: Iterable<AgentName>): Consent[] {
  const agreed = agreedIn(home);
  return [...new Set(agents)].flatMap((agent) => {
    const text = agentNamed(agent)?.headless?.consent;
    return text === undefined || agreed[agent] === text ? [] : [{ agent, text }];
  });
}

/** The user agreed. Kept in the user's own folder, for all repositories. */
export function keepConsents(home: string, consents: readonly Consent[]): void {
  if (consents.length === 0) return;
  const agreed = { ...agreedIn(home) };
  for (const { agent, text } of consents) agreed[agent] = text;
  mkdirSync(dirname(fileIn(home)), { recursive: true, mode: 0o700 });
  replaceFile(fileIn(home), `${JSON.stringify(agreed, undefined, 2)}\n`, { mode: 0o600 });
}

/** Without the file, or if it cannot be read, nothing counts as agreed to. */
function agreedIn(home: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(readFileSync(fileIn(home), "utf8"));
    return Value.Check(AgreedSchema, value) ? value : {};
  } catch {
    return {};
  }
}
