import { type Agent, type HomeFolders, markParts } from "../../agents/index.ts";
import { type Database, textIn } from "../store/database.ts";
import type { Source } from "./source-reader.ts";

/** Every transcript that agents have on this machine, those that changed last at the end. */
export async function findSources(
  agents: readonly Agent[],
  folders: HomeFolders,
  log: (text: string, error: unknown) => void,
): Promise<FoundSource[]> {
  const found: FoundSource[] = [];
  for (const agent of agents) {
    try {
      for (const transcript of (await agent.sessions.everywhere?.(folders)) ?? []) {
        const { ref, mark, parent, project, identify } = transcript;
        const sessionId = parent ?? transcript.sessionId;
        found.push({
          agent,
          ref,
          mark,
          ...(sessionId !== undefined && { sessionId }),
          ...(project !== undefined && { project }),
          ...(identify && { identify }),
        });
      }
    } catch (error) {
      log(`sessions of ${agent.type} cannot be listed`, error);
    }
  }
  // The newest get the highest numbers, and are found first.
  return found.sort((a, b) => markParts(a.mark).time - markParts(b.mark).time);
}

export interface FoundSource extends Source {
  readonly identify?: () => string | undefined;
}

/** Those that changed since they were read. */
export function changedSources(database: Database, found: readonly FoundSource[]): FoundSource[] {
  const known = new Map(
    database
      .all("SELECT ref, mark FROM sources")
      .map((row) => [textIn(row, "ref") ?? "", textIn(row, "mark")] as const),
  );
  return found.filter(({ ref, mark }) => known.get(ref) !== mark);
}

/** The id of its session, if only a look into it can tell. */
export function identified(source: FoundSource): Source {
  const { identify, ...rest } = source;
  if (rest.sessionId !== undefined || !identify) return rest;
  const sessionId = identify();
  return sessionId === undefined ? rest : { ...rest, sessionId };
}
