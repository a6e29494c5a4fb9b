import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { readCatalogRevision } from '../../catalog/catalog-revisions.repository';
import type { Config } from '../../config';
import { getMigrationStatus } from '../../boot/migrate';
import { SERVER_STATE, type ServerState } from '../../platform/database/hosts';
import { closeDatabase, connectDatabase } from '../../platform/database/knex';
import { isDatabaseUnavailable } from '../../platform/database/outage';
import { findPooler } from '../../platform/database/pooler';
import type { ReplicaFacts, ServerLink, TopologyFacts } from './facts';

/** A server to which a connection leads, as `pg_stat_ssl` and the address of the client describe it. */
const LINK = `
  SELECT COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_encrypted,
         COALESCE(inet_client_addr() <<= '127.0.0.0/8' OR inet_client_addr() = '::1', true) AS is_local`;

/** How long a replica may take: it is behind for a moment after each write. */
const CATCH_UP = { attempts: 40, everyMs: 50 };

/** Examines what lies between the store and its external database, and its replica. Changes nothing. */
export async function examineTopology(
  db: Knex,
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl' | 'isReadOnly'>,
  log: Logger,
): Promise<TopologyFacts | null> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl } = config;
  if (databaseUrl === null) return null;
  return {
    hasDirectUrl: databaseDirectUrl !== null,
    mustWrite: !config.isReadOnly,
    pooler: await findPooler(databaseUrl),
    server: await examineLink(db),
    replica: databaseReplicaUrl === null ? null : await examineReplica(db, databaseReplicaUrl, log),
  };
}

async function examineLink(db: Knex): Promise<ServerLink> {
  const { rows: states } = await db.raw<{ rows: ServerState[] }>(SERVER_STATE);
  const { rows } = await db.raw<{ rows: { is_encrypted: boolean; is_local: boolean }[] }>(LINK);
  return {
    isStandby: states[0]?.is_standby === true,
    isReadOnly: states[0]?.is_read_only === true,
    isEncrypted: rows[0]?.is_encrypted === true,
    isLocal: rows[0]?.is_local === true,
  };
}

async function examineReplica(primary: Knex, url: string, log: Logger): Promise<ReplicaFacts> {
  const replica = connectDatabase({ url, poolSize: 1, log, isReadOnly: true, role: 'command' });
  try {
    const { isStandby } = await examineLink(replica);
    const revisionOf = async (db: Knex): Promise<string | null> =>
      (await getMigrationStatus(db)).applied.length === 0 ? null : readCatalogRevision(db);
    const hasCaughtUp = async (): Promise<boolean> =>
      (await revisionOf(primary)) === (await revisionOf(replica));
    let remaining = CATCH_UP.attempts;
    while (!(await hasCaughtUp())) {
      remaining -= 1;
      if (remaining === 0) return { state: 'reachable', isStandby, hasCaughtUp: false };
      await wait(CATCH_UP.everyMs);
    }
    return { state: 'reachable', isStandby, hasCaughtUp: true };
  } catch (error) {
    if (isDatabaseUnavailable(error)) return { state: 'unreachable' };
    throw error;
  } finally {
    await closeDatabase(replica);
  }
}
