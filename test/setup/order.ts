import { BaseSequencer, type TestSpecification } from "vitest/node";
import { WAITING } from "./common.ts";

/**
 * Longest first, so that none is left alone at the end. But those that take longest mostly wait: one
 * of them begins with a few shorter ones beside it, which have the processors meanwhile.
 */
export class Dealt extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const last = sorted.at(-1)?.project;
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return project === last ? own : dealt(own, WAITING);
    });
  }
}

/** Deals what is sorted: the first of each of so many equal parts, then the second of each. */
function dealt<T>(sorted: readonly T[], parts: number): T[] {
  const length = Math.ceil(sorted.length / parts);
  return Array.from({ length }, (_, at) => sorted.filter((_, n) => n % length === at)).flat();
}
