import type { ToolReading } from "../agents/index.ts";
import { messageOf } from "../errors/index.ts";
import { judgeCall } from "./judge-call.ts";
import { ProtectedPlaces } from "./protected-places.ts";
import type { Call } from "./written-paths.ts";

/** What becomes of a call that would take Seam out or make it laxer. */
export type Protect = "ask" | "block" | "allow";

/** In the place of an extension's name: nobody's extension said so. */
export const PROTECTION = "Seam";

const NEXT =
  'If the user wants this, they can do it themselves or set "protectSeam" to "allow" in ~/.seam/settings.json.';

/** Protection is built in, so that nobody can forget it or remove it with an extension. */
export class Protection {
  readonly #store: string | undefined;
  #places: ProtectedPlaces | undefined;

  constructor(store?: string) {
    this.#store = store;
  }

  /** Why calls must not run unasked; undefined if there is nothing to say against them. */
  against(calls: readonly (Call | ToolReading)[], cwd: string): string | undefined {
    for (const call of calls) {
      const why = tryJudging(() => this.#found(), call, cwd);
      if (why !== undefined) return `${why} Agents may not do that unasked. ${NEXT}`;
    }
    return undefined;
  }

  /** Following the links of all places takes some milliseconds: not for calls that only look. */
  #found(): ProtectedPlaces {
    this.#places ??= new ProtectedPlaces(this.#store === undefined ? {} : { store: this.#store });
    return this.#places;
  }
}

/** That a call could not be judged does not mean that there is nothing against it. */
function tryJudging(...given: Parameters<typeof judgeCall>): string | undefined {
  try {
    return judgeCall(...given);
  } catch (thrown) {
    return `Seam cannot tell what this would change: ${messageOf(thrown)}.`;
  }
}
