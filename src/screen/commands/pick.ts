import type { SelectItem } from "../../terminal/index.ts";
import type { Stage } from "../parts/stage.ts";
import { FilterList, type FilterListOptions } from "../pickers/filter-list.ts";

/** Lets the user choose from a list that can be filtered. */
export function pick(
  stage: Stage,
  title: string,
  items: readonly SelectItem[],
  options: Pick<FilterListOptions, "selected" | "hint" | "views"> = {},
): Promise<string | undefined> {
  return stage.queue.ask<string>(
    (done) =>
      new FilterList({
        title,
        items,
        theme: stage.theme,
        rows: () => stage.screen.terminal.rows,
        done,
        ...options,
      }),
  );
}
