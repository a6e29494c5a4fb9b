import type { ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../src/platform/database/embedded/postmaster';
import { listProcesses } from '../src/platform/database/embedded/processes';
import { chooseRunAs } from '../src/platform/database/embedded/run-as';
import { queryUrl } from '../test/support/query-url';
import { startEtcd, startNode, startProxy, type ClusterPrograms, type Node } from './cluster-programs';
import type { Database } from './databases';

const NODES = ['node1', 'node2', 'node3'] as const;

/** How long the nodes may take to elect a leader, or to follow it. */
const PATIENCE_MS = 180_000;

/** A member as the REST API of Patroni lists it. */
interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

/**
 * Starts three nodes of PostgreSQL with synchronous replication, which Patroni supervises by means of etcd. The server of the store
 * names the hosts of all nodes; its worker connects through HAProxy, if that is installed.
 */
export async function startCluster(folder: string, programs: ClusterPrograms): Promise<Database> {
  const runAs = chooseRunAs(path.join(programs.postgres, 'postgres'));
  const [etcdPort = 0, peerPort = 0, proxyPort = 0, ...ports] = await findPorts(3 + 2 * NODES.length);
  const nodes = NODES.map((name, index): Node => ({
    name,
    folder: path.join(folder, name),
    postgresPort: ports[2 * index] ?? 0,
    apiPort: ports[2 * index + 1] ?? 0,
  }));
  const helpers = [startEtcd(programs.etcd, { folder, port: etcdPort, peerPort })];
  const supervisors = new Map<string, ChildProcess>();
  const start = (node: Node): void => {
    supervisors.set(node.name, startNode(node, { programs, runAs, etcdPort }));
  };
  const killNode = (node: Node): void => {
    const pid = supervisors.get(node.name)?.pid;
    if (pid !== undefined) kill(-pid);
    listNodeProcesses(node).forEach(kill);
  };
  const stop = async (): Promise<void> => {
    nodes.forEach(killNode);
    for (const helper of helpers) helper.kill('SIGKILL');
    await waitFor('all nodes have ended', () =>
      Promise.resolve(nodes.every((node) => listNodeProcesses(node).length === 0)),
    );
  };
  try {
    for (const node of nodes) start(node);
    await waitFor('three nodes run', () => isComplete(nodes));
    const hosts = nodes.map(({ postgresPort }) => `127.0.0.1:${postgresPort}`).join(',');
    const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
    const workerUrl = programs.haproxy === null ? url : `postgres://postgres@127.0.0.1:${proxyPort}/postgres`;
    if (programs.haproxy !== null) {
      helpers.push(startProxy(programs.haproxy, { folder, port: proxyPort, nodes }));
      await waitFor('HAProxy reaches the leader', () => answers(workerUrl));
    }
    return {
      url,
      workerUrl,
      directUrl: () => url,
      failovers: 3,
      kill: refuse,
      freeze: refuse,
      unfreeze: refuse,
      failOver: () => killLeader({ nodes, killNode, start }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function refuse(): never {
  throw new Error('the nodes only fail over');
}

/** Kills the node of the leader, waits until the others have elected one, and starts the killed node as its replica. */
async function killLeader({
  nodes,
  killNode,
  start,
}: {
  nodes: readonly Node[];
  killNode: (node: Node) => void;
  start: (node: Node) => void;
}): Promise<void> {
  await waitFor('three nodes run', () => isComplete(nodes));
  const leader = (await listMembers(nodes)).find(({ role }) => role === 'leader');
  const killed = nodes.find(({ name }) => name === leader?.name);
  if (killed === undefined) throw new Error('the cluster has no leader');
  killNode(killed);
  const others = nodes.filter((node) => node !== killed);
  await waitFor('another node leads', async () =>
    (await listMembers(others)).some(
      ({ role, state, name }) => role === 'leader' && state === 'running' && name !== killed.name,
    ),
  );
  start(killed);
  await waitFor('three nodes run', () => isComplete(nodes));
}

/** Whether there is a leader and a synchronous replica, and all nodes follow the leader. */
async function isComplete(nodes: readonly Node[]): Promise<boolean> {
  const members = await listMembers(nodes);
  const roles = members.map(({ role }) => role);
  return (
    members.length === nodes.length &&
    roles.includes('leader') &&
    roles.includes('sync_standby') &&
    new Set(members.map(({ timeline }) => timeline)).size === 1 &&
    members.every(({ state }) => state === 'running' || state === 'streaming')
  );
}

/** Returns what the first node that answers knows of the cluster; empty if none does. */
async function listMembers(nodes: readonly Node[]): Promise<Member[]> {
  for (const { apiPort } of nodes) {
    try {
      const reply = await fetch(`http://127.0.0.1:${apiPort}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      });
      return ((await reply.json()) as { members: Member[] }).members; // as Patroni documents it
    } catch {
      // it does not run
    }
  }
  return [];
}

/** Whether a database answers at the URL. */
const answers = (url: string): Promise<boolean> =>
  queryUrl(url, 'SELECT 1').then(
    () => true,
    () => false,
  );

async function waitFor(what: string, isMet: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1000} s until ${what}`);
    await pause(50);
  }
}

async function findPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort(null));
  return [...ports];
}

function listNodeProcesses({ folder }: Node): number[] {
  return listProcesses(path.join(realpathSync(folder), 'data'));
}

/** Kills a process, or a group by its negative id. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
