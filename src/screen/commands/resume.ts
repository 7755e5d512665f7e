import { agentNamed } from "../../agents/index.ts";
import type { OtherSession } from "../../extensions/index.ts";
import { type SessionInfo, SessionStore } from "../../host/index.ts";
import type { SelectItem } from "../../terminal/index.ts";
import { handOver } from "../editor/hand-over.ts";
import { pick } from "./pick.ts";
import type { CommandSurroundings } from "./screen-command.ts";

const OWN = "own ";
const LONGEST = 100;

/** Goes on with another session of this folder: here, or in the agent it is of. */
export async function resume(around: CommandSurroundings): Promise<void> {
  const { agent, stage, notify } = around;
  const cwd = agent.session.getCwd();
  const others = await othersIn(cwd);
  const items = [...ownItems(around, cwd), ...others.map(otherItem)].sort(
    (one, other) => other.at.getTime() - one.at.getTime(),
  );
  if (items.length === 0) {
    notify("There is no other session in this folder. What was recorded: seam log");
    return;
  }
  const chosen = await pick(stage, "Sessions of this folder, of all agents", items);
  if (chosen === undefined) return;
  if (chosen.startsWith(OWN)) await agent.switchSession(chosen.slice(OWN.length));
  else
    await goOnElsewhere(
      around,
      others.find((one) => nameOf(one) === chosen),
    );
}

type Dated = SelectItem & { readonly at: Date };

function ownItems({ agent }: CommandSurroundings, cwd: string): Dated[] {
  const open = agent.session.getSessionFile();
  return new SessionStore()
    .list(cwd)
    .filter(({ path, messageCount }) => path !== open && messageCount > 0)
    .map(({ path, name, firstMessage, modified, ...info }) => ({
      value: OWN + path,
      at: modified,
      label: short(name ?? firstMessage),
      description: `${time(modified)}, ${messagesOf(info)}`,
    }));
}

/** Of a large file the messages are not counted one by one. */
function messagesOf({
  messageCount,
  isEstimate,
}: Pick<SessionInfo, "messageCount" | "isEstimate">): string {
  return `${isEstimate ? "about " : ""}${messageCount} message${messageCount === 1 ? "" : "s"}`;
}

/** The sessions of other agents that were heard of lately. Without a daemon there are none. */
async function othersIn(cwd: string): Promise<OtherSession[]> {
  const { machineSessions } = await import("../../daemon/index.ts");
  const all = await machineSessions()
    .list()
    .catch(() => []);
  return all.filter((one) => one.cwd === cwd && one.agent !== "seam");
}

const nameOf = ({ agent, session }: OtherSession) => `${agent} ${session}`;

function otherItem(other: OtherSession): Dated {
  const type = agentNamed(other.agent)?.type ?? other.agent;
  const at = new Date(other.at);
  return {
    value: nameOf(other),
    at,
    label: short(other.prompt ?? other.lastWords ?? other.session),
    description: `${time(at)}, ${type}, ${other.phase}`,
  };
}

async function goOnElsewhere(
  { stage, notify }: CommandSurroundings,
  other: OtherSession | undefined,
): Promise<void> {
  const found = other && agentNamed(other.agent);
  if (!found) return;
  if (other.phase === "working" || other.phase === "needs-you") {
    notify(`${found.type} is still at work in this session. To look at it: seam attach`, "warning");
    return;
  }
  const command = found.sessions.resumeCommand(other.session);
  const code = await handOver(stage.screen, command, { cwd: other.cwd, waitsAfterFailure: true });
  if (code === 0) notify(`Back from ${found.type}.`);
  else notify(`${command.join(" ")} did not end well (${code ?? "it did not start"}).`, "warning");
}

function short(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST) || "nothing said yet";
}

function time(date: Date): string {
  return date.toLocaleString("sv").slice(0, 16);
}
