import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { z } from 'zod';
import { processMetrics } from './metrics';

/** A worker that does not answer within this time is left out. In milliseconds. */
const PATIENCE_MS = 1_000;

type Values = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What the processes of a store tell each other about metrics. The names are used by no other message. */
const Message = z.union([
  z.object({ metrics: z.literal('all?'), id: z.string() }),
  z.object({ metrics: z.literal('all'), id: z.string(), text: z.string() }),
  z.object({ metrics: z.literal('own?'), id: z.string() }),
  z.object({ metrics: z.literal('own'), id: z.string(), values: z.array(z.unknown()) }),
]);
type Message = z.output<typeof Message>;

/** Returns the metrics of this process as text. */
export function collectOwn(): Promise<string> {
  return processMetrics.metrics();
}

/** Starts to answer the workers, in the main process of WORKERS, which has metrics of its own. */
export function answerWorkers(): void {
  const questions = createQuestions<Values>(PATIENCE_MS);

  const ask = async (worker: Worker): Promise<Values> =>
    (await questions.ask((id) => send(worker, { metrics: 'own?', id }))) ?? [];
  const collectAll = async (): Promise<string> => {
    // Node keeps `workers` up to date.
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true);
    const ofWorkers = await Promise.all(workers.map((worker) => ask(worker as Worker))); // filtered above
    const all = [await processMetrics.getMetricsAsJSON(), ...ofWorkers];
    return AggregatorRegistry.aggregate(all).metrics();
  };
  cluster.on('message', (worker, received: unknown) => {
    const message = parse(received);
    // Our own processes send what `getMetricsAsJSON` returns.
    if (message?.metrics === 'own') questions.answer(message.id, message.values as Values);
    if (message?.metrics !== 'all?') return;
    void collectAll().then((text) => send(worker, { metrics: 'all', id: message.id, text }));
  });
}

/** Answers the main process, in a worker. @returns a function that collects the metrics of all processes */
export function joinMainProcess(): () => Promise<string> {
  const questions = createQuestions<string>(2 * PATIENCE_MS);
  process.on('message', (received: unknown) => {
    const message = parse(received);
    if (message?.metrics === 'all') questions.answer(message.id, message.text);
    if (message?.metrics !== 'own?') return;
    void processMetrics
      .getMetricsAsJSON()
      .then((values) => send(process, { metrics: 'own', id: message.id, values }));
  });
  return async () => (await questions.ask((id) => send(process, { metrics: 'all?', id }))) ?? collectOwn();
}

/** Builds the questions to other processes whose answers are awaited. @param patienceMs after it, an answer is null */
function createQuestions<Answer>(patienceMs: number) {
  const waiting = new Map<string, (answer: Answer | null) => void>();
  return {
    ask: (send: (id: string) => void): Promise<Answer | null> =>
      new Promise((resolve) => {
        const id = randomUUID();
        const finish = (answer: Answer | null): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        const timer = setTimeout(() => finish(null), patienceMs);
        waiting.set(id, finish);
        send(id);
      }),
    answer: (id: string, answer: Answer): void => waiting.get(id)?.(answer),
  };
}

function parse(received: unknown): Message | null {
  if (typeof received !== 'object' || received === null || !('metrics' in received)) return null;
  return Message.safeParse(received).data ?? null;
}

/** Sends a message to a process, which may have ended. */
function send(to: Worker | NodeJS.Process, message: Message): void {
  if (to === process) process.send?.(message, undefined, undefined, () => undefined);
  else (to as Worker).send(message, () => undefined); // the other alternative
}
