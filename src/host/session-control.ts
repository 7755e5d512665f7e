import { SeamError } from "../errors/index.ts";
import type { BranchSummaryEntry, SessionEntry } from "../events/index.ts";
import type { Host } from "../extensions/index.ts";
import { askAside } from "./ask-aside.ts";
import { branchSummaryDetails, branchSummaryRequest } from "./compaction/index.ts";
import type { Core } from "./core.ts";
import { endSession, replaceSession, startSession } from "./replace-session.ts";
import {
  commonAncestor,
  copyBranch,
  entriesBetween,
  forkPoint,
  type SessionTree,
} from "./session/index.ts";

/** Where sessions are kept and how new ones are made. */
export interface SessionPlace {
  create(options?: { parentSession?: string; entries?: readonly SessionEntry[] }): SessionTree;
  open(file: string): SessionTree;
}

/** Going from session to session, and around inside one. All of it can be stopped by extensions. */
export class SessionControl {
  readonly #core: Core;
  readonly #place: SessionPlace;
  readonly #stopWork: () => Promise<void>;

  constructor(core: Core, place: SessionPlace, stopWork: () => Promise<void>) {
    this.#core = core;
    this.#place = place;
    this.#stopWork = stopWork;
  }

  newSession: Host["newSession"] = async (options = {}) => {
    const { parentSession, setup } = options;
    if (await this.#refused("new")) return { cancelled: true };
    await this.#stopWork();
    const next = this.#place.create(parentSession === undefined ? {} : { parentSession });
    if (setup) await this.#core.cuts.apart(() => setup(next));
    return replaceSession(this.#core, "new", next, options);
  };

  switchSession: Host["switchSession"] = async (file, options = {}) => {
    if (await this.#refused("resume", file)) return { cancelled: true };
    await this.#stopWork();
    return replaceSession(this.#core, "resume", this.#place.open(file), options);
  };

  /** A new session from an entry of this one: Pi's fork, oh-my-pi's branch. */
  fork: Host["fork"] = async (entryId, options = {}) => {
    const { position = "before" } = options;
    const { emitter, session } = this.#core;
    const fork = await emitter.ask({ type: "session_before_fork", entryId, position });
    if (fork.blocked) return { cancelled: true };
    const branch = await emitter.ask({ type: "session_before_branch", entryId });
    if (branch.blocked) return { cancelled: true };
    await this.#stopWork();
    const stay =
      fork.result?.skipConversationRestore === true ||
      branch.result?.skipConversationRestore === true;
    // Asked to stay, the new session holds the conversation as it is instead of up to the entry.
    const point = stay ? { leafId: session.getLeafId() } : forkPoint(session, entryId, position);
    const parentSession = session.getSessionFile();
    const next = this.#place.create({
      entries: copyBranch(session, point.leafId),
      ...(parentSession !== undefined && { parentSession }),
    });
    const replaced = await replaceSession(this.#core, "fork", next, options);
    if (point.editorText !== undefined) this.#core.ui.setEditorText(point.editorText);
    return replaced;
  };

  navigateTree: Host["navigateTree"] = async (targetId, options = {}) => {
    const { emitter, session } = this.#core;
    const oldLeafId = session.getLeafId();
    if (oldLeafId === targetId) return { cancelled: false };
    if (!session.getEntry(targetId)) {
      throw new SeamError("SEAM_SESSION_ENTRY", { entry: targetId, detail: "is not there" });
    }
    await this.#stopWork();
    const entriesToSummarize = entriesBetween(session, oldLeafId, targetId);
    const { summarize = false, customInstructions, replaceInstructions, label } = options;
    const preparation = {
      targetId,
      oldLeafId,
      commonAncestorId: commonAncestor(session, oldLeafId, targetId),
      entriesToSummarize,
      userWantsSummary: summarize,
      ...(customInstructions !== undefined && { customInstructions }),
      ...(replaceInstructions !== undefined && { replaceInstructions }),
      ...(label !== undefined && { label }),
    };
    const decided = await this.#abortable(async (signal) => {
      const asked = await emitter.ask({ type: "session_before_tree", preparation, signal }, signal);
      if (asked.blocked) return undefined;
      const wishes = { ...preparation, ...asked.result };
      if (!summarize) return { label: wishes.label };
      const own = asked.result?.summary;
      const summary = own ?? (await this.#summaryOf(entriesToSummarize, wishes, signal));
      return { label: wishes.label, summary, fromHook: own !== undefined };
    });
    if (!decided) return { cancelled: true };
    const { summary, fromHook = false } = decided;
    session.moveTo(targetId);
    let summaryEntry: BranchSummaryEntry | undefined;
    if (summary && oldLeafId !== null) {
      const id = session.appendBranchSummary({ fromId: oldLeafId, ...summary, fromHook });
      summaryEntry = session.getEntry(id) as BranchSummaryEntry;
    }
    if (decided.label !== undefined) {
      session.appendLabel(summaryEntry?.id ?? targetId, decided.label);
    }
    this.#core.branchChanged();
    await emitter.tell({
      type: "session_tree",
      newLeafId: session.getLeafId(),
      oldLeafId,
      ...(summaryEntry && { summaryEntry, fromExtension: fromHook }),
    });
    return { cancelled: false };
  };

  reload = async (): Promise<void> => {
    await this.#stopWork();
    this.#core.expelled.clear();
    await endSession(this.#core, "reload");
    await startSession(this.#core, "reload");
  };

  /** Work an abort reaches the way it reaches a compaction; then there is no result. */
  async #abortable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const controller = new AbortController();
    this.#core.compacting = controller;
    try {
      return await work(controller.signal);
    } catch (thrown) {
      if (controller.signal.aborted) return undefined;
      throw thrown;
    } finally {
      if (this.#core.compacting === controller) this.#core.compacting = undefined;
    }
  }

  async #refused(reason: "new" | "resume", targetSessionFile?: string): Promise<boolean> {
    const target = targetSessionFile === undefined ? {} : { targetSessionFile };
    const { emitter } = this.#core;
    const asked = await emitter.ask({ type: "session_before_switch", reason, ...target });
    return asked.blocked;
  }

  async #summaryOf(
    entries: Parameters<typeof branchSummaryRequest>[0],
    options: Parameters<typeof branchSummaryRequest>[1],
    signal: AbortSignal,
  ) {
    const request = branchSummaryRequest(entries, options);
    if (!request) return undefined;
    const summary = await askAside(this.#core, request, signal);
    return { summary, details: branchSummaryDetails(entries) };
  }
}
