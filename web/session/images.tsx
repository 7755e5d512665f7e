import { useContext } from "preact/hooks";
import type { Entry } from "../../src/view/api.ts";
import { addressOf } from "../data/http.ts";
import { bytes } from "../parts/format.ts";
import { Session } from "./session-context.ts";

/** The pictures of an entry, small; each opens as it is. */
export function Images({ entry }: { entry: Entry }) {
  const { place } = useContext(Session);
  return (
    <div class="images">
      {entry.images?.map((image, n) => {
        const src = addressOf("api/image", { ...place, key: entry.key, n });
        return (
          <a key={src} href={src} target="_blank" rel="noreferrer" title={bytes(image.bytes)}>
            <img src={src} loading="lazy" alt={`${n + 1} of this entry, ${image.mime}`} />
          </a>
        );
      })}
    </div>
  );
}
