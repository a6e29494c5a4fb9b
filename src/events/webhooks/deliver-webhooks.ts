import { setTimeout as delay } from 'node:timers/promises';
import { startJob, type Job } from '../../platform/jobs';
import { post, type PostResult } from '../../platform/outbound/post';
import type { Deps } from '../../sales/context';
import { serializeEvent } from '../log/event.serializer';
import { findEvents } from '../log/events.repository';
import { findNextAttempt, readRetryAfter } from './retry-pauses';
import { claimDeliveries, finishAttempt, type ClaimedDelivery } from './webhook-deliveries.repository';
import { openWebhookSecrets } from './webhook-secrets';
import { buildWebhookHeaders } from './webhook-signature';
import { findSecrets, pauseWebhook } from './webhooks.repository';

const EVERY_MS = 1_000;
const TIMEOUT_MS = 10_000;
/** Longer than an attempt takes, so that no delivery is sent twice while it is being sent. */
const CLAIM_MS = 20_000;
/** How long the program waits for deliveries when it stops. */
const STOP_MS = 3_000;
const KEPT_BYTES = 1_024;
/** How many deliveries of one webhook are sent at once. A slow receiver holds up no other. */
const AT_ONCE = 8;

type DeliveryDeps = Pick<Deps, 'db' | 'log' | 'now' | 'secret' | 'allowsPrivateWebhooks'>;

/** How many deliveries of each webhook this process sends. */
type Running = Map<number, number>;

/** Sends due deliveries until it is stopped, and then waits for those that it has begun. */
export function startWebhooks(deps: DeliveryDeps, isRunning: () => boolean): Job {
  const running: Running = new Map();
  const sending = new Set<Promise<void>>();
  let isStopping = false;
  const job = startJob({ name: 'deliver webhooks', everyMs: EVERY_MS, log: deps.log }, async () => {
    while (isRunning() && !isStopping) {
      // A webhook that was busy may have become free meanwhile.
      const wasBusy = sending.size > 0;
      const begun = await beginDeliveries(deps, running);
      for (const one of begun) {
        sending.add(one);
        void one.finally(() => sending.delete(one));
      }
      if (sending.size === 0 && !wasBusy) return;
      // The next deliveries follow at once, and those to other receivers do not wait for a slow one.
      if (sending.size > 0) await Promise.race([...sending, delay(EVERY_MS, undefined, { ref: false })]);
    }
  });
  return {
    stop: async () => {
      isStopping = true;
      await job.stop();
      // What takes longer is sent again after the next start.
      await Promise.race([Promise.all(sending), delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Sends what is due until nothing is. @returns the number of attempts */
export async function deliverDue(deps: DeliveryDeps): Promise<number> {
  const running: Running = new Map();
  for (let count = 0; ;) {
    const begun = await beginDeliveries(deps, running);
    if (begun.length === 0) return count;
    count += begun.length;
    await Promise.all(begun);
  }
}

async function beginDeliveries(deps: DeliveryDeps, running: Running): Promise<Promise<void>[]> {
  const now = deps.now();
  const busy = [...running].filter(([, count]) => count > 0).map(([id]) => id);
  const claimed = await claimDeliveries(deps.db, {
    now,
    until: new Date(now.getTime() + CLAIM_MS),
    size: AT_ONCE,
    busy,
  });
  const events = new Map(
    (
      await findEvents(
        deps.db,
        claimed.flatMap(({ event_id }) => (event_id === null ? [] : [Number(event_id)])),
      )
    ).map((event) => [event.id, serializeEvent(event)]),
  );
  return claimed.map(async (delivery) => {
    const { webhook_id } = delivery;
    running.set(webhook_id, (running.get(webhook_id) ?? 0) + 1);
    try {
      const event = delivery.event_id === null ? buildTest(delivery) : events.get(Number(delivery.event_id));
      await attempt(deps, delivery, event ?? null);
    } catch (error) {
      // The claim ends by itself, and the delivery is repeated.
      deps.log.warn({ err: error, webhook: webhook_id }, 'a delivery could not be recorded');
    } finally {
      running.set(webhook_id, (running.get(webhook_id) ?? 1) - 1);
    }
  });
}

function buildTest({ created_at, webhook_id }: ClaimedDelivery): object {
  return {
    id: null,
    type: 'webhook.test',
    created_at: created_at.toISOString(),
    subject: { type: 'webhook', id: webhook_id, number: null },
    data: {},
  };
}

/** @param event null if it is no longer kept */
async function attempt(deps: DeliveryDeps, delivery: ClaimedDelivery, event: object | null): Promise<void> {
  const stored = await findSecrets(deps.db, delivery.webhook_id);
  if (stored === undefined) return; // deleted meanwhile
  const result: PostResult =
    event === null
      ? { code: null, text: 'the event is no longer kept' }
      : await send(deps, delivery, {
          body: JSON.stringify(event),
          secrets: openWebhookSecrets(deps.secret, stored, deps.now()),
        });
  const { code, text: response } = result;
  if (code !== null && code >= 200 && code < 300) {
    await finishAttempt(deps.db, delivery, { status: 'delivered', code, response, next_attempt_at: null });
    return;
  }
  const waitMs = code === null ? 0 : readRetryAfter(code, result.retryAfter, deps.now());
  const next = event === null ? null : findNextAttempt(delivery, deps.now(), waitMs);
  const status = next === null ? 'failed' : 'pending';
  await finishAttempt(deps.db, delivery, { status, code, response, next_attempt_at: next });
  if (code === 410) await pauseWebhook(deps.db, delivery, 'The receiver replied 410 Gone.');
  else if (next === null && event !== null) {
    const last = code === null ? response : `status ${code}`;
    await pauseWebhook(deps.db, delivery, `An event was not confirmed within three days: ${last}`);
    deps.log.error(
      { webhook: delivery.webhook_id },
      'a webhook is paused: an event was not confirmed for three days',
    );
  }
}

function send(
  { now, allowsPrivateWebhooks = false }: DeliveryDeps,
  delivery: ClaimedDelivery,
  { body, secrets }: { body: string; secrets: readonly string[] },
): Promise<PostResult> {
  const id = delivery.event_id === null ? `test_${delivery.id}` : `evt_${delivery.event_id}`;
  const timestamp = Math.floor(now().getTime() / 1_000);
  return post(delivery.url, body, {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'store-webhooks',
      ...buildWebhookHeaders({ id, timestamp, body }, secrets),
    },
    timeoutMs: TIMEOUT_MS,
    keptBytes: KEPT_BYTES,
    allowsPrivate: allowsPrivateWebhooks,
  });
}
