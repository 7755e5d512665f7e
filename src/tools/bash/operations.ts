/** Where commands run. Replace it to run them on another machine or in a sandbox. */
export interface BashOperations {
  /**
   * Runs a command and passes its output on as it comes. Rejects with "aborted" when the signal
   * stopped it and with "timeout:<seconds>" when the time ran out; both mean nothing is left running.
   */
  exec: (
    command: string,
    cwd: string,
    options: {
      onData: (data: Buffer) => void;
      signal?: AbortSignal;
      /** In seconds. */
      timeout?: number;
      env?: NodeJS.ProcessEnv;
    },
  ) => Promise<{
    /** null: something killed it. */
    exitCode: number | null;
  }>;
}
