import { z } from 'zod';
import { namedObject } from '../../platform/http/named-object';

const amount = (description: string) => z.string().meta({ description });

const TaxedAmountsJson = namedObject('TaxedAmounts', {
  included_tax_total: amount('The taxes that prices include, as a decimal.'),
  additional_tax_total: amount('The taxes that are added to prices, as a decimal.'),
  tax_total: amount('The sum of both, as a decimal.'),
  adjustment_total: amount('The sum of the adjustments that count towards the total, as a decimal.'),
  total: amount('What the order costs, as a decimal.'),
});

const amounts = (description: string) => TaxedAmountsJson.meta({ description });

/** What taxing an order anew would change. */
export const RetaxingJson = namedObject('Retaxing', {
  before: amounts('The amounts of the order now.'),
  after: amounts('The amounts that it would have.'),
  difference: amounts('`after` less `before`.'),
});
