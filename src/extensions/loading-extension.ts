import { join } from "node:path";
import { isBelow } from "../files/index.ts";
import type { Source } from "./find/source.ts";
import { type ContainedTimers, containTimers } from "./timers.ts";

/** What is known of an extension from the moment its loading begins, whether it succeeds or not. */
export class LoadingExtension {
  readonly source: Source;
  readonly timers: ContainedTimers;
  readonly #files: Set<string>;
  /** The library `pi.zod`, once the extension was seen to use it. */
  zod: object | undefined;
  #gone = false;
  #compileMs = 0;

  constructor(source: Source, failed: (thrown: unknown) => void) {
    this.source = source;
    this.timers = containTimers(source, failed);
    this.#files = new Set([source.path]);
  }

  get path(): string {
    return this.source.path;
  }

  /** It failed to load, or its session is over: nothing it still does counts. */
  get gone(): boolean {
    return this.#gone;
  }

  /** How long its files took to compile: that is not its own work. */
  get compileMs(): number {
    return this.#compileMs;
  }

  compiled(ms: number): void {
    this.#compileMs += ms;
  }

  entered(file: string): void {
    this.#files.add(file);
  }

  /** Whether a file is the extension's: one it loaded, or one of a package beside it. */
  owns(file: string): boolean {
    if (this.#files.has(file)) return true;
    return isBelow(file, join(this.source.baseDir, "node_modules"));
  }

  leave(): void {
    this.#gone = true;
    this.timers.clear();
  }
}
