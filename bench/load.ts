import autocannon from 'autocannon';
import { startCpuMeasurement, type CpuClocks, type CpuShare } from './cpu';

/** The number of connections in all scenarios; typical of a busy small shop. */
export const CONNECTIONS = 8;

/** The results of a scenario. Times are in milliseconds. */
export interface Figures {
  /** Requests per second, or orders per second in checkout scenarios. */
  rate: number;
  mean: number;
  p50: number;
  p99: number;
  /** CPU milliseconds per operation. */
  cpu?: CpuShare;
}

export interface Target {
  url: string;
  headers?: Record<string, string>;
  /** The processes whose CPU time is measured. */
  clocks?: CpuClocks;
}

/**
 * Measures GET requests over eight connections. `[<id>]` in the URL is replaced with a new value for each request.
 * @throws if a response is missing or not 2xx
 */
export async function measureGet(target: Target, seconds: number): Promise<Figures> {
  await measureTurn(target);
  const turns: Figures[] = [];
  for (let turn = 0; turn < seconds; turn += 1) turns.push(await measureTurn(target));
  return combineTurns(turns);
}

/**
 * Measures several targets alternately, in turns of one second, so that other load on the machine affects all of them
 * equally. `seconds` is the time for each target.
 */
export async function measureGets(
  targets: readonly [Target, Target, ...Target[]],
  seconds: number,
): Promise<[Figures, Figures, ...Figures[]]> {
  for (const target of targets) await measureTurn(target);
  const turns = targets.map((): Figures[] => []);
  for (let turn = 0; turn < seconds; turn += 1) {
    for (const [at, target] of targets.entries()) turns[at]?.push(await measureTurn(target));
  }
  const [first, second, ...others] = turns.map(combineTurns);
  if (first === undefined || second === undefined) throw new Error('at least two targets are required');
  return [first, second, ...others];
}

/** The length of a turn that is repeated because no response arrived within a second. */
const SLOW_TURN_SECONDS = 20;

async function measureTurn({ url, headers = {}, clocks }: Target): Promise<Figures> {
  const idReplacement = url.includes('[<id>]');
  let readCpu = clocks && startCpuMeasurement(clocks);
  const run = (duration: number) =>
    autocannon({ url, headers, connections: CONNECTIONS, duration, idReplacement });
  let result = await run(1);
  if (result['2xx'] + result.non2xx + result.errors === 0) {
    readCpu = clocks && startCpuMeasurement(clocks);
    result = await run(SLOW_TURN_SECONDS);
  }
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(`${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  }
  const { p50, p99 } = result.latency;
  const cpu = readCpu?.(result.requests.total);
  const rate = result.requests.total / result.duration;
  return {
    // Each connection always has one request; autocannon counts whole milliseconds only.
    rate,
    mean: (1000 * CONNECTIONS) / rate,
    p50,
    p99,
    ...(cpu !== undefined && { cpu }),
  };
}

/** Combines turns of equal length: averages rates and means, and takes the median of percentiles. */
function combineTurns(turns: readonly Figures[]): Figures {
  const rate = mean(turns.map((turn) => turn.rate));
  const time = mean(turns.map((turn) => turn.mean * turn.rate)) / rate;
  return {
    rate,
    mean: time,
    p50: median(turns.map(({ p50 }) => p50)),
    p99: median(turns.map(({ p99 }) => p99)),
    ...(turns[0]?.cpu !== undefined && { cpu: combineCpu(turns) }),
  };
}

/** Averages CPU times over all operations. */
function combineCpu(turns: readonly Figures[]): CpuShare {
  const operations = turns.reduce((sum, { rate }) => sum + rate, 0);
  const average = (of: keyof CpuShare): number | null => {
    const times = turns.map(({ cpu, rate }) => (cpu?.[of] == null ? NaN : cpu[of] * rate));
    const total = times.reduce((sum, time) => sum + time, 0);
    return Number.isNaN(total) ? null : total / operations;
  };
  return { server: average('server'), postgres: average('postgres') };
}

/**
 * Measures GET requests while `connections` clients send other requests without a pause. Each `[<id>]` becomes a new value.
 * Their replies may be errors.
 */
export async function measureGetBeside(
  target: Target,
  { urls, connections, seconds }: { urls: readonly string[]; connections: number; seconds: number },
): Promise<Figures> {
  const [first = ''] = urls;
  const others = autocannon({
    url: new URL(first).origin,
    connections,
    duration: seconds + 2,
    timeout: 60,
    requests: urls.map((url) => ({ method: 'GET', path: url.slice(new URL(url).origin.length) })),
    idReplacement: true,
  });
  const figures = await measureGet(target, seconds);
  await others;
  return figures;
}

/** Measures `work`, repeated by `CONNECTIONS` parallel workers; each passes its own number. */
export async function measureWork(
  work: (worker: number) => Promise<void>,
  seconds: number,
): Promise<Figures> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const worker = async (number: number): Promise<void> => {
    while (performance.now() < end) {
      const startedAt = performance.now();
      await work(number);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => worker(number)));
  return calculateFigures(times, performance.now() - started);
}

/** Calculates figures from single times. @param elapsed the total time in milliseconds */
export function calculateFigures(times: readonly number[], elapsed: number): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  return { rate: (sorted.length / elapsed) * 1000, mean: mean(sorted), p50: at(0.5), p99: at(0.99) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the median; of an even number of values, the lower one in the middle. NaN if there are none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;
}
