import type { Diff } from "../../src/view/api-history.ts";
import { bytes } from "../parts/format.ts";
import { DiffView } from "./diff-view.tsx";

/** A diff, and a note where it was too long to be sent whole. */
export function Changes({ diff, of }: Diff) {
  return (
    <>
      <DiffView text={diff} />
      {of !== undefined && <p class="note">The diff has {bytes(of)}; this is its beginning.</p>}
    </>
  );
}
