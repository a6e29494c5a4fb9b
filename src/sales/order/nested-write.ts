import type { Binding } from '../../platform/database/pooled-connection';
import { composeStatement, type UnsentStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { LockedOrderGraph } from './order-lock';

/** A write of nested records of an order that can travel with another statement. */
export interface NestedWrite {
  /** Common table expressions that write: `name AS (…), …`. They see only what others of them return. */
  parts: string;
  bindings: readonly Binding[];
  /** SQL of a JSON value with what the parts return. */
  returned: string;
  /** Adds that value to an order. */
  apply: (order: LockedOrderGraph, returned: unknown) => LockedOrderGraph;
}

/** Builds the statement that writes these alone. Its row has what `selectReturned` selects. */
export function buildNestedWrites(
  tx: Tx,
  writes: readonly NestedWrite[],
): UnsentStatement<{ returned: unknown[] }> {
  const parts = writes.map((write) => write.parts).join(', ');
  return composeStatement(
    tx,
    `WITH ${parts} SELECT ${selectReturned(writes)}`,
    writes.flatMap(({ bindings }) => bindings),
  );
}

/** Selects what writes return, for `applyReturned`. */
export function selectReturned(writes: readonly NestedWrite[]): string {
  return `json_build_array(${writes.map(({ returned }) => returned).join(', ')}) AS returned`;
}

/** Adds to an order what its writes returned. */
export function applyReturned(
  order: LockedOrderGraph,
  writes: readonly NestedWrite[],
  returned: readonly unknown[],
): LockedOrderGraph {
  return writes.reduce((current, { apply }, place) => apply(current, returned[place]), order);
}
