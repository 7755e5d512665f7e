import type { ProviderOptions } from "../sdk-types.ts";
import { levelOf, wordFor } from "../thinking.ts";
import { type Api, metadataText } from "./api.ts";

const EFFORTS = {
  off: "none",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
};

/** Signatures are written as Pi writes them, so that each can go on with the other's session. */
export const openaiResponses: Api = {
  keyHeader: "authorization",
  imagesInToolResults: true,

  async connect({ model, apiKey, headers, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL: model.baseUrl, apiKey, headers, fetch }).responses(model.id);
  },

  options(model, { level, sessionId }): ProviderOptions {
    const effort = wordFor(model, levelOf(model, level), EFFORTS);
    return {
      openai: {
        // The conversation is kept here, not there: what is needed to go on comes back encrypted.
        store: false,
        ...(sessionId && { promptCacheKey: sessionId.slice(0, 64) }),
        ...(model.reasoning && { forceReasoning: true, reasoningEffort: effort }),
        ...(model.reasoning && effort !== "none" && { reasoningSummary: "auto" }),
      },
    };
  },

  readSignature(block, metadata) {
    const id = metadataText(metadata, "openai", "itemId");
    if (id === undefined || block.type === "toolCall") return {};
    if (block.type === "text") {
      const phase = metadataText(metadata, "openai", "phase");
      return { textSignature: JSON.stringify({ v: 1, id, ...(phase && { phase }) }) };
    }
    const content = metadataText(metadata, "openai", "reasoningEncryptedContent");
    if (!content) return {};
    const summary = block.thinking ? [{ type: "summary_text", text: block.thinking }] : [];
    const item = { type: "reasoning", id, summary, encrypted_content: content };
    return { thinkingSignature: JSON.stringify(item) };
  },

  writeSignature(block): ProviderOptions | undefined {
    if (block.type === "toolCall") return {};
    if (block.type === "text") {
      const { id, phase } = fields(block.textSignature);
      return id ? { openai: { itemId: id, ...(phase && { phase }) } } : {};
    }
    const { id, encrypted_content } = fields(block.thinkingSignature);
    if (!id || !encrypted_content) return undefined;
    return { openai: { itemId: id, reasoningEncryptedContent: encrypted_content } };
  },
};

function fields(json: string | undefined): Partial<Record<string, string>> {
  if (json === undefined) return {};
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(([, field]) => typeof field === "string"),
    );
  } catch {
    return {};
  }
}
