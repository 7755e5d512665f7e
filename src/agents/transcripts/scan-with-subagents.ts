import { addTokens, noTokens, type TokenUsage } from "../../events/index.ts";
import type { Agent } from "../agent.ts";
import { tellsUsage } from "./format.ts";
import { scanTranscript } from "./scan.ts";
import type { Scan, ScanOptions } from "./scan-result.ts";
import type { ScanState } from "./scan-state.ts";

/** Whose transcripts: all that is needed of an agent. */
export type Teller = Pick<Agent, "transcript" | "sessions">;

/** Where the scan of a session and of its subagents got to, by transcript. */
export type FamilyState = Readonly<Record<string, ScanState>>;

/** What the transcripts of a session and of its subagents say. */
export interface FamilyScan {
  readonly state: FamilyState;
  /** The session itself. */
  readonly main: Scan;
  /** Its subagents and theirs. */
  readonly children: readonly { readonly id: string; readonly ref: string; readonly scan: Scan }[];
  /** Of all that was read so far; `subagent_tokens` has what the children used. */
  readonly total: TokenUsage;
  /** Files changed in what was read now, by whomever. */
  readonly files: readonly string[];
  /** Where the prompt stands that was left for a later scan. */
  readonly next?: number;
}

/** A prompt that was typed later, with all that came of it, is left for a later scan. */
export interface Until {
  /** ISO. */
  readonly at: string;
  /** The first prompt is read whatever its date: a clock may be wrong, and its turn is under way. */
  readonly withFirst: boolean;
}

interface FamilyOptions
  extends Pick<ScanOptions, "want" | "skip" | "end" | "since" | "isOver" | "open"> {
  readonly from?: FamilyState | undefined;
  readonly until?: Until | undefined;
}

const DEEPEST = 8;

/** Scans a session with its subagents: of each transcript only what was appended. */
export async function scanFamily(
  teller: Teller,
  ref: string,
  options: FamilyOptions = {},
): Promise<FamilyScan> {
  const { until, ...rest } = options;
  const all = await scanWhole(teller, ref, rest);
  const last = Date.parse(until?.at ?? "");
  const prompts = all.main.facts.prompts.slice(until?.withFirst ? 1 : 0);
  const next = prompts.find(({ at = "" }) => Date.parse(at) > last);
  if (!next) return all;
  const { position, at } = next;
  const before = await scanWhole(teller, ref, { ...rest, end: position, childrenUntil: at });
  return { ...before, next: position };
}

interface WholeOptions extends Omit<FamilyOptions, "until"> {
  /** ISO. Children that began later, and are not known yet, are left out. */
  readonly childrenUntil?: string | undefined;
}

async function scanWhole(
  { transcript, sessions }: Teller,
  ref: string,
  options: WholeOptions,
): Promise<FamilyScan> {
  const { from, skip, end, childrenUntil, ...rest } = options;
  const isLater = (of: string, { facts }: Scan) =>
    from?.[of] === undefined && Date.parse(facts.began ?? "") > Date.parse(childrenUntil ?? "");
  const state: Record<string, ScanState> = {};
  const children: { id: string; ref: string; scan: Scan }[] = [];

  const one = async (of: string, depth: number): Promise<{ scan: Scan; total: TokenUsage }> => {
    const scan = await scanTranscript(transcript, of, {
      ...rest,
      from: from?.[of],
      // Positions count in one transcript only: those of children have others.
      ...(depth === 0
        ? { ...(skip !== undefined && { skip }), ...(end !== undefined && { end }) }
        : { ownChild: true }),
    });
    state[of] = scan.state;
    let { total } = scan;
    const found = depth < DEEPEST ? ((await sessions.subagents?.(of)) ?? []) : [];
    for (const child of found) {
      if (state[child.ref]) continue;
      const told = await one(child.ref, depth + 1);
      if (isLater(child.ref, told.scan)) {
        delete state[child.ref];
        continue;
      }
      children.push({ ...child, scan: told.scan });
      total = addTokens(total, { ...noTokens(), subagent_tokens: told.total });
    }
    return { scan, total };
  };

  const { scan: main, total } = await one(ref, 0);
  const scans = [main, ...children.map(({ scan }) => scan)];
  const files = scans.flatMap(({ facts }) => [...facts.files, ...facts.subagentFiles]);
  const kept = await sessions.totals?.(ref);
  return {
    state,
    main,
    children,
    total: kept ? withCalls(kept, total) : total,
    files: [...new Set(files)],
  };
}

/** Totals an agent keeps, with the calls that were counted. */
function withCalls(kept: TokenUsage, counted: TokenUsage): TokenUsage {
  const sum = { ...kept, api_call_count: counted.api_call_count };
  if (!kept.subagent_tokens) return sum;
  return {
    ...sum,
    subagent_tokens: withCalls(kept.subagent_tokens, counted.subagent_tokens ?? noTokens()),
  };
}

/**
 * What a session used from a position on, with the subagents it started since. Undefined if nobody
 * knows: there is no transcript, or its agent does not write that down.
 *
 * @example
 * const claude = agentNamed("claude-code");
 * if (claude) console.log((await totalTokens(claude, "session.jsonl"))?.output_tokens);
 */
export async function totalTokens(
  teller: Teller,
  ref: string,
  offset = 0,
): Promise<TokenUsage | undefined> {
  const { transcript, sessions } = teller;
  // Totals that an agent keeps beside the transcript are of the whole session.
  const isKnown = sessions.totals
    ? offset === 0 && (await sessions.totals(ref)) !== undefined
    : tellsUsage(transcript);
  if (!isKnown) return undefined;
  const since = offset > 0 ? startedSince(teller, ref, offset) : teller;
  const { main, total } = await scanFamily(await since, ref, { want: "tokens", skip: offset });
  return main.missing ? undefined : total;
}

/** Files a session changed from a position on, and the subagents it started since. */
export async function allModifiedFiles(
  teller: Teller,
  ref: string,
  offset = 0,
): Promise<readonly string[]> {
  const since = offset > 0 ? startedSince(teller, ref, offset) : teller;
  const { files } = await scanFamily(await since, ref, { skip: offset });
  return files;
}

/** The same transcripts, without subagents that a session is known to have started before. */
async function startedSince(teller: Teller, ref: string, offset: number): Promise<Teller> {
  const { transcript, sessions } = teller;
  const startedFrom = async (skip: number) => {
    const { facts } = await scanTranscript(transcript, ref, { skip });
    return new Set(facts.subagents.flatMap(({ id, ref: path }) => [id, path]));
  };
  const [all, since] = [await startedFrom(0), await startedFrom(offset)];
  const isBefore = ({ id, ref: path }: { id: string; ref: string }) =>
    [id, path].some((name) => all.has(name)) && ![id, path].some((name) => since.has(name));
  return {
    transcript,
    sessions: {
      ...sessions,
      async subagents(of) {
        const found = (await sessions.subagents?.(of)) ?? [];
        return of === ref ? found.filter((child) => !isBefore(child)) : found;
      },
    },
  };
}
