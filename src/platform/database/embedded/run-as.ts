import { spawnSync } from 'node:child_process';
import { chownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '../../startup-error';

/** A way to run the programs of PostgreSQL, which refuse to run as root. */
export interface RunAs {
  name: 'current user' | 'user namespace' | 'setpriv' | 'other user';
  /** Returns the command line that runs `binary` with `args`. */
  command(binary: string, args: string[]): [file: string, args: string[]];
  /** The user for spawn, if the command line does not switch the user. */
  identity: { uid?: number; gid?: number };
  /** The required owner of the data folder; null for any owner. */
  owner: { uid: number; gid: number } | null;
}

const currentUser: RunAs = {
  name: 'current user',
  command: (binary, args) => [binary, args],
  identity: {},
  owner: null,
};

/**
 * Chooses how to run `postgres`. An ordinary user runs it directly. Root tries, in this order: a user namespace, in
 * which the program sees an unprivileged user but keeps access to private folders; setpriv, which keeps only the
 * capability to bypass file permissions; another user, who must have access to the folders.
 * @throws StartupError if none of them works
 */
export function chooseRunAs(postgres: string): RunAs {
  if (process.getuid?.() !== 0) return currentUser;
  const [best] = listWaysForRoot(postgres);
  if (best !== undefined) return best;
  throw new StartupError(
    'PostgreSQL refuses to run as root, and neither unshare nor setpriv nor another user can run it here: run as an ordinary user, or set DATABASE_URL',
  );
}

/** Lists the ways that work on this machine, best first. Empty if the system has no unprivileged user. */
export function listWaysForRoot(postgres: string): RunAs[] {
  const user = findUnprivilegedUser();
  const ways = user === null ? [] : [buildUserNamespace(user), buildSetpriv(user), buildOtherUser(user)];
  return ways.filter((way) => canRun(way, postgres));
}

interface SystemUser {
  uid: number;
  gid: number;
}

function buildUserNamespace({ uid, gid }: SystemUser): RunAs {
  const options = ['--user', `--map-user=${uid}`, `--map-group=${gid}`];
  return {
    name: 'user namespace',
    command: (binary, args) => ['unshare', [...options, binary, ...args]],
    identity: {},
    owner: { uid: 0, gid: 0 },
  };
}

function buildSetpriv({ uid, gid }: SystemUser): RunAs {
  const options = [
    // Without it, access(2) ignores the capability kept below, and postgres does not find its own executable.
    '--securebits=+no_setuid_fixup',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return {
    name: 'setpriv',
    command: (binary, args) => ['setpriv', [...options, binary, ...args]],
    identity: {},
    owner: { uid, gid },
  };
}

function buildOtherUser({ uid, gid }: SystemUser): RunAs {
  return {
    name: 'other user',
    command: (binary, args) => [binary, args],
    identity: { uid, gid },
    owner: { uid, gid },
  };
}

function canRun(way: RunAs, postgres: string): boolean {
  const [file, args] = way.command(postgres, ['--version']);
  return spawnSync(file, args, { ...way.identity, cwd: '/', stdio: 'ignore', timeout: 10_000 }).status === 0;
}

/** Finds an unprivileged user that exists, because initdb looks up its own user name. */
function findUnprivilegedUser(): SystemUser | null {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody', 'daemon']) {
    const entry = entries.find(([name]) => name === wanted);
    const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])];
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  return null;
}

/**
 * Changes the owner of a file, or of a folder and its content. The previous start may have used another user. The
 * folder itself comes last, so that the next start completes an interrupted change.
 */
export function changeOwner(owner: RunAs['owner'], target: string): void {
  const status = lstatSync(target);
  if (owner === null || status.uid === owner.uid) return;
  if (status.isDirectory()) {
    for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isSymbolicLink()) chownSync(file, owner.uid, owner.gid);
    }
  }
  chownSync(target, owner.uid, owner.gid);
}
