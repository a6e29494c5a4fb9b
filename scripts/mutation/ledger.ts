import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './mutants';

export interface Ledger {
  has: (mutant: Mutant) => boolean;
  add: (mutant: Mutant) => void;
}

/** Returns the file of the mutants that earlier runs have killed, so that a run that was stopped is continued. */
export function ledgerOf(folder: string): string {
  return path.join(folder, 'killed');
}

/** Opens the list of killed mutants. It knows a mutant as long as its source file does not change. */
export function openLedger(folder: string): Ledger {
  const file = ledgerOf(folder);
  const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  return {
    has: (mutant) => known.has(keyOf(mutant)),
    add(mutant) {
      if (known.has(keyOf(mutant))) return;
      known.add(keyOf(mutant));
      appendFileSync(file, `${keyOf(mutant)}\n`);
    },
  };
}

function keyOf({ id, file }: Mutant): string {
  return `${id} ${createHash('sha1').update(readFileSync(file)).digest('hex')}`;
}
