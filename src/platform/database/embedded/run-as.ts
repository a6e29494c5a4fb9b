import { spawnSync } from 'node:child_process';
import { chownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '../../startup-error';

/** A way to run PostgreSQL's programs, which refuse to run as root. */
export interface RunAs {
  name: 'ourselves' | 'user namespace' | 'setpriv' | 'other user';
  /** The command line that runs `binary` with `args` this way. */
  command(binary: string, args: string[]): [file: string, args: string[]];
  /** For spawn: the user to switch to, when the command line does not do it. */
  identity: { uid?: number; gid?: number };
  /** Who must own the data folder; null: whoever does already. */
  owner: { uid: number; gid: number } | null;
}

const ourselves: RunAs = {
  name: 'ourselves',
  command: (binary, args) => [binary, args],
  identity: {},
  owner: null,
};

/**
 * Chooses how to run `postgres`. An ordinary user simply runs it. Root tries a user namespace (the program believes
 * it is nobody, the kernel still lets it into private folders), then giving up root but for the right to pass file
 * permissions, then plainly being another user, which needs folders that user may enter.
 * @throws StartupError when none works.
 */
export function chooseRunAs(postgres: string): RunAs {
  if (process.getuid?.() !== 0) return ourselves;
  const [way] = listWaysForRoot(postgres);
  if (way !== undefined) return way;
  throw new StartupError(
    'PostgreSQL refuses to run as root, and neither unshare nor setpriv nor another user can run it here: run as an ordinary user, or set DATABASE_URL',
  );
}

/** The ways that work here, best first; none where the system has no other user. */
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
    // Without it access(2) ignores the capability kept below, and postgres cannot find its own file.
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

/** A user that exists: initdb looks its own name up. */
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
 * Gives a file, or a folder with all in it, to the user it has to belong to; another way of running may have been
 * used the last time. The folder itself comes last, so that an interruption is made up for at the next start.
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
