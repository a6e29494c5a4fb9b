import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { SMTPServer } from 'smtp-server';
import { createPostgresClock, startCpuMeasurement, type CpuShare } from './cpu';
import { withDb } from './databases';
import { measureWork } from './load';
import { startStore } from './processes';
import type { Section } from './report';
import { addStock, readShop } from './sales-data';
import { buy, createClient } from './shopper';

/** The cost of a checkout may rise by this share. */
const TARGET = 0.1;
const TURNS = 6;
/** V8 compiles the code of checkouts and mails during the first few hundred. */
const WARM_UP_SECONDS = 30;

/** Two copies of a store that nothing uses. */
export interface EventBench {
  silentUrl: string;
  connectedUrl: string;
  folder: string;
  seconds: number;
}

/** What checkouts have used. */
interface Usage {
  orders: number;
  server: number;
  postgres: number;
  wal: number;
}

interface Contender {
  db: Knex;
  /** Runs checkouts, and what follows from them. */
  run: (seconds: number) => Promise<Usage>;
  stop: () => Promise<void>;
}

/**
 * Compares checkouts with events and mails with checkouts without, in turns. The server publishes and mails too, and a turn ends
 * when nothing is left to publish or to mail.
 */
export async function measureEvents(bench: EventBench, section: Section): Promise<void> {
  const { silentUrl, connectedUrl, folder, seconds } = bench;
  const smtp = await startMailServer();
  try {
    await withDb(silentUrl, (silentDb) =>
      withDb(connectedUrl, async (connectedDb) => {
        await silence(silentDb);
        const silent = await start(silentDb, folder, { DATABASE_URL: silentUrl }, ['bench/silent-store.js']);
        const connected = await start(connectedDb, folder, {
          DATABASE_URL: connectedUrl,
          MAIL_URL: smtp.url,
        });
        try {
          await compare({ silent, connected }, seconds, section);
        } finally {
          await silent.stop();
          await connected.stop();
        }
        section.addFinding('mails received', String(smtp.received()));
      }),
    );
  } finally {
    await smtp.close();
  }
}

async function compare(
  { silent, connected }: { silent: Contender; connected: Contender },
  seconds: number,
  section: Section,
): Promise<void> {
  for (const one of [silent, connected]) {
    await one.run(WARM_UP_SECONDS);
    // The first plans are made for empty tables. Without ANALYZE, autovacuum would replace them in some runs only.
    await one.db.raw('ANALYZE');
  }
  const without: Usage[] = [];
  const withBoth: Usage[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    without.push(await silent.run(seconds));
    withBoth.push(await connected.run(seconds));
  }
  const [before, after] = [sum(without), sum(withBoth)];
  const show = (name: string, unit: string, of: (usage: Usage) => number): void => {
    const [less, more] = [of(before) / before.orders, of(after) / after.orders];
    const share = `${(100 * (more / less - 1)).toFixed(1)} %`;
    section.addFinding(name, `${less.toFixed(2)} ${unit} without, ${more.toFixed(2)} with: ${share} more`);
  };
  section.addFinding('orders without and with', `${before.orders}, ${after.orders}`);
  show('CPU of the server', 'ms', ({ server }) => server);
  show('CPU of PostgreSQL', 'ms', ({ postgres }) => postgres);
  show('CPU of both', 'ms', ({ server, postgres }) => server + postgres);
  show('WAL', 'KB', ({ wal }) => wal / 1024);
  section.addFinding('target of CPU', `at most ${100 * TARGET} % more`);
}

function sum(turns: readonly Usage[]): Usage {
  const total = { orders: 0, server: 0, postgres: 0, wal: 0 };
  for (const turn of turns) {
    total.orders += turn.orders;
    total.server += turn.server;
    total.postgres += turn.postgres;
    total.wal += turn.wal;
  }
  return total;
}

async function start(
  db: Knex,
  folder: string,
  env: { DATABASE_URL: string; MAIL_URL?: string },
  args?: readonly string[],
): Promise<Contender> {
  const shop = await readShop(db);
  const variantIds = await addStock(db, 1_000_000);
  const name = new URL(env.DATABASE_URL).pathname.slice(1);
  const settings = { SEED: 'none', DATA_DIR: path.join(folder, name), ...env };
  const store = await startStore(settings, args);
  const client = createClient(store.url);
  const clocks = { server: store.cpu, postgres: createPostgresClock(folder) };
  let next = 0;
  const run = async (seconds: number): Promise<Usage> => {
    const wal = await readWal(db);
    const readCpu = startCpuMeasurement(clocks);
    let orders = 0;
    await measureWork(async () => {
      await buy(client, shop, { variant_id: variantIds[(next += 1) % variantIds.length] ?? 0, quantity: 1 });
      orders += 1;
    }, seconds);
    // Asking takes time of PostgreSQL that no checkout takes.
    while (await hasWork(db)) await wait(200);
    const cpu: CpuShare = readCpu(1);
    return {
      orders,
      server: cpu.server ?? NaN,
      postgres: cpu.postgres ?? NaN,
      wal: (await readWal(db)) - wal,
    };
  };
  const stop = async (): Promise<void> => {
    client.close();
    await store.stop();
  };
  return { db, run, stop };
}

/** Disables the triggers that note events. */
async function silence(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: { table: string; name: string }[] }>(
    `SELECT tgrelid::regclass::text AS table, tgname AS name
       FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE proname LIKE 'note\\_%event'`,
  );
  for (const { table, name } of rows) await db.raw('ALTER TABLE ?? DISABLE TRIGGER ??', [table, name]);
}

async function hasWork(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { is_left: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM event_notes) OR EXISTS (SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('send_mail', 'send_mails')) AS is_left`,
  );
  return rows[0]?.is_left === true;
}

async function readWal(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: { wal: string }[] }>(
    "SELECT pg_current_wal_insert_lsn() - '0/0' AS wal",
  );
  return Number(rows[0]?.wal);
}

async function startMailServer() {
  let received = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => {
        received += 1;
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo; // listens on TCP
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: () => received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
