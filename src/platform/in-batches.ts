/**
 * Repeats a step that handles up to `size` rows until one finds fewer, or until `goesOn` answers false: the next run does the
 * rest. Each step is a transaction of its own, so that a large clean-up holds no lock for long.
 * @returns how many rows were handled in all
 */
export async function inBatches(
  size: number,
  step: (size: number) => Promise<number>,
  goesOn: () => boolean = () => true,
): Promise<number> {
  for (let handled = 0; ;) {
    if (!goesOn()) return handled;
    const now = await step(size);
    handled += now;
    if (now < size) return handled;
  }
}
