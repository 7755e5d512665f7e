/** Why something that was found is not used. Never fatal: the session goes on without it. */
export interface ResourceProblem {
  path: string;
  message: string;
}
