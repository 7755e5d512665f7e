import { SeamError } from "../../errors/index.ts";
import type { SessionEntry, UserContent } from "../../events/index.ts";
import { textOfContent } from "../../events/index.ts";
import { copyBranch } from "./copy-branch.ts";
import { type CreateSessionOptions, SessionFile } from "./session-file.ts";
import type { SessionTree } from "./session-tree.ts";

export interface ForkOptions
  extends Partial<Pick<CreateSessionOptions, "cwd" | "dir" | "durable">> {
  /** `before`: a user message, to ask it differently. `at`: an entry, to go on from it. */
  readonly position: "before" | "at";
}

/** A new session that starts with the way to an entry. The old one stays as it is. */
export function fork(
  session: SessionTree,
  entryId: string,
  { position, cwd = session.getCwd(), dir, durable }: ForkOptions,
): { session: SessionFile; editorText?: string } {
  const { leafId, editorText } = forkPoint(session, entryId, position);
  const parentSession = session.getSessionFile();
  const folder = dir ?? (cwd === session.getCwd() ? session.getSessionDir() : "");
  const forked = SessionFile.create({
    cwd,
    ...(folder && { dir: folder }),
    ...(parentSession !== undefined && { parentSession }),
    ...(durable !== undefined && { durable }),
    entries: copyBranch(session, leafId),
  });
  return { session: forked, ...(editorText !== undefined && { editorText }) };
}

/** Up to which entry a fork goes, and what is to be asked again. */
export function forkPoint(
  session: SessionTree,
  entryId: string,
  position: "before" | "at",
): { leafId: string | null; editorText?: string } {
  const entry = session.getEntry(entryId);
  if (!entry) throw new SeamError("SEAM_SESSION_ENTRY", { entry: entryId, detail: "is not there" });
  if (position === "at") return { leafId: entryId };
  if (entry.type !== "message" || entry.message.role !== "user") {
    const detail = "is not a message of the user, so nothing can be asked again before it";
    throw new SeamError("SEAM_SESSION_ENTRY", { entry: entryId, detail });
  }
  return { leafId: before(session, entryId), editorText: typed(entry.message.content) };
}

/**
 * Where one stands after going to an entry, and what is to be said differently from there: before
 * what the user or an extension said, at anything else.
 */
export function treePoint(
  session: SessionTree,
  entryId: string,
): { leafId: string | null; editorText?: string } {
  const said = saidIn(session.getEntry(entryId));
  if (said === undefined) return { leafId: entryId };
  return { leafId: before(session, entryId), editorText: typed(said) };
}

/** The way to it, not its parentId: that may lead nowhere in a damaged session. */
function before(session: SessionTree, entryId: string): string | null {
  return session.getBranch(entryId).at(-2)?.id ?? null;
}

function saidIn(entry: SessionEntry | undefined): string | readonly UserContent[] | undefined {
  if (entry?.type === "custom_message") return entry.content;
  if (entry?.type !== "message" || entry.message.role !== "user") return undefined;
  return entry.message.content;
}

/** What a person typed, without pictures; blocks follow each other as Pi puts them into its editor. */
function typed(content: string | readonly UserContent[]): string {
  return textOfContent(content, { between: "" });
}
