// Loads one package once, in a process of its own, and tells how long that took. Plain JavaScript: a
// compiler that is warm already would help.
const [way, modules, path] = process.argv.slice(2);

const WAYS = {
  Seam: async () => {
    const { extensions, host } = JSON.parse(modules);
    const { loadExtensions } = await import(extensions);
    const { piModules } = await import(host);
    return async (cwd) => {
      const set = await loadExtensions({ cwd, sources: [path], modules: piModules });
      for (const { problem } of set.failures) throw problem.error;
    };
  },
  Pi: async () => {
    const { loadExtensions } = await import(modules);
    return async (cwd) => {
      const { errors } = await loadExtensions([path], cwd);
      if (errors.length > 0) throw new Error(errors[0].error);
    };
  },
};

const load = await WAYS[way]();
const startedAt = performance.now();
await load(process.cwd());
process.stdout.write(`${performance.now() - startedAt}\n`, () => process.exit(0));
