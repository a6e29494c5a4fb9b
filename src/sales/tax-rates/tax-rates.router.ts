import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { TaxRate } from './tax-rates.definition';
import { taxRates } from './tax-rates.service';

export function taxRatesRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Tax rates');
  declareEndpoints(router, {
    definition: TaxRate,
    useCases: taxRates,
    serialize: TaxRate.serialize,
    access: { read: 'admin', write: 'admin' },
    summaries: {
      list: 'What is charged where on which kind of product',
      update: 'Update a tax rate; completed orders keep what they were charged',
      delete: 'Stop charging a tax rate',
    },
  });
  return router;
}
