/** The output stream, such as `process.stderr`. */
export interface BarStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;

/**
 * Creates a function that displays progress. On a terminal it redraws one line; elsewhere it writes a line for every 10
 * percent, to keep logs short. `now` returns milliseconds. The remaining time is estimated from the average rate.
 */
export function createProgressBar(
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
