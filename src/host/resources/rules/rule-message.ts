import type { Rule } from "../../../events/index.ts";

/** What the model is told when its answer was stopped by rules. */
export function ruleMessage(rules: readonly Rule[]): string {
  const [subject, them] = rules.length === 1 ? ["a rule", "it"] : ["rules", "them"];
  const intro = `Your last answer was stopped because it ran into ${subject} that the user has set up. Answer again, and keep to ${them} from now on.`;
  return [intro, ...rules.map(oneRule)].join("\n\n");
}

function oneRule({ name, globs = [], content }: Rule): string {
  const files = globs.length > 0 ? ` files="${globs.join(", ")}"` : "";
  return `<rule name="${name}"${files}>\n${content}\n</rule>`;
}
