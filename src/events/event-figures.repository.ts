import type { Db } from '../platform/database/knex';
import { buildFigure, type Figure } from '../platform/metrics/figures';

/** Notes above this number are not counted further: the metric says that publishing is far behind. */
const MOST = 100_000;

/** Reads how much waits to be published as events, and how far webhooks are behind. */
export async function readEventFigures(db: Db): Promise<Figure[]> {
  const { rows: notes } = await db.raw<{ rows: { count: number; age: number }[] }>(
    `SELECT (SELECT count(*)::integer FROM (SELECT FROM event_notes LIMIT ${MOST}) noted) AS count,
            coalesce((SELECT EXTRACT(EPOCH FROM clock_timestamp() - created_at) FROM event_notes ORDER BY id LIMIT 1), 0)::float8 AS age`,
  );
  const { rows: deliveries } = await db.raw<{ rows: { state: string; count: number; age: number }[] }>(
    `SELECT CASE WHEN NOT w.active THEN 'paused' WHEN d.attempts > 1 THEN 'retrying' ELSE 'waiting' END AS state,
            count(*)::integer AS count, EXTRACT(EPOCH FROM clock_timestamp() - min(d.created_at))::float8 AS age
       FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE d.status = 'pending' GROUP BY 1`,
  );
  const { rows: webhooks } = await db.raw<{ rows: { paused: number }[] }>(
    'SELECT count(*)::integer AS paused FROM webhooks WHERE NOT active AND paused_reason IS NOT NULL',
  );
  const find = (state: string) => deliveries.find((one) => one.state === state);
  const sending = deliveries.filter(({ state }) => state !== 'paused');
  const [{ count, age } = { count: 0, age: 0 }] = notes;
  return [
    buildFigure(
      'store_events_unpublished',
      `Changes that are not published as events yet, at most ${MOST}`,
      count,
    ),
    buildFigure('store_events_oldest_unpublished_seconds', 'Age of the oldest of them', Math.max(0, age)),
    {
      name: 'store_webhook_deliveries_pending',
      help: 'Deliveries that are not confirmed, by state; paused for inactive webhooks',
      values: ['waiting', 'retrying', 'paused'].map((state) => ({
        labels: { state },
        value: find(state)?.count ?? 0,
      })),
    },
    buildFigure(
      'store_webhook_oldest_pending_seconds',
      'Age of the oldest delivery of an active webhook that is not confirmed',
      Math.max(0, ...sending.map((one) => one.age)),
    ),
    buildFigure(
      'store_webhooks_paused',
      'Webhooks that the store has paused because their receiver fails',
      webhooks[0]?.paused ?? 0,
    ),
  ];
}
