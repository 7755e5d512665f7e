// Writes pi-examples.json: what Pi's own loader sees in each of its example extensions. Nothing of
// Seam is used here, so the table is an independent witness. Run it when the pinned Pi changes:
//   node test/peers/record-pi-examples.mjs && npx biome format --write test/peers/pi-examples.json
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const root = new URL("node_modules/@earendil-works/pi-coding-agent/", import.meta.url);
const { loadExtensions } = await import(new URL("dist/core/extensions/loader.js", root).href);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const folder = fileURLToPath(new URL("examples/extensions/", root));

const examples = {};
for (const item of readdirSync(folder).sort()) {
  if (item === "README.md") continue;
  const entry = existsSync(`${folder}${item}/index.ts`) ? `${item}/index.ts` : item;
  examples[item.replace(/\.ts$/, "")] = { entry, ...(await inspect(folder + entry)) };
}
const file = fileURLToPath(new URL("pi-examples.json", import.meta.url));
writeFileSync(file, `${JSON.stringify({ pi: version, examples }, null, 2)}\n`);
process.stdout.write(`${Object.keys(examples).length} examples of Pi ${version} in ${file}\n`);
// Some examples leave timers and watchers behind.
process.exit(0);

async function inspect(path) {
  const { extensions, errors, runtime } = await loadExtensions([path], tmpdir());
  const [extension] = extensions;
  if (!extension) return { missing: missingModule(errors[0].error) };
  const names = {
    events: extension.handlers.keys(),
    tools: extension.tools.keys(),
    commands: extension.commands.keys(),
    flags: extension.flags.keys(),
    shortcuts: extension.shortcuts.keys(),
    renderers: extension.messageRenderers.keys(),
    providers: runtime.pendingProviderRegistrations.map(({ name }) => name),
  };
  const sorted = Object.entries(names).map(([kind, of]) => [kind, [...of].sort()]);
  return Object.fromEntries(sorted.filter(([, of]) => of.length > 0));
}

function missingModule(error) {
  const name = /Cannot find (?:module|package) '([^']+)'/.exec(error)?.[1];
  if (!name) throw new Error(`An example fails for a reason other than a missing module: ${error}`);
  return name;
}
