type Next = (specifier: string, context: object) => Promise<{ url: string }>;

/**
 * Node's hook for finding modules: whatever asks for "agentseam" gets what this package itself
 * would get under that name.
 */
export async function resolve(specifier: string, context: object, next: Next) {
  const isOwn = specifier === "agentseam" || specifier.startsWith("agentseam/");
  return next(specifier, isOwn ? { ...context, parentURL: import.meta.url } : context);
}
