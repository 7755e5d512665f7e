/** A byte count as people write it: `512B`, `50.0KB`, `1.2MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)}KB` : `${(kilobytes / 1024).toFixed(1)}MB`;
}
