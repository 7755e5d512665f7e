// Loads extensions once, in a process of its own, and tells how long that took. Plain JavaScript:
// a compiler in this process would warm up what is to be measured cold.

/** How each host is asked, and how many extensions it says it has. */
const HOSTS = {
  seam: ({ loadExtensions }, { paths, cwd, cacheDir }) =>
    loadExtensions({ cwd, sources: paths, cacheDir }).then(({ extensions }) => extensions.length),
  pi: ({ loadExtensions }, { paths, cwd }) =>
    loadExtensions(paths, cwd).then(({ extensions }) => extensions.length),
};

process.once("message", async ({ host, url, paths, cwd, cacheDir }) => {
  const startedAt = performance.now();
  const module = await import(url);
  const importedAt = performance.now();
  const loaded = await HOSTS[host](module, { paths, cwd, cacheDir });
  const loadedAt = performance.now();
  const report = {
    importMs: importedAt - startedAt,
    loadMs: loadedAt - importedAt,
    loaded,
  };
  // Some examples leave timers and watchers behind.
  process.send(report, () => process.exit(0));
});
