import { expect, test } from "vitest";
import { branchSummaryDetails, branchSummaryRequest } from "./branch-summary.ts";
import { assistant, branch, call, compaction, entry, textOfRequest, user } from "./test-kit.ts";

const left = branch([
  entry(user("Try the other library")),
  entry(assistant([call("1", "write", { path: "other.ts" })])),
]);

test("a branch on which nothing was said needs no summary", () => {
  expect(branchSummaryRequest([])).toBeUndefined();
  expect(branchSummaryRequest(branch([{ type: "session_info", name: "n" }]))).toBeUndefined();
});

test("the request shows what was said on the branch, and what the user wants to know", () => {
  const text = textOfRequest(branchSummaryRequest(left, { customInstructions: "Why it failed" }));
  expect(text).toContain("[User]: Try the other library");
  expect(text).toContain("## Task");
  expect(text.endsWith("Why it failed")).toBe(true);
});

test("the user's instructions can be all there are", () => {
  const options = { customInstructions: "Why did it fail?", replaceInstructions: true };
  const text = textOfRequest(branchSummaryRequest(left, options));
  expect(text).not.toContain("## Task");
  expect(text.endsWith("\n\nWhy did it fail?")).toBe(true);
  const none = textOfRequest(branchSummaryRequest(left, { replaceInstructions: true }));
  expect(none).toContain("## Task");
});

test("what was compacted on the branch is shown as its summary", () => {
  const compacted = [...left, ...branch([compaction("e2", "It got stuck"), entry(user("Hm"))], 2)];
  const text = textOfRequest(branchSummaryRequest(compacted));
  expect(text).toContain("It got stuck");
  expect(text).toContain("[User]: Hm");
  expect(text).not.toContain("Try the other library");
  expect(branchSummaryDetails(compacted).modifiedFiles).toEqual(["other.ts"]);
});
