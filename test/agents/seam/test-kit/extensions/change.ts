import type { ExtensionAPI } from "agentseam";

/** Changes what goes in and what comes out, where it finds its words. */
export default function change(pi: ExtensionAPI) {
  pi.on("input", ({ text }) => {
    if (text.includes("stop-this-prompt")) return { action: "handled" };
    if (!text.includes("the-old-prompt")) return;
    return { action: "transform", text: text.replace("the-old-prompt", "the-new-prompt") };
  });
  pi.on("tool_call", ({ input }) => {
    if (typeof input.command !== "string") return;
    input.command = input.command.replace("the-old-input", "the-new-input");
  });
  pi.on("tool_result", ({ content }) => {
    const told = content.some(
      (part) => part.type === "text" && part.text.includes("the-old-output"),
    );
    if (told) return { content: [{ type: "text", text: "the-new-output" }] };
  });
}
