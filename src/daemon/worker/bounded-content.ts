import type { UserContent } from "../../events/index.ts";

/** More text than any model reads in one result. */
const MOST_TEXT = 400_000;
/** As base64. */
const MOST_IMAGES = 8_000_000;

/** A result small enough to be passed on: what is left out is said in its place. */
export function boundedContent(content: readonly UserContent[]): UserContent[] {
  let text = MOST_TEXT;
  let images = MOST_IMAGES;
  return content.map((block): UserContent => {
    if (block.type === "image") {
      images -= block.data.length;
      return images >= 0 ? { ...block } : { type: "text", text: "[an image that is too large]" };
    }
    const kept = block.text.slice(0, Math.max(0, text));
    text -= block.text.length;
    const left = block.text.length - kept.length;
    return left === 0
      ? { type: "text", text: block.text }
      : { type: "text", text: `${kept}\n[${left} more characters were left out]` };
  });
}
