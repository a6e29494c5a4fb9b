import type { Tally } from './client';
import type { ProveOptions } from './options';
import type { Stage } from './stage';

const KINDS = [
  'server killed',
  'server frozen',
  'database killed',
  'worker killed',
  'database frozen',
  'answers lost',
  'provider silent',
] as const;
export type Disturbance = (typeof KINDS)[number] | 'failed over';

/** Returns the disturbances in random order, and `failovers` spread evenly over them. */
export function planDisturbances(
  options: ProveOptions,
  failovers: number,
  draw: (limit: number) => number,
): Disturbance[] {
  const { serverKills, serverFreezes, databaseKills, workerKills, freezes, losses, silences, failover } =
    options;
  const counts: Record<(typeof KINDS)[number], number> = {
    'server killed': serverKills,
    'server frozen': serverFreezes,
    'database killed': failover ? 0 : databaseKills,
    'worker killed': workerKills,
    'database frozen': failover ? 0 : freezes,
    'answers lost': losses,
    'provider silent': silences,
  };
  const plan: Disturbance[] = KINDS.flatMap((kind) => Array.from({ length: counts[kind] }, () => kind));
  for (let last = plan.length - 1; last > 0; last -= 1) {
    const other = draw(last + 1);
    [plan[last], plan[other]] = [plan[other] ?? 'answers lost', plan[last] ?? 'answers lost'];
  }
  const { length } = plan;
  for (let left = failovers; left > 0; left -= 1)
    plan.splice(Math.floor((length * left) / (failovers + 1)), 0, 'failed over');
  return plan;
}

/** Each one ends when what it disturbed works again, or will without help. */
const PERFORM: Record<Disturbance, (stage: Stage, wait: Waits) => Promise<void>> = {
  'server killed': (stage) => stage.killServer(),
  'server frozen': (stage) => stage.freezeServer(),
  'worker killed': (stage) => stage.killWorker(),
  'database killed': (stage) => stage.database.kill(),
  'database frozen': async ({ database }, { forReplies }) => {
    database.freeze();
    try {
      await forReplies(503, 3);
    } finally {
      database.unfreeze();
    }
  },
  'answers lost': async ({ outside }, { until }) => {
    const before = outside.lostAnswers();
    outside.loseAnswers(true);
    try {
      await until(() => outside.lostAnswers() >= before + 4);
    } finally {
      outside.loseAnswers(false);
    }
  },
  'provider silent': async ({ outside }, { forReplies }) => {
    outside.silenceProvider(true);
    try {
      await forReplies(503, 3);
    } finally {
      outside.silenceProvider(false);
    }
  },
  'failed over': (stage) => stage.database.failOver(),
};

interface Waits {
  until: (isMet: () => boolean) => Promise<void>;
  forReplies: (status: number, more: number) => Promise<void>;
}

/** Disturbs the store again and again, each time after a random number of further replies. */
export async function disturb(
  stage: Stage,
  plan: readonly Disturbance[],
  { tally, draw, isOver }: { tally: Tally; draw: (limit: number) => number; isOver: () => boolean },
): Promise<void> {
  const until = async (isMet: () => boolean): Promise<void> => {
    while (!isMet() && !isOver()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const count = (status: number): number => tally.statuses.get(status) ?? 0;
  const forReplies = (status: number, more: number): Promise<void> => {
    const before = count(status);
    return until(() => count(status) >= before + more);
  };
  for (const kind of plan) {
    const next = tally.answered + 8 + draw(25);
    await until(() => tally.answered >= next);
    if (isOver()) return;
    await PERFORM[kind](stage, { until, forReplies });
  }
}
