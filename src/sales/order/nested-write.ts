import type { Binding } from '../../platform/database/pooled-connection';
import { composeStatement, type UnsentStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';

/** The SQL of a write of nested records of an order that can travel with another statement. */
export interface WriteParts {
  /** Common table expressions that write: `name AS (…), …`. They see only what others of them return. */
  parts: string;
  bindings: readonly Binding[];
  /** SQL of a JSON value with what the parts return. */
  returned: string;
}

/** A write of nested records of an order. */
export interface NestedWrite<Order> extends WriteParts {
  /** Adds what the write returned to an order. */
  apply: (order: Order, returned: unknown) => Order;
}

/** Builds the statement that writes these alone. Its row has what `selectReturned` selects. */
export function buildNestedWrites(
  tx: Tx,
  writes: readonly WriteParts[],
): UnsentStatement<{ returned: unknown[] }> {
  const parts = writes.map((write) => write.parts).join(', ');
  return composeStatement(
    tx,
    `WITH ${parts} SELECT ${selectReturned(writes)}`,
    writes.flatMap(({ bindings }) => bindings),
  );
}

/** Selects what writes return, for `applyReturned`. */
export function selectReturned(writes: readonly WriteParts[]): string {
  return `json_build_array(${writes.map(({ returned }) => returned).join(', ')}) AS returned`;
}

/** Adds to an order what its writes returned. */
export function applyReturned<Order>(
  order: Order,
  writes: readonly NestedWrite<Order>[],
  returned: readonly unknown[],
): Order {
  return writes.reduce((current, { apply }, place) => apply(current, returned[place]), order);
}
