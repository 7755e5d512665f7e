import { relative } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { isCritical, knownPath, type Source } from "../../extensions/index.ts";
import { isInside } from "../../files/index.ts";

interface Held {
  /** As it was when they were found. */
  readonly trust: string;
  readonly gates: readonly Source[];
}

/**
 * What must not be missing in a work tree because the user trusted it in another one of the repository. Only
 * files of git say that the two belong together, and whoever works in the tree can change those: what held
 * once goes on until the user decides about anything again. `trust` changes whenever they do.
 */
export class HeldGates {
  readonly #byRoot = new Map<string, Held>();

  note(root: string, found: readonly Source[], trust: string): void {
    const lent = found.filter((source) => isLent(source, root));
    const before = this.#byRoot.get(root);
    const earlier = before?.trust === trust ? before.gates.filter(isNotAmong(lent)) : [];
    const gates = [...lent, ...earlier];
    if (gates.length > 0) this.#byRoot.set(root, { trust, gates });
    else this.#byRoot.delete(root);
  }

  /** Those that held in a folder and were not found this time. */
  lost(folder: string, found: readonly Source[], trust: string): readonly Source[] {
    return [...this.#byRoot]
      .filter(([root, held]) => isInside(folder, root) && held.trust === trust)
      .flatMap(([root, { gates }]) =>
        gates.filter(isNotAmong(found.filter((source) => isLent(source, root)))),
      );
  }

  forgetAll(): void {
    this.#byRoot.clear();
  }
}

/** What the user is told of one that goes on. */
export function lostError(gate: Source, folder: string): SeamError {
  const what = `holds in ${folder} too, though git no longer says that both are of one repository`;
  return new SeamError("SEAM_EXT_CHANGED", { path: knownPath(gate), what });
}

/** Of a project around nobody in the work tree can say that it is none. */
function isLent(source: Source, root: string): boolean {
  return source.copy !== undefined && isCritical(source) && !isInside(root, source.copy.project);
}

/** Another version of the same extension, from whichever work tree, stands for it. */
function isNotAmong(others: readonly Source[]): (gate: Source) => boolean {
  const names = new Set(others.map(nameIn));
  return (gate) => !names.has(nameIn(gate));
}

function nameIn({ path, copy }: Source): string {
  return copy ? relative(copy.project, copy.from) : path;
}
