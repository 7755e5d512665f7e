/** What a compiled file has in the place of `import.meta`. */
export const META = "__seamMeta";
