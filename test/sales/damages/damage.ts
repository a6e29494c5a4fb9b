/**
 * One way to damage the data of a shop. Statements refer to orders by the bindings of `SampleShop`, such as `:paid`.
 */
export interface Damage {
  /** A description of the damage. */
  name: string;
  sql: string | readonly string[];
  /** The invariant that must detect the damage, or the constraint that must reject it. */
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

/** Lets the rest of the transaction write as a restore does: without foreign keys and triggers. */
export const AS_RESTORED = 'SET LOCAL session_replication_role = replica';
