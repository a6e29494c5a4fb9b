/** As much of a stream as the bar needs; `process.stderr` is one. */
export interface BarStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;

/**
 * A function to call with how much is done. In a terminal it redraws one line; elsewhere it writes a line for each
 * further tenth, so that a log stays short. `now` is in milliseconds; the time left is guessed from the pace so far.
 */
export function progressBar(
  label: string,
  stream: BarStream,
  now: () => number = Date.now,
): (done: number, total: number) => void {
  const started = now();
  let tenth = 0;
  return (done, total) => {
    const share = total === 0 ? 1 : done / total;
    const elapsed = (now() - started) / 1000;
    const left = share === 0 ? '' : `, ${Math.round((elapsed / share) * (1 - share))} s left`;
    const figures = `${label} ${done} of ${total} (${Math.floor(share * 100)} %) ${elapsed.toFixed(0)} s${left}`;
    if (stream.isTTY === true) {
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      stream.write(`\r${bar} ${figures}\u001b[K${done >= total ? '\n' : ''}`);
    } else if (Math.floor(share * 10) > tenth) {
      tenth = Math.floor(share * 10);
      stream.write(`${figures}\n`);
    }
  };
}
