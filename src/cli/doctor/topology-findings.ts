import type { Facts, ReplicaFacts, TopologyFacts } from './facts';
import { ok, problem, warning, type Finding } from './finding';

/** Checks what lies between the store and an external database, and the replica. */
export function checkTopology({ topology }: Pick<Facts, 'topology'>): Finding[] {
  if (topology === null) return [];
  const worries = [...checkWrites(topology), ...checkPooler(topology), ...checkEncryption(topology)];
  const { pooler, server } = topology;
  const way = pooler === null ? 'direct' : 'by a pooler with prepared statements';
  const found = [
    way,
    ...(server.isEncrypted ? ['encrypted'] : []),
    ...(server.isStandby ? ['to a standby'] : []),
  ];
  return [
    ...(worries.length > 0 ? worries : [ok('connection', found.join(', '))]),
    ...(topology.replica === null ? [] : [checkReplica(topology.replica)]),
  ];
}

function checkWrites({ server, mustWrite }: TopologyFacts): Finding[] {
  if (!mustWrite || !server.isReadOnly) return [];
  const message = server.isStandby
    ? 'the database is a standby, which refuses writes'
    : 'the database refuses writes (default_transaction_read_only is on)';
  const advice = server.isStandby
    ? 'name the primary in DATABASE_URL, or all hosts with ?target_session_attrs=read-write, or set READ_ONLY=true'
    : 'switch the setting off, or set READ_ONLY=true';
  return [problem('connection', message, advice)];
}

function checkPooler({ pooler, hasDirectUrl }: TopologyFacts): Finding[] {
  if (pooler === null) return [];
  const report = (message: string, advice: string) => warning('connection', message, advice);
  return [
    ...(pooler.canPrepare
      ? []
      : [
          report(
            'the pooler does not support prepared statements',
            'use PgBouncer 1.21 or newer with max_prepared_statements=300',
          ),
        ]),
    ...(hasDirectUrl
      ? []
      : [
          report(
            'DATABASE_URL leads to a connection pooler',
            'set DATABASE_DIRECT_URL to the database itself, for migrations and commands',
          ),
        ]),
  ];
}

function checkEncryption({ server, pooler }: TopologyFacts): Finding[] {
  // Behind a pooler, the server knows only the connection of the pooler.
  if (server.isEncrypted || server.isLocal || pooler !== null) return [];
  return [
    warning(
      'connection',
      'the connection to the database is not encrypted',
      'add sslmode=verify-full to DATABASE_URL, unless the network is private',
    ),
  ];
}

function checkReplica(replica: ReplicaFacts): Finding {
  if (replica.state === 'unreachable')
    return warning(
      'replica',
      'the replica cannot be reached; the store reads from the primary',
      'start it, or correct or remove DATABASE_REPLICA_URL',
    );
  if (!replica.isStandby)
    return problem(
      'replica',
      'DATABASE_REPLICA_URL leads to a database that replicates no other',
      'name a streaming replica of DATABASE_URL',
    );
  if (!replica.hasCaughtUp)
    return warning(
      'replica',
      'the replica is behind the primary; the store reads from the primary meanwhile',
      'check the replication, unless the store was writing all the time',
    );
  return ok('replica', 'reachable, has caught up');
}
