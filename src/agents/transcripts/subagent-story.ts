import { joinStories, MOST_FIRST, type StoryEntry, type ToldStory } from "./story.ts";

/** What was read of a subagent that has a transcript of its own. */
interface ChildStory {
  readonly id: string;
  readonly story: ToldStory;
  /** Its beginning was read before. */
  readonly goesOn?: boolean;
}

interface Known {
  /** Subagents with the calls that started them, where transcripts name both. */
  readonly started?: readonly { readonly id?: string; readonly call?: string }[];
  /** What was told until now: subagents go on long after the call that started them. */
  readonly before?: ToldStory | undefined;
}

type StartedBy = Readonly<Record<string, string>>;

const SUBAGENT = "subagent";

/** The story of a session with what its subagents did, as far as those have transcripts of their own. */
export function withChildren(
  main: ToldStory,
  children: readonly ChildStory[],
  { started = [], before }: Known = {},
): ToldStory {
  const told = children.flatMap(({ id, story }) =>
    // What it was asked stands in the call.
    story.entries.filter(({ kind }) => kind !== "prompt").map((entry) => ({ ...entry, child: id })),
  );
  const stories = [before, main, ...children.map(({ story }) => story)];
  const calls = stories.flatMap((one) => one?.entries.filter(isStart) ?? []);
  const named = started.flatMap(({ id, call }) => (id && call ? [[id, call] as const] : []));
  const known = { ...before?.started_by, ...Object.fromEntries(named) };
  const all = { ...main, entries: [...main.entries, ...told] };
  return storyInOrder(joinStories({ ...all, started_by: startedBy(calls, children, known) }));
}

const isStart = ({ kind, tool }: StoryEntry) => kind === "call" && tool === SUBAGENT;

/**
 * Which call started which subagent: as the transcripts say, else the one that asked for the same;
 * what is left goes by its order.
 */
function startedBy(
  calls: readonly StoryEntry[],
  children: readonly ChildStory[],
  known: StartedBy,
): StartedBy {
  const found = new Map(Object.entries(known));
  const isFree = ({ call_id }: StoryEntry) => ![...found.values()].includes(call_id ?? "");
  const take = (child: string, call: StoryEntry | undefined) => {
    if (call?.call_id !== undefined) found.set(child, call.call_id);
  };
  const fresh = children.filter(({ story, goesOn }) => !goesOn && story.entries.length > 0);
  for (const { id, story } of fresh) {
    const asked = story.entries.find(({ kind }) => kind === "prompt")?.text ?? "";
    const isAsked = ({ text = "" }: StoryEntry) =>
      text.trim() !== "" && asked.includes(text.trim().slice(0, MOST_COMPARED));
    if (!found.has(id)) take(id, calls.filter(isFree).find(isAsked));
  }
  for (const { id } of fresh) if (!found.has(id)) take(id, calls.find(isFree));
  return Object.fromEntries(found);
}

/** What was told earlier is kept no longer than this. */
const MOST_COMPARED = 200;

/** A story with what each subagent did below the call that started it, whenever it did it. */
export function storyInOrder(told: ToldStory): ToldStory {
  const { entries, left_out, started_by } = told;
  if (!started_by) return told;
  // What is missing in the middle stays where it was.
  const parts =
    left_out === undefined ? [entries] : [entries.slice(0, MOST_FIRST), entries.slice(MOST_FIRST)];
  return { ...told, entries: parts.flatMap((part) => inOrder(part, started_by)) };
}

function inOrder(entries: readonly StoryEntry[], started_by: StartedBy): StoryEntry[] {
  const calls = new Set(entries.filter(isStart).map(({ call_id }) => call_id));
  const callOf = ({ child }: StoryEntry) => {
    const call = child === undefined ? undefined : started_by[child];
    return calls.has(call) ? call : undefined;
  };
  const placed = new Set<StoryEntry>();
  const withBelow = (entry: StoryEntry): StoryEntry[] => {
    if (placed.has(entry)) return [];
    placed.add(entry);
    if (!isStart(entry)) return [entry];
    const below = entries.filter((one) => callOf(one) === entry.call_id);
    return [entry, ...below.flatMap(withBelow)];
  };
  const top = entries.filter((entry) => callOf(entry) === undefined);
  // Calls that are said to have started each other stand nowhere: they come last.
  return [...top, ...entries].flatMap(withBelow);
}
