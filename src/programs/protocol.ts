/** A program to be run, with everything that is to be said about it. */
export interface Program {
  readonly path: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it reads. */
  readonly input?: string | Uint8Array | undefined;
}

/** What became of a program. */
export interface ProgramEnd {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What is asked of whoever runs programs. */
export type Order =
  | { readonly do: "run"; readonly id: number; readonly program: Program }
  | { readonly do: "kill"; readonly id: number; readonly signal: NodeJS.Signals };

/** What became of an order to run something. */
export type Told =
  | { readonly id: number; readonly end: ProgramEnd }
  /** It could not be started. */
  | { readonly id: number; readonly failed: { readonly message: string; readonly code?: string } };
