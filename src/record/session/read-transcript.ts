import { agentNamed, anchorSkill, type FamilyState, scanFamily } from "../../agents/index.ts";
import type { SkillEvent, TokenUsage } from "../../events/index.ts";
import type { Keeper } from "../keeper.ts";
import type { SessionState } from "./state.ts";
import { withSkills, withUsage } from "./step.ts";
import { checkTranscript, transcriptRef } from "./transcript-ref.ts";

/** What the transcript says since it was read last: tokens, skills, model. */
export async function readTranscript(
  { log }: Keeper,
  state: SessionState,
  lastMessage?: string,
): Promise<SessionState> {
  const agent = agentNamed(state.agent);
  const ref = transcriptRef(state);
  if (!agent || ref === undefined) return state;
  try {
    checkTranscript(ref);
    await agent.transcript.prepare?.(ref, lastMessage === undefined ? {} : { text: lastMessage });
    const from = state.scan as FamilyState | undefined;
    const scan = await scanFamily(agent, ref, from ? { from } : {});
    const { facts, restarted } = scan.main;
    const skills = [scan.main, ...scan.children.map((child) => child.scan)]
      .flatMap((one) => one.facts.skills)
      // A transcript that was rewritten tells everything once more.
      .filter(({ id }) => !restarted || id === undefined || !state.told_skills?.includes(id))
      .map((event): SkillEvent => ({ ...event, ...turn(state) }));
    const used = tokensSince(state.token_usage, scan.total);
    return withSkills(
      withUsage(
        {
          ...state,
          scan: scan.state,
          transcript_position: scan.main.state.position,
          pending: {
            ...state.pending,
            turns: withPrompt(state, facts.lastPrompt),
            // What a hook told first has its place only now.
            skill_events: state.pending.skill_events.map((event) =>
              anchorSkill(event, facts.prompts, agent.transcript.unit),
            ),
          },
        },
        used,
        facts.model,
      ),
      skills,
    );
  } catch (error) {
    log("warn", `The transcript ${ref} could not be read`, error);
    return state;
  }
}

/** Some agents do not tell the prompt; then the transcript does. */
function withPrompt({ pending, turn_id }: SessionState, prompt: string | undefined) {
  return pending.turns.map((turn) =>
    prompt !== undefined && turn.prompt === undefined && turn.id === turn_id
      ? { ...turn, prompt }
      : turn,
  );
}

function turn({ turn_id }: SessionState): { turn_id?: string } {
  return turn_id === undefined ? {} : { turn_id };
}

/** Totals never shrink: a transcript that was rewritten counts from where it was. */
function tokensSince(before: TokenUsage, now: TokenUsage): TokenUsage {
  const since = (key: Exclude<keyof TokenUsage, "subagent_tokens">) =>
    Math.max(0, now[key] - before[key]);
  const used: TokenUsage = {
    input_tokens: since("input_tokens"),
    cache_creation_tokens: since("cache_creation_tokens"),
    cache_read_tokens: since("cache_read_tokens"),
    output_tokens: since("output_tokens"),
    api_call_count: since("api_call_count"),
  };
  const children = now.subagent_tokens;
  if (!children) return used;
  const earlier = before.subagent_tokens;
  return { ...used, subagent_tokens: earlier ? tokensSince(earlier, children) : children };
}
