/** The requests of one address that start within one turn of the event loop. */
const MOST_AT_ONCE = 4;

/** Calls `start` as soon as the address may start a request. */
export type Starts = (address: string, start: () => void) => void;

interface Line {
  started: number;
  waiting: (() => void)[];
}

/**
 * Spreads the requests of each address over turns of the event loop, so that a burst of them, however cheap each is, does not delay
 * the steps of others' requests by all of it. Requests of one address start in the order of their arrival.
 */
export function createStarts(): Starts {
  const lines = new Map<string, Line>();
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(proceed);
  };
  const proceed = (): void => {
    isScheduled = false;
    for (const [address, line] of lines) {
      if (line.waiting.length === 0) lines.delete(address);
      const next = line.waiting.splice(0, MOST_AT_ONCE);
      line.started = next.length;
      for (const start of next) start();
    }
    if (lines.size > 0) schedule();
  };
  return (address, start) => {
    const line = lines.get(address) ?? { started: 0, waiting: [] };
    lines.set(address, line);
    schedule();
    if (line.started >= MOST_AT_ONCE || line.waiting.length > 0) line.waiting.push(start);
    else {
      line.started += 1;
      start();
    }
  };
}
