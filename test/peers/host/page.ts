import { fileURLToPath } from "node:url";
import { type Group, type Proof, proofs, unprovens } from "./proofs.ts";

export const PAGE = fileURLToPath(new URL("../../../docs/pi-compatibility.md", import.meta.url));

const GROUPS: Record<Group, string> = {
  A: "tools, hooks and commands",
  B: "dialogs, statuses, widgets",
  C: "models and providers",
  D: "terminal components",
  E: "the outside world",
};

/** The page as this run has it. */
export function page(version: string): string {
  const examples = together(proofs.filter(({ example }) => example !== undefined));
  const sessions = proofs.filter(({ example }) => example === undefined);
  return `<!-- Written by \`WRITE_DOCS=1 npm run test:peers\`; do not edit. -->

# Pi's examples on Seam

The ${count(examples)} example extensions of Pi ${version}, unchanged, on Seam's own agent with a scripted
model: a real folder, real files, real git, real child processes. The network is played, and where
a program is not installed everywhere a stand-in takes its place; the row says so. A proof fails if
the extension has any problem on the way. Every row is a test in \`test/peers\`.

${summary(examples)}

| example | group | what was proven | result |
| --- | --- | --- | --- |
${examples.map(row).join("\n")}

## Sessions

| what was proven | result |
| --- | --- |
${sessions.map(({ what, result }) => `| ${cell(what)} | ${result} |`).join("\n")}

## Not proven

${[...openQuestions()].map(([what, names]) => `- ${names.join(", ")}: ${what}`).join("\n")}
`;
}

/** By group, all proofs of an example one after the other. */
function together(rows: readonly Proof[]): Proof[] {
  const order = [...new Set(rows.map(({ example }) => example))];
  return rows.toSorted(
    (a, b) =>
      (a.group ?? "").localeCompare(b.group ?? "") ||
      order.indexOf(a.example) - order.indexOf(b.example),
  );
}

/** What is open, and for which examples. */
function openQuestions(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { example, what } of unprovens) {
    names.set(what, [...(names.get(what) ?? []), `**${example}**`]);
  }
  return names;
}

function row({ example = "", group = "A", what, result }: Proof): string {
  return `| ${example} | ${group} | ${cell(what)} | ${result} |`;
}

function summary(rows: readonly Proof[]): string {
  const lines = Object.entries(GROUPS).map(([group, title]) => {
    const own = rows.filter((one) => one.group === group);
    const failing = new Set(
      own.filter(({ result }) => result !== "works").map((one) => one.example),
    );
    const works = count(own) - failing.size;
    return `| ${group} | ${title} | ${works} of ${count(own)} |`;
  });
  return ["| group | about | examples that work |", "| --- | --- | --- |", ...lines].join("\n");
}

function count(rows: readonly Proof[]): number {
  return new Set(rows.map(({ example }) => example)).size;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
