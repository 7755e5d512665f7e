import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type TriedPackage, triedPackages } from "../packages.ts";
import { EDITION_NAMES, type Edition } from "../pi.ts";
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
export function page(): string {
  const examples = together(proofs.filter(({ example }) => example !== undefined));
  const sessions = proofs.filter(({ example }) => example === undefined);
  const versions = EDITION_NAMES.map((edition) => `${count(examples, edition)} of Pi ${edition}`);
  return `<!-- Written by \`WRITE_DOCS=1 npm run test:peers\`; do not edit. -->

# Pi's examples on Seam

The example extensions of two versions of Pi, ${versions.join(" and ")}, unchanged, on Seam's own agent
with a scripted model: a real folder, real files, real git, real child processes. The network is played,
and where a program is not installed everywhere a stand-in takes its place; the row says so. A proof fails
if the extension has any problem on the way. Every row is a test in \`test/peers\`.

${summary(examples)}

| example | group | what was proven | ${EDITION_NAMES.join(" | ")} |
| --- | --- | --- | ${EDITION_NAMES.map(() => "---").join(" | ")} |
${examples.map(row).join("\n")}

## On the screen

Seen in tmux, with Pi 0.74.2 beside it: the same keys are typed into both, and what the example draws
has to be the same. Every row is a test in \`test/peers/screen-*.test.ts\`.

| example | what both show |
| --- | --- |
${onScreen().join("\n")}

## Packages of others

${packages()}

## Sessions

| what was proven | result |
| --- | --- |
${sessions.map(({ what, results }) => `| ${cell(what)} | ${results["0.74.2"]} |`).join("\n")}

## Not proven

${[...openQuestions()].map(([what, names]) => `- ${names.join(", ")}: ${what}`).join("\n")}
`;
}

const HERE = fileURLToPath(new URL("../", import.meta.url));

/** The names of the tests in which a person looks at Pi and Seam. */
function onScreen(): string[] {
  const files = readdirSync(HERE).filter((name) => /^screen-.*\.test\.ts$/.test(name));
  const titles = files.sort().flatMap((name) => {
    const text = readFileSync(`${HERE}${name}`, "utf8");
    return [...text.matchAll(/^(?:test|inFull)\(\s*"([a-z-]+): (.*)",\s*async/gm)];
  });
  return titles.map(([, example = "", what = ""]) => `| ${example} | ${cell(what)} |`);
}

/** What became of packages when they were tried last. */
function packages(): string {
  const { node, packages: tried } = triedPackages();
  const loaded = tried.filter(({ why }) => why === undefined).length;
  return `Packages of other people from npm, unchanged: each was added with \`seam ext add\` and run once with a
scripted model. ${loaded} of ${tried.length} load on Node ${node}; whether each does all that it does in Pi was not tried.
They are fetched and tried only when asked for: \`PACKAGES=1\` before \`npm run test:peers\`.

| package | version | loads | what it brings, or why it does not load |
| --- | --- | --- | --- |
${tried.map(packageRow).join("\n")}`;
}

function packageRow({ name, version, brings = "", why }: TriedPackage): string {
  return `| ${name} | ${version} | ${why === undefined ? "yes" : "no"} | ${cell(why ?? brings)} |`;
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

function row({ example = "", group = "A", what, results }: Proof): string {
  const seen = EDITION_NAMES.map((edition) => results[edition] ?? "");
  return `| ${example} | ${group} | ${cell(what)} | ${seen.join(" | ")} |`;
}

function summary(rows: readonly Proof[]): string {
  const lines = Object.entries(GROUPS).map(([group, title]) => {
    const own = rows.filter((one) => one.group === group);
    const works = EDITION_NAMES.map(
      (edition) => `${working(own, edition)} of ${count(own, edition)}`,
    );
    return `| ${group} | ${title} | ${works.join(" | ")} |`;
  });
  const total = EDITION_NAMES.map(
    (edition) => `${working(rows, edition)} of ${count(rows, edition)}`,
  );
  return [
    `| group | about | ${EDITION_NAMES.map((edition) => `work, of ${edition}`).join(" | ")} |`,
    `| --- | --- | ${EDITION_NAMES.map(() => "---").join(" | ")} |`,
    ...lines,
    `| | all | ${total.join(" | ")} |`,
  ].join("\n");
}

/** Examples of a version for which everything was proven. */
export function working(rows: readonly Proof[], edition: Edition): number {
  const failing = new Set(
    rows
      .filter(({ results }) => results[edition] !== undefined && results[edition] !== "works")
      .map(({ example }) => example),
  );
  return count(rows, edition) - failing.size;
}

function count(rows: readonly Proof[], edition: Edition): number {
  return new Set(
    rows.filter(({ results }) => results[edition] !== undefined).map(({ example }) => example),
  ).size;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
