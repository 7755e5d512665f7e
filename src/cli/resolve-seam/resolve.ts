const OWN = new Map([
  ["agentseam", new URL("../../index.js", import.meta.url).href],
  ["agentseam/testing", new URL("../../testing/index.js", import.meta.url).href],
]);

type Next = (specifier: string, context: unknown) => Promise<{ url: string }>;

/** Node's hook for finding modules. */
export async function resolve(specifier: string, context: unknown, next: Next) {
  const url = OWN.get(specifier);
  return url ? { url, shortCircuit: true } : next(specifier, context);
}
