import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../src/platform/database/knex';
import { checkClaims, type Claim } from './claims';
import { createClient, createTally, SaleEnded, type Tally } from './client';
import { disturb, planDisturbances, type Disturbance } from './disturbances';
import { createDraw, type ProveOptions } from './options';
import { waitForQuiet, type Quiet } from './quiet';
import { SALE_KINDS, sell, type Sale } from './sales';
import { openShop, type Shop } from './shop';
import { startStage, type Stage } from './stage';

/** More replies that must not be end the run. */
const MAX_UNEXPECTED = 20;

/** The outcome of a run. */
export interface Proof {
  claims: Claim[];
  figures: [name: string, value: string | number][];
}

/**
 * Runs a store on a fresh database under load, disturbs it, and checks what it has promised.
 * @param note receives messages about the progress
 * @param onStage gets the running processes, for a caller that is interrupted
 */
export async function prove(
  options: ProveOptions,
  note: (text: string) => void,
  onStage: (stage: Stage) => void = () => undefined,
): Promise<Proof> {
  const draw = createDraw(options.seed);
  const stage = await startStage({ draw: createDraw(options.seed + 1), failsOver: options.failover });
  onStage(stage);
  try {
    const setUp = createClient(stage, createTally());
    const shop = await openShop(setUp, stage.outside.receiver.url);
    const tally = createTally();
    const plan = planDisturbances(options, stage.database.failovers, draw);
    note(`${options.clients} clients, ${plan.length} disturbances`);
    const started = performance.now();
    const sales = await sellUnderDisturbances({ stage, shop, tally, plan, options, draw, note });
    const seconds = (performance.now() - started) / 1000;
    note('no more requests; waiting until nothing is left to do');
    return await judge({ stage, shop, tally, plan, options, sales, seconds });
  } finally {
    await stage.stop();
  }
}

interface Run {
  stage: Stage;
  shop: Shop;
  tally: Tally;
  plan: readonly Disturbance[];
  options: ProveOptions;
}

async function sellUnderDisturbances({
  stage,
  shop,
  tally,
  plan,
  options,
  draw,
  note,
}: Run & { draw: (limit: number) => number; note: (text: string) => void }): Promise<Sale[]> {
  const sales: Sale[] = [];
  let ids = 0;
  let isDisturbing = true;
  const isBroken = (): boolean => tally.unexpected.length > MAX_UNEXPECTED;
  const send = createClient(stage, tally);
  const work = async (): Promise<void> => {
    while ((isDisturbing || sales.length < options.sales) && !isBroken()) {
      const id = (ids += 1);
      const kind = SALE_KINDS[draw(SALE_KINDS.length)] ?? 'ship';
      try {
        sales.push(await sell(send, shop, { id, variant: draw(100), quantity: 2, kind }));
      } catch (error) {
        if (!(error instanceof SaleEnded)) throw error;
      }
      if (sales.length % 50 === 0) note(`${sales.length} sales`);
    }
  };
  const disturbing = disturb(stage, plan, { tally, draw, isOver: isBroken }).finally(() => {
    isDisturbing = false;
  });
  await Promise.all([disturbing, ...Array.from({ length: options.clients }, work)]);
  return sales;
}

async function judge({
  stage,
  shop,
  tally,
  plan,
  options,
  sales,
  seconds,
}: Run & { sales: Sale[]; seconds: number }): Promise<Proof> {
  const log = pino({ level: 'silent' });
  const url = stage.database.directUrl();
  const db = connectDatabase({ url, poolSize: 2, log, timeouts: 'maintenance' });
  try {
    const quiet = await waitForQuiet(db);
    const { settleSeconds } = options;
    const { unexpected } = tally;
    const claims = await checkClaims({ db, stage, shop, sales, quiet, settleSeconds, unexpected });
    return { claims, figures: listFigures({ stage, tally, plan, sales, quiet, seconds }) };
  } finally {
    await closeDatabase(db);
  }
}

function listFigures({
  stage,
  tally,
  plan,
  sales,
  quiet,
  seconds,
}: Omit<Run, 'shop' | 'options'> & { sales: Sale[]; quiet: Quiet; seconds: number }): Proof['figures'] {
  const { outside } = stage;
  const count = (kind: Disturbance): number => plan.filter((one) => one === kind).length;
  const kinds = [...new Set(plan)].sort();
  const statuses = [...tally.statuses].sort(([a], [b]) => a - b);
  const countIds = (ids: readonly unknown[]): string => `${ids.length} (${new Set(ids).size} different)`;
  return [
    ['seconds under load', Math.round(seconds)],
    ['sales', sales.length],
    ...SALE_KINDS.map((kind): [string, number] => [
      `  ${kind}`,
      sales.filter((one) => one.kind === kind).length,
    ]),
    ...kinds.map((kind): [string, number] => [kind, count(kind)]),
    ['answers of the provider lost', outside.lostAnswers()],
    ...statuses.map(([status, times]): [string, number] => [
      status === 0 ? 'requests without a reply' : `replies ${status}`,
      times,
    ]),
    ['requests that were repeated until they succeeded', tally.repeated],
    ['payments at the provider', outside.stripe.intents.size],
    ['refunds at the provider', outside.stripe.refunds.size],
    ['mails received', countIds(outside.mails.map(({ id }) => id))],
    ['webhooks received', countIds(outside.receiver.received.map(({ headers }) => headers['webhook-id']))],
    ['seconds until payments were settled', (quiet.settledMs / 1000).toFixed(1)],
    ['seconds until nothing was left to do', (quiet.quietMs / 1000).toFixed(1)],
  ];
}
