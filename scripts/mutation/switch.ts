/** The mutant that the program runs with, or null. */
let active: string | null = null;

let reached = new Set<string>();

const isRecorded = process.env.MUTANT_REACH !== undefined;

// The code that mutants.ts writes calls it.
Object.assign(globalThis, {
  __mutant: (id: string): boolean => {
    if (isRecorded) reached.add(id);
    return id === active;
  },
});

export function activate(mutant: string | null): void {
  active = mutant;
}

/** Returns the mutants that were reached since the last call. */
export function takeReached(): string[] {
  const taken = [...reached];
  reached = new Set();
  return taken;
}
