import { basename } from "node:path";
import { messageOf } from "../../../errors/index.ts";
import type { Rule } from "../../../events/index.ts";
import { listField, textField } from "../find/fields.ts";
import { findMarkdown, type MarkdownFile } from "../find/find-markdown.ts";
import { firstOfName } from "../find/first-of-name.ts";
import { placesOf } from "../find/places.ts";
import type { ResourceProblem } from "../find/problem.ts";
import { patternOf } from "./pattern-of.ts";

/** A rule that can be watched for: its conditions are known to be usable patterns. */
export interface WatchedRule extends Rule {
  path: string;
  condition: string[];
  /** It may trigger more than once in a session. */
  repeat: boolean;
}

/** The rules of a project and a user. The first of a name wins. */
export function findRules({ cwd }: { cwd: string }): {
  rules: WatchedRule[];
  problems: ResourceProblem[];
} {
  const { files, problems } = findMarkdown(placesOf("rules", { cwd }));
  const rules = files.flatMap((file) => ruleOf(file, problems) ?? []);
  return { rules: firstOfName(rules, ({ path }) => path, problems), problems };
}

function ruleOf(file: MarkdownFile, problems: ResourceProblem[]): WatchedRule | undefined {
  const { path, fields, body } = file;
  // A README beside the rules is not one.
  if (!file.hasHead) return undefined;
  const refuse = (message: string) => void problems.push({ path, message });

  const condition = listField(fields, "condition").filter((pattern) => {
    const problem = problemOf(pattern);
    if (problem) refuse(`The condition ${pattern} is not used: ${problem}`);
    return !problem;
  });
  if (condition.length === 0) {
    refuse("The rule has no condition that can be used, so nothing can trigger it.");
    return undefined;
  }
  if (body === "") {
    refuse("The rule says nothing: write below its head what the agent is to do.");
    return undefined;
  }
  const description = textField(fields, "description");
  const globs = listField(fields, "globs");
  return {
    name: textField(fields, "name") ?? basename(path).slice(0, -".md".length),
    path,
    content: body,
    ...(description && { description }),
    ...(globs.length > 0 && { globs }),
    condition,
    repeat: fields.repeat === true,
  };
}

function problemOf(condition: string): string | undefined {
  try {
    return patternOf(condition).test("") ? "it matches even when nothing is said." : undefined;
  } catch (error) {
    return messageOf(error);
  }
}
