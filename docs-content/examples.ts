import type { ApiReference } from '../src/platform/openapi/reference';
import { accountsExamples } from './examples/accounts';
import { catalogExamples } from './examples/catalog';
import { exchangeExamples } from './examples/exchange';
import { inventoryExamples } from './examples/inventory';
import { ordersExamples } from './examples/orders';
import { paymentsExamples } from './examples/payments';
import { placesExamples } from './examples/places';
import { pricingExamples } from './examples/pricing';
import { settingsExamples } from './examples/settings';
import { shipmentsExamples } from './examples/shipments';
import { taxonsExamples } from './examples/taxons';

const all = [
  accountsExamples,
  catalogExamples,
  exchangeExamples,
  inventoryExamples,
  ordersExamples,
  paymentsExamples,
  placesExamples,
  pricingExamples,
  settingsExamples,
  shipmentsExamples,
  taxonsExamples,
];

/** The entries of all parts in one object. */
const merge = <T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})));

/** The examples of all resources. */
export const examples: Pick<ApiReference, 'parameterExamples' | 'requestExamples' | 'replyExamples'> = {
  parameterExamples: {
    places: merge(all.map(({ parameters }) => parameters?.places)),
    routes: merge(all.map(({ parameters }) => parameters?.routes)),
    queries: merge(all.map(({ parameters }) => parameters?.queries)),
    madeBy: merge(all.map(({ parameters }) => parameters?.madeBy)),
  },
  requestExamples: merge(all.map(({ requests }) => requests)),
  replyExamples: merge(all.map(({ replies }) => replies)),
};
