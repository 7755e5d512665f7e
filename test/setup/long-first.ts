import { BaseSequencer, type TestSequencerConstructor } from "vitest/node";

/**
 * Begins with these files, in this order. Of files that it has never run Vitest knows only how large
 * they are, and one that takes long though it is small would run alone at the end.
 */
export function longFirst(...names: readonly string[]): TestSequencerConstructor {
  return class extends BaseSequencer {
    override async sort(files: Parameters<BaseSequencer["sort"]>[0]) {
      const sorted = await super.sort(files);
      const named = names.flatMap((name) =>
        sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}.test.ts`)),
      );
      return [...named, ...sorted.filter((file) => !named.includes(file))];
    }
  };
}
