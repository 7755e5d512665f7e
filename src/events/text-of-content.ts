import type { AssistantContent, ImageContent, UserContent } from "./content.ts";

interface TextOptions {
  readonly between?: string;
  readonly image?: (image: ImageContent) => string;
}

/**
 * The text of a message or of a tool's result: its text blocks, one below the other unless
 * something else is to stand between them. Everything that is no text is left out, unless something
 * is to stand for its images.
 */
export function textOfContent(
  content: string | readonly (UserContent | AssistantContent)[],
  { image, between = "\n" }: TextOptions = {},
): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((block) => {
      if (block.type === "text") return [block.text];
      return block.type === "image" && image ? [image(block)] : [];
    })
    .join(between);
}
