import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { changeOwner, type RunAs } from '../src/platform/database/embedded/run-as';
import { findSystemPostgres } from '../test/support/pg-server';

/** The programs of a cluster of three nodes, as Debian installs them. */
export interface ClusterPrograms {
  etcd: string;
  patroni: string;
  /** Null if it is not installed: then the worker names the hosts of all nodes as well. */
  haproxy: string | null;
  /** The folder of the programs of PostgreSQL. */
  postgres: string;
}

/** Returns the programs of a cluster; null if etcd, Patroni or PostgreSQL is not installed. */
export function findClusterPrograms(): ClusterPrograms | null {
  const [etcd, patroni, haproxy] = ['etcd', 'patroni', 'haproxy'].map(findProgram);
  const postgres = findSystemPostgres();
  if (etcd == null || patroni == null || postgres === null) return null;
  return { etcd, patroni, haproxy: haproxy ?? null, postgres };
}

function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/bin'];
  const files = folders.map((folder) => path.join(folder, name));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A node of the cluster: Patroni and the PostgreSQL that it supervises. */
export interface Node {
  name: string;
  folder: string;
  postgresPort: number;
  apiPort: number;
}

/** Starts etcd, where the nodes elect their leader. */
export function startEtcd(
  etcd: string,
  { folder, port, peerPort }: { folder: string; port: number; peerPort: number },
): ChildProcess {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    name: 'prove',
    'data-dir': path.join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `prove=${peer}`,
  };
  return spawn(
    etcd,
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    { stdio: 'ignore' },
  );
}

/** Starts Patroni, which creates, starts or follows as the cluster requires. Repeatable after a kill. */
export function startNode(
  node: Node,
  { programs, runAs, etcdPort }: { programs: ClusterPrograms; runAs: RunAs; etcdPort: number },
): ChildProcess {
  const settings = path.join(node.folder, 'patroni.yml');
  mkdirSync(node.folder, { recursive: true, mode: 0o700 });
  // JSON is YAML.
  writeFileSync(settings, JSON.stringify(buildNodeSettings(node, programs.postgres, etcdPort)), {
    mode: 0o600,
  });
  changeOwner(runAs.owner, node.folder);
  const [file, args] = runAs.command(programs.patroni, [settings]);
  // A group of its own, which also has pg_rewind and pg_basebackup.
  return spawn(file, args, { ...runAs.identity, cwd: node.folder, stdio: 'ignore', detached: true });
}

function buildNodeSettings(
  { name, folder, postgresPort, apiPort }: Node,
  bin: string,
  etcdPort: number,
): object {
  const [postgres, api] = [`127.0.0.1:${postgresPort}`, `127.0.0.1:${apiPort}`];
  return {
    scope: 'store',
    name,
    restapi: { listen: api, connect_address: api },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    watchdog: { mode: 'off' },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 5,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: postgres,
      connect_address: postgres,
      data_dir: path.join(folder, 'data'),
      bin_dir: bin,
      pgpass: path.join(folder, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: '' },
    },
  };
}

/** Starts HAProxy in front of the leader. */
export function startProxy(
  haproxy: string,
  { folder, port, nodes }: { folder: string; port: number; nodes: readonly Node[] },
): ChildProcess {
  const servers = nodes.map(
    ({ name, postgresPort, apiPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${apiPort}`,
  );
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, `${[...PROXY_SETTINGS, `  bind 127.0.0.1:${port}`, ...servers].join('\n')}\n`);
  return spawn(haproxy, ['-db', '-f', file], { stdio: 'ignore' });
}

/** Connections lead to the leader, by the REST API of Patroni, and end when it leads no more. */
const PROXY_SETTINGS = [
  'defaults',
  '  mode tcp',
  '  timeout connect 2s',
  '  timeout client 1h',
  '  timeout server 1h',
  'listen leader',
  '  option httpchk GET /primary',
  '  http-check expect status 200',
  '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
];
