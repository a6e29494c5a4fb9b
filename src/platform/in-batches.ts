/**
 * Repeats a step that handles up to `size` rows until it finds fewer, or until `isRunning` returns false. Each step is a
 * separate transaction, so a large clean-up holds no lock for long.
 * @returns how many rows were handled
 */
export async function inBatches(
  size: number,
  step: (size: number) => Promise<number>,
  isRunning: () => boolean = () => true,
): Promise<number> {
  for (let handled = 0; ;) {
    if (!isRunning()) return handled;
    const now = await step(size);
    handled += now;
    if (now < size) return handled;
  }
}
