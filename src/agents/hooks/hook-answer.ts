/** What an agent's hook runner gets to see of the program it ran. */
export interface HookAnswer {
  /** If it is empty, nothing is printed, which every agent takes as no decision. */
  readonly stdout: string;
  readonly stderr?: string;
  readonly exitCode: number;
}

/** The answer of a hook that has nothing to say. */
export const NO_ANSWER: HookAnswer = { stdout: "", exitCode: 0 };
