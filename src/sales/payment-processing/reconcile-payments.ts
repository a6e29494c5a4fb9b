import type { Deps } from '../context';
import type { Period } from './gateways/gateway';
import { connectGateway } from './gateways/registry';
import { findMethods, findNamedPayments, findOwnMovements, type ListedMethod } from './movements.repository';
import { compareMovements, MARGIN_MS, type Difference } from './reconcile-rules';

/** The comparison of one payment method with its provider. */
export interface Reconciliation {
  payment_method_id: number;
  name: string;
  gateway: string;
  /** How many captures and refunds of the period the provider lists. */
  movements: number;
  differences: Difference[];
}

/**
 * Compares what the payment methods have moved in a period with the lists of their providers. Methods without such a list, such as
 * checks, are left out. Changes nothing.
 * @throws Error if a provider does not answer or refuses the credentials
 */
export async function reconcilePayments(
  deps: Pick<Deps, 'db' | 'gateways' | 'secret'>,
  period: Period,
): Promise<Reconciliation[]> {
  const results: Reconciliation[] = [];
  for (const method of await findMethods(deps.db)) {
    const found = await reconcileMethod(deps, method, period);
    if (found !== null) results.push(found);
  }
  return results;
}

async function reconcileMethod(
  deps: Pick<Deps, 'db' | 'gateways' | 'secret'>,
  method: ListedMethod,
  period: Period,
): Promise<Reconciliation | null> {
  const { listMovements } = connectGateway(deps, method);
  if (listMovements === undefined) return null;
  const wide = {
    from: new Date(period.from.getTime() - MARGIN_MS),
    to: new Date(period.to.getTime() + MARGIN_MS),
  };
  const { movements: listed, since = wide.from } = await listMovements(wide);
  const compared = { from: since > period.from ? since : period.from, to: period.to };
  const ours = await findOwnMovements(deps.db, method.id, {
    ...wide,
    from: since > wide.from ? since : wide.from,
  });
  const named = await findNamedPayments(
    deps.db,
    [...ours, ...listed].flatMap(({ payment_number }) => payment_number ?? []),
  );
  // Several methods may use one account of the provider.
  const others = new Set(
    named.filter(({ payment_method_id }) => payment_method_id !== method.id).map(({ number }) => number),
  );
  const theirs = listed.filter(
    ({ payment_number }) => payment_number === null || !others.has(payment_number),
  );
  return {
    payment_method_id: method.id,
    name: method.name,
    gateway: method.gateway,
    movements: theirs.filter(({ moved_at }) => moved_at >= period.from && moved_at < period.to).length,
    differences: compareMovements({ ours, theirs }, named, compared),
  };
}
