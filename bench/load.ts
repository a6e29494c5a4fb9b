import autocannon from 'autocannon';

/** As many as a busy small shop has at once; the same for every scenario. */
export const CONNECTIONS = 8;

/** What a scenario measured. Times in milliseconds. */
export interface Figures {
  /** Per second: requests, or whole orders where the scenario says so. */
  rate: number;
  mean: number;
  p50: number;
  p99: number;
}

export interface Target {
  url: string;
  headers?: Record<string, string>;
}

/**
 * Figures of GET requests from eight connections. `[<id>]` in the URL becomes something new with each request.
 * @throws when a reply is not 2xx, or none comes
 */
export async function measureGet(target: Target, seconds: number): Promise<Figures> {
  await shoot(target);
  const turns: Figures[] = [];
  for (let turn = 0; turn < seconds; turn += 1) turns.push(await shoot(target));
  return together(turns);
}

/**
 * Figures of several, measured in turns of a second: what else the machine does meanwhile hits all of them alike, so that
 * they can be compared. `seconds` is the time each of them gets.
 */
export async function measureGets(
  targets: readonly [Target, Target, ...Target[]],
  seconds: number,
): Promise<[Figures, Figures, ...Figures[]]> {
  for (const target of targets) await shoot(target);
  const turns = targets.map((): Figures[] => []);
  for (let turn = 0; turn < seconds; turn += 1) {
    for (const [at, target] of targets.entries()) turns[at]?.push(await shoot(target));
  }
  const [first, second, ...others] = turns.map(together);
  if (first === undefined || second === undefined) throw new Error('there were two targets');
  return [first, second, ...others];
}

async function shoot({ url, headers = {} }: Target): Promise<Figures> {
  const idReplacement = url.includes('[<id>]');
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: 1, idReplacement });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(`${url}: ${result.non2xx} replies were not 2xx, ${result.errors} failed`);
  }
  const { average, p50, p99 } = result.latency;
  return { rate: result.requests.total / result.duration, mean: average, p50, p99 };
}

/** Turns of one length: rates and means add up, of percentiles the median turn's is taken. */
function together(turns: readonly Figures[]): Figures {
  const rate = mean(turns.map((turn) => turn.rate));
  const time = mean(turns.map((turn) => turn.mean * turn.rate)) / rate;
  return {
    rate,
    mean: time,
    p50: median(turns.map(({ p50 }) => p50)),
    p99: median(turns.map(({ p99 }) => p99)),
  };
}

/** Figures of `work` done again and again by `CONNECTIONS` workers at once; each is given its own number. */
export async function measureWork(
  work: (worker: number) => Promise<void>,
  seconds: number,
): Promise<Figures> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const worker = async (number: number): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      await work(number);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => worker(number)));
  return figuresOf(times, performance.now() - started);
}

/** @param elapsed the time all of it took, in milliseconds */
export function figuresOf(times: readonly number[], elapsed: number): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  return { rate: (sorted.length / elapsed) * 1000, mean: mean(sorted), p50: at(0.5), p99: at(0.99) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of an even number of values the lower of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;
}
