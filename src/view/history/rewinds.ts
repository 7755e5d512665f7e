import { createHash, randomBytes } from "node:crypto";
import { agentNamed } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { shownPath } from "../../git/index.ts";
import {
  brokenOff,
  findTarget,
  LEFT_TEXT,
  planRewind,
  type RepoRecord,
  type RewindPlan,
  type RewindTarget,
  rewind,
  rewindDiff,
  type UndoneOthers,
  undoneOthers,
  undoTarget,
} from "../../record/index.ts";
import type { RewindDo, RewindDone, RewindPreview, RewindWish } from "../api-history.ts";
import { cut } from "./diff.ts";

/** A person who has looked at a preview decides within that time, or looks again. */
const TOKEN_MS = 10 * 60_000;
const MOST_TOKENS = 20;

interface Offered {
  readonly wish: RewindWish;
  /**
   * A hash of what would change. A rewind that would do anything else than was shown is refused.
   */
  readonly print: string;
  readonly hasOthers: boolean;
  readonly until: number;
}

type With = <T>(repository: string, work: (record: RepoRecord) => Promise<T>) => Promise<T>;

/** Rewinds from the page: shown first, done by a click that names what was shown, once. */
export class Rewinds {
  readonly #offered = new Map<string, Offered>();
  readonly #with: With;

  constructor(withRepository: With) {
    this.#with = withRepository;
  }

  preview(wish: RewindWish): Promise<RewindPreview> {
    return this.#with(wish.repository, async (record) => {
      const { plan, others } = await planned(record, wish);
      const { diff, of } = cut(await rewindDiff(record, plan, false));
      const token = randomBytes(18).toString("base64url");
      const hasOthers = others.length > 0;
      this.#offer(token, { wish, print: printOf(plan), hasOthers, until: Date.now() + TOKEN_MS });
      const { kind, name, moment, at, prompt } = plan.target;
      return {
        token,
        to: {
          kind,
          name,
          ...(moment !== undefined && { moment }),
          ...(at !== undefined && { at }),
          ...(prompt !== undefined && { prompt }),
        },
        changes: plan.changes.map((one) => ({ kind: one.kind, path: shownPath(one.path) })),
        left: plan.left.map(({ path, why }) => ({ path, why: LEFT_TEXT[why] })),
        others: others.map((one) => ({ who: whoseWork(one), files: one.files })),
        atWork: plan.atWork.map((agent) => agentNamed(agent)?.type ?? agent),
        notes: notesOf(record, plan),
        diff,
        ...(of !== undefined && { diffOf: of }),
      };
    });
  }

  async do({ token, others: agreed }: RewindDo): Promise<RewindDone> {
    const offered = this.#offered.get(token);
    if (!offered || offered.until < Date.now()) throw new SeamError("SEAM_VIEW_REWIND");
    if (offered.hasOthers && !agreed) {
      throw new SeamError("SEAM_REWIND_OTHERS", { list: " (see the preview)" });
    }
    // One click is one rewind, also if the answer to it is lost.
    this.#offered.delete(token);
    return this.#with(offered.wish.repository, async (record) => {
      const { plan } = await planned(record, offered.wish);
      if (printOf(plan) !== offered.print) throw new SeamError("SEAM_VIEW_REWIND");
      const { ref, changed } = await rewind(record, plan);
      return { changed, ...(ref !== undefined && { saved: ref }) };
    });
  }

  #offer(token: string, offered: Offered): void {
    this.#offered.set(token, offered);
    const [oldest] = this.#offered.keys();
    if (this.#offered.size > MOST_TOKENS && oldest !== undefined) this.#offered.delete(oldest);
  }
}

async function planned(
  record: RepoRecord,
  wish: RewindWish,
): Promise<{ plan: RewindPlan; others: UndoneOthers[] }> {
  const plan = await planRewind(record, await targetOf(record, wish));
  return { plan, others: await undoneOthers(record, plan) };
}

function targetOf(record: RepoRecord, { to, moment, undo }: RewindWish): Promise<RewindTarget> {
  if (undo) return undoTarget(record);
  if (to === undefined) {
    throw new SeamError("SEAM_VIEW_REQUEST", { detail: "it does not say where to go back to" });
  }
  return findTarget(record.store, to, moment);
}

function printOf({ target, changes }: RewindPlan): string {
  const sides = changes.map(({ path, before, after }) => [path, before?.id, after?.id]);
  return createHash("sha256")
    .update(JSON.stringify([target.commit, sides]))
    .digest("hex");
}

function whoseWork(one: UndoneOthers): string {
  if (one.who === "session") {
    return `${agentNamed(one.agent)?.type ?? one.agent} (session ${one.session_id})`;
  }
  if (one.who === "outside") return "Changes made outside any recorded turn, perhaps your own";
  return `All that differs from the work tree ${one.work_tree}, where that turn was`;
}

function notesOf(record: RepoRecord, { target, head }: RewindPlan): string[] {
  const notes: string[] = [];
  if (brokenOff(record)) {
    notes.push("A rewind here was broken off. To complete it, run: seam rewind");
  }
  if (target.isLate) {
    notes.push(
      "This snapshot came late: changes the agent made at the beginning of the turn may be in it.",
    );
  }
  if (target.head !== undefined && head !== undefined && target.head !== head) {
    notes.push(`HEAD stays at ${head.slice(0, 12)}; it was at ${target.head.slice(0, 12)} then.`);
  }
  return notes;
}
