import type { SessionCard } from "../../src/view/api.ts";
import { pathFrom } from "../parts/format.ts";

type Phase = SessionCard["phase"];

/** What sessions want from you, the most pressing first. */
export const PHASES: readonly { readonly phase: Phase; readonly title: string }[] = [
  { phase: "needs-you", title: "Needs you" },
  { phase: "working", title: "Working" },
  { phase: "done", title: "Done" },
  { phase: "quiet", title: "Quiet" },
];

/** What is looked for among them; an empty text is everything. */
interface Filter {
  readonly text: string;
}

export interface PhaseGroup {
  readonly phase: Phase;
  readonly title: string;
  readonly sessions: readonly SessionCard[];
}

/** Sessions by what they want, in the order they came; groups without any are left out. */
export function grouped(sessions: readonly SessionCard[], { text }: Filter): PhaseGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sessions.filter((session) => {
    const { title, agentType, agent, project, branch = "", model = "" } = session;
    const all = `${title} ${agentType} ${agent} ${project} ${branch} ${model}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return PHASES.map(({ phase, title }) => ({
    phase,
    title,
    sessions: found.filter((session) => session.phase === phase),
  })).filter((group) => group.sessions.length > 0);
}

/** Whether what a session does right now is told in the words of a machine: a tool and what it was given. */
export function isCalling(session: SessionCard): boolean {
  const { phase, isHeld, isInterrupted, asks, lastCall } = session;
  return phase === "working" && !isHeld && !isInterrupted && !asks && lastCall !== undefined;
}

/** What a session does or said last, in one line; undefined if its title says that already. */
export function lately(session: SessionCard): string | undefined {
  if (session.isHeld) return "held: waits at its next tool call";
  if (session.isInterrupted) return "interrupted: its turn ends at its next step";
  if (session.asks) return `in its own terminal: ${session.asks}`;
  if (session.phase === "working" && session.lastCall) {
    const { tool, target } = session.lastCall;
    return target ? `${tool} ${pathFrom(session.cwd, target)}` : tool;
  }
  const last = session.lastWords ?? session.prompt;
  // A title is the beginning of the first prompt, where that is long.
  return last?.startsWith(session.title.replace(/…$/, "")) ? undefined : last;
}

/** How full the model's window is, in percent. */
export function fullness(context: SessionCard["context"]): number | undefined {
  if (!context?.window) return undefined;
  return Math.min(100, Math.round((context.tokens / context.window) * 100));
}
