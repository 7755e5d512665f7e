/** Waits for something that comes without being called. */
export async function until(isSo: () => boolean, ms = 60_000): Promise<boolean> {
  for (const deadline = Date.now() + ms; !isSo(); ) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
