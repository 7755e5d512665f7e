import { type ExtensionAPI, Type } from "agentseam";

const REVIEW = Type.Object({
  verdict: Type.Union([Type.Literal("approve"), Type.Literal("request_changes")]),
  findings: Type.Array(
    Type.Object({
      file: Type.String(),
      line: Type.Optional(Type.Integer({ minimum: 1 })),
      problem: Type.String({ description: "What is wrong, in one sentence" }),
    }),
  ),
});

/**
 * A last answer that a program can read. The model hands in a review that fits a schema, and
 * `terminate: true` ends the work there, without one more model call to say so.
 *
 * Shows: a tool with `terminate` and typed `details`, `promptSnippet`, `promptGuidelines`.
 *
 * @example
 * seam run -e extensions/structured-output.ts --mode json -p "Review the last commit" \
 *   | jq 'select(.type == "tool_execution_end" and .toolName == "submit_review").result.details'
 */
export default function structuredOutput(pi: ExtensionAPI) {
  pi.registerTool({
    name: "submit_review",
    label: "Submit review",
    description: "Hands in the finished review. Call it once, at the very end.",
    promptSnippet: "Hand in the finished review",
    promptGuidelines: [
      "When a review is asked for, hand it in with submit_review; say nothing after it.",
    ],
    parameters: REVIEW,
    async execute(_toolCallId, review) {
      const { verdict, findings } = review;
      const lines = findings.map(({ file, line, problem }) =>
        line === undefined ? `${file}: ${problem}` : `${file}:${line}: ${problem}`,
      );
      return {
        content: [{ type: "text", text: [verdict, ...lines].join("\n") }],
        details: review,
        terminate: true,
      };
    },
  });
}
