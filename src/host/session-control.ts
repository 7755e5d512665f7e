import { SeamError } from "../errors/index.ts";
import type { SessionEntry } from "../events/index.ts";
import type { Cancelled, From, Host, NewSessionOptions, WithSession } from "../extensions/index.ts";
import type { HostActions } from "./bind-host.ts";
import type { Core } from "./core.ts";
import { type Moved, moveInTree, type TreeOptions } from "./move-in-tree.ts";
import { endSession, replaceSession, startSession } from "./replace-session.ts";
import { copyBranch, forkPoint, type SessionTree } from "./session/index.ts";

type Options<Name extends "newSession" | "fork" | "switchSession"> = Parameters<Host[Name]>;

/** Where sessions are kept and how new ones are made. */
export interface SessionPlace {
  create(options?: {
    parentSession?: string;
    entries?: readonly SessionEntry[];
    /** Where it is kept, if somebody chose the file. */
    file?: string;
  }): SessionTree;
  open(file: string): SessionTree;
}

/** What the agent whose sessions these are does for it. */
interface Controlled {
  stopWork(): Promise<void>;
  /** What extensions of the next session can make it do. */
  actions(): HostActions;
}

/** Going from session to session, and around inside one. All of it can be stopped by extensions. */
export class SessionControl {
  readonly #core: Core;
  readonly #place: SessionPlace;
  readonly #agent: Controlled;

  constructor(core: Core, place: SessionPlace, agent: Controlled) {
    this.#core = core;
    this.#place = place;
    this.#agent = agent;
  }

  newSession = async (options: Options<"newSession">[0] = {}): Promise<Cancelled> => {
    let next: SessionTree | undefined;
    const ask = async () => {
      if (!(await this.#allowed("new"))) return undefined;
      next ??= await this.#setUp(options);
      return next;
    };
    const change = async (session: SessionTree) => {
      await this.#agent.stopWork();
      await replaceSession(this.#core, this.#agent.actions(), "new", session);
      return {};
    };
    return this.#replace(ask, change, options);
  };

  switchSession = async (
    file: string,
    options: Options<"switchSession">[1] = {},
  ): Promise<Cancelled> =>
    this.#replace(
      () => this.#allowed("resume", file),
      async () => {
        await this.#agent.stopWork();
        await replaceSession(this.#core, this.#agent.actions(), "resume", this.#place.open(file));
        return {};
      },
      options,
    );

  /** A new session from an entry of this one: Pi's fork, oh-my-pi's branch. */
  fork = async (entryId: string, options: Options<"fork">[1] = {}): Promise<Moved> => {
    const { position = "before" } = options;
    const { emitter, ui } = this.#core;
    const ask = async () => {
      const fork = await emitter.emit({ type: "session_before_fork", entryId, position });
      if (fork.blocked) return undefined;
      const branch = await emitter.emit({ type: "session_before_branch", entryId });
      if (branch.blocked) return undefined;
      const wishes = [fork.result, branch.result];
      return { stay: wishes.some((wish) => wish?.skipConversationRestore === true) };
    };
    const change = async ({ stay }: { stay: boolean }) => {
      await this.#agent.stopWork();
      const session = this.#core.session.tree;
      // With "stay" the new session has the whole conversation instead of the part up to the entry.
      const point = stay ? { leafId: session.getLeafId() } : forkPoint(session, entryId, position);
      const parentSession = session.getSessionFile();
      const next = this.#place.create({
        entries: copyBranch(session, point.leafId),
        ...(parentSession !== undefined && { parentSession }),
      });
      await replaceSession(this.#core, this.#agent.actions(), "fork", next);
      const { editorText } = point;
      if (editorText === undefined) return {};
      ui.setEditorText(editorText);
      return { editorText };
    };
    return this.#replace(ask, change, options);
  };

  navigateTree = (targetId: string, options: TreeOptions = {}): Promise<Moved> =>
    this.#core.changes.make(async () => {
      const session = this.#core.session.tree;
      if (session.getLeafId() === targetId) return { cancelled: false };
      if (!session.getEntry(targetId)) {
        throw new SeamError("SEAM_SESSION_ENTRY", { entry: targetId, detail: "is not there" });
      }
      await this.#agent.stopWork();
      return this.#abortable((signal) => moveInTree(this.#core, targetId, options, signal));
    });

  reload = (): Promise<void> =>
    this.#core.changes.make(async () => {
      await this.#agent.stopWork();
      await endSession(this.#core, "reload");
      await startSession(this.#core, this.#agent.actions(), "reload");
    });

  /** Before the change, not in it: `setup` may do anything, also change the session itself. */
  async #setUp({ parentSession, setup }: NewSessionOptions): Promise<SessionTree> {
    await this.#agent.stopWork();
    const next = this.#place.create(parentSession === undefined ? {} : { parentSession });
    await setup?.(next);
    return next;
  }

  /**
   * Asks the extensions, then makes the change. If others have taken their place meanwhile, those
   * are asked too. `withSession` comes after it: it may give the agent work, or change sessions
   * once more.
   */
  async #replace<A, R>(
    ask: () => Promise<A | undefined>,
    change: (answer: A) => Promise<R>,
    { withSession, from }: { withSession?: WithSession } & From,
  ): Promise<Cancelled & Partial<R>> {
    const core = this.#core;
    let changed: R | undefined;
    while (changed === undefined) {
      const set = await core.changes.begin(() => core.session.set);
      const answer = await ask();
      if (answer === undefined) return { cancelled: true } as Cancelled & Partial<R>;
      changed = await core.changes.make(async () =>
        core.session.set === set ? change(answer) : undefined,
      );
    }
    await withSession?.(core.session.set.replacedContext(from));
    return { cancelled: false, ...changed };
  }

  /** Work an abort reaches the way it reaches a compaction; then nothing came of it. */
  async #abortable(work: (signal: AbortSignal) => Promise<Moved>): Promise<Moved> {
    const controller = new AbortController();
    this.#core.run.compacting = controller;
    try {
      return await work(controller.signal);
    } catch (thrown) {
      if (controller.signal.aborted) return { cancelled: true };
      throw thrown;
    } finally {
      if (this.#core.run.compacting === controller) this.#core.run.compacting = undefined;
    }
  }

  async #allowed(reason: "new" | "resume", targetSessionFile?: string): Promise<true | undefined> {
    const target = targetSessionFile === undefined ? {} : { targetSessionFile };
    const { emitter } = this.#core;
    const asked = await emitter.emit({ type: "session_before_switch", reason, ...target });
    return asked.blocked ? undefined : true;
  }
}
