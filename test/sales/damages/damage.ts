/** One way to damage a shop: statements that may name orders, by `:` and their name in `PlayedShop`. */
export interface Damage {
  /** What was done, in words. */
  name: string;
  sql: string | readonly string[];
  /** The invariant that must find it, or the constraint that must refuse it. */
  by: { found: string } | { refused: string };
}

export const buildViolation = (name: string, invariant: string, ...sql: string[]): Damage => ({
  name,
  sql,
  by: { found: invariant },
});

export const buildRefusal = (name: string, constraint: string, ...sql: string[]): Damage => ({
  name,
  sql,
  by: { refused: constraint },
});

/** From here on the transaction writes as a restore does: without foreign keys and triggers. */
export const AS_RESTORED = 'SET LOCAL session_replication_role = replica';
