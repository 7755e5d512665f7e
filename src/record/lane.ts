/** So long something that git waits for lets others before it go first. */
const PATIENCE_MS = 300;

interface Aside {
  readonly sessions: ReadonlySet<string>;
  /** What is done meanwhile, one thing after the other. */
  visits: Promise<unknown>;
}

interface Hurried {
  isPatient: boolean;
  readonly begin: () => Promise<void>;
}

/**
 * What is done in one repository, one thing after the other: hooks of agents and of git change the
 * same files. Work that takes long and changes none of them stands aside: the longer a transcript
 * is, the longer it takes to store it, and no commit may wait for that.
 */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();
  #length = 0;
  #aside: Aside | undefined;
  readonly #hurried = new Set<Hurried>();

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Resolves when all that came so far is done. */
  get settled(): Promise<unknown> {
    return this.#last;
  }

  /** Does something when all that came before it is done. It must not fail. */
  run(work: () => Promise<void>): Promise<void> {
    this.#length++;
    const next = this.#last.then(async () => {
      await work();
      this.#length--;
    });
    this.#last = next;
    return next;
  }

  /**
   * Does something that git waits for: in its turn, or earlier, while what is being done stands aside.
   * Others that came before it go first if that does not take long.
   */
  hurry(work: () => Promise<void>, patience = PATIENCE_MS): Promise<void> {
    const isNext = this.#length <= 1;
    let begun: Promise<void> | undefined;
    let isEarly = () => {};
    const early = new Promise<void>((resolve) => {
      isEarly = resolve;
    });
    const begin = () => {
      begun ??= work().finally(() => {
        clearTimeout(timer);
        this.#hurried.delete(hurried);
        isEarly();
      });
      return begun;
    };
    const hurried: Hurried = { isPatient: !isNext, begin };
    const timer = setTimeout(
      () => {
        hurried.isPatient = false;
        this.#letIn();
      },
      isNext ? 0 : patience,
    );
    this.#hurried.add(hurried);
    return Promise.race([this.run(begin), early]);
  }

  /** Long work of what is being done that changes nothing but what is known of these sessions. */
  async aside<T>(sessions: readonly string[], work: () => Promise<T>): Promise<T> {
    // Within something that stands aside already.
    if (this.#aside) return work();
    const aside: Aside = { sessions: new Set(sessions), visits: Promise.resolve() };
    this.#aside = aside;
    this.#letIn();
    try {
      return await work();
    } finally {
      for (let seen: unknown; seen !== aside.visits; ) {
        seen = aside.visits;
        await seen;
      }
      this.#aside = undefined;
    }
  }

  /** Whether what is known of a session is about to be changed by what stands aside. */
  isAside(session: string): boolean {
    return this.#aside?.sessions.has(session) === true;
  }

  #letIn(): void {
    const aside = this.#aside;
    if (!aside) return;
    for (const one of this.#hurried) {
      if (!one.isPatient) aside.visits = aside.visits.then(one.begin);
    }
  }
}
