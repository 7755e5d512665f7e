// Lets the later versions of Pi run here, which are unpacked and not installed: they find each other,
// and what is published nowhere (their schemas and telemetry) is something that takes every call.
const PACKED = "/.packed/";
const LATER = "1.5.0";

const STUBBED = [
  ..."arr bool int nul num obj oneOf opt str union compile formats".split(" "),
  ..."createTypedMetrics createTypedSpanStarter defineTelemetrySchema".split(" "),
  ..."NOOP_TELEMETRY_CONTEXT NOOP_TELEMETRY_METRICS".split(" "),
];
const STUB = `
  const anything = new Proxy(function () {}, {
    get: (target, key) => {
      if (key === "then") return undefined;
      return key === Symbol.toPrimitive ? () => "" : anything;
    },
    apply: () => anything,
  });
  ${STUBBED.map((name) => `export const ${name} = anything;`).join("\n")}
`;
// Node 20 has no globSync.
const FILES = `
  export * from "node:fs";
  export { default } from "node:fs";
  export const globSync = () => [];
  export const glob = () => {};
`;

const module = (text) => ({
  url: `data:text/javascript,${encodeURIComponent(text)}`,
  shortCircuit: true,
});

export async function resolve(specifier, context, next) {
  const from = context.parentURL ?? "";
  if (!from.includes(PACKED)) return next(specifier, context);
  if (/^(node:)?fs$/.test(specifier)) return module(FILES);
  if (/^@earendil-works\/pi-(schema|telemetry)/.test(specifier)) return module(STUB);
  const [, name, path] =
    /^@earendil-works\/(pi-ai|pi-agent-core)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return next(specifier, context);
  const root = from.slice(0, from.indexOf(PACKED) + PACKED.length);
  return { url: `${root}${name}-${LATER}/dist/${path ?? "index"}.js`, shortCircuit: true };
}
