const CONCURRENT = 8;

/** Runs `work` for each item, up to eight at a time. @throws the first error, when no work is running any more */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items].reverse();
  const run = async (): Promise<void> => {
    try {
      for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
    } finally {
      queue.length = 0;
    }
  };
  const runs = await Promise.allSettled(Array.from({ length: CONCURRENT }, run));
  const failed = runs.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
