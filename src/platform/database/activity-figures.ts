import type { Db } from './knex';
import { buildFigure, type Figure } from '../metrics/figures';

interface Activity {
  connections: number;
  maximum: number;
  waiting: number;
  oldest: number;
}

/** Reads what the server of the database does. */
export async function readActivityFigures(db: Db): Promise<Figure[]> {
  const { rows } = await db.raw<{ rows: Activity[] }>(
    `SELECT count(*)::integer AS connections,
            current_setting('max_connections')::integer AS maximum,
            count(*) FILTER (WHERE wait_event_type = 'Lock')::integer AS waiting,
            COALESCE(EXTRACT(EPOCH FROM max(now() - xact_start) FILTER (WHERE datname = current_database())), 0)::double precision AS oldest
       FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  const { connections = 0, maximum = 0, waiting = 0, oldest = 0 } = rows[0] ?? {};
  return [
    buildFigure('store_db_server_connections', 'Connections to the server, of all its clients', connections),
    buildFigure('store_db_server_max_connections', 'Maximum number of connections to the server', maximum),
    buildFigure('store_db_lock_waits', 'Connections that wait for a lock', waiting),
    buildFigure('store_db_oldest_transaction_seconds', 'Age of the oldest open transaction', oldest),
  ];
}

/** Reads how far a replica is behind. A replica that cannot be read is reported as down. */
export async function readReplicaFigures(replica: Db): Promise<Figure[]> {
  const lag = await readLag(replica).catch(() => null);
  return [
    buildFigure('store_replica_up', 'Whether the replica answers', lag === null ? 0 : 1),
    ...(lag === null
      ? []
      : [
          buildFigure(
            'store_replica_lag_seconds',
            'Age of the last change that the replica has applied',
            lag,
          ),
        ]),
  ];
}

/** In seconds; 0 if everything received is applied. */
async function readLag(replica: Db): Promise<number> {
  const { rows } = await replica.raw<{ rows: { lag: number }[] }>(
    `SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
                 ELSE COALESCE(EXTRACT(EPOCH FROM now() - pg_last_xact_replay_timestamp()), 0)
            END::double precision AS lag`,
  );
  return rows[0]?.lag ?? 0;
}
