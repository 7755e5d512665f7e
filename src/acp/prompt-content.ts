import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ImageContent } from "../events/index.ts";

/** What a client sent, in the words the agent takes. */
export interface PromptContent {
  readonly text: string;
  readonly images: ImageContent[];
}

/**
 * A prompt as text and images. Files that the user mentioned stand in it by their path, so that the
 * agent can read them; those that came along stand in it whole.
 */
export function promptContent(blocks: readonly ContentBlock[]): PromptContent {
  const texts: string[] = [];
  const images: ImageContent[] = [];
  for (const block of blocks) {
    if (block.type === "text") texts.push(block.text);
    else if (block.type === "image") {
      images.push({ type: "image", data: block.data, mimeType: block.mimeType });
    } else if (block.type === "resource_link") texts.push(pathOf(block.uri));
    else if (block.type === "resource" && "text" in block.resource) {
      const { uri, text } = block.resource;
      texts.push(`\n<file path="${pathOf(uri)}">\n${text}\n</file>\n`);
    }
  }
  return { text: texts.join(""), images };
}

function pathOf(uri: string): string {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
