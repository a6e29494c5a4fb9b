import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { TaxRate } from './tax-rates.definition';
import { taxRates } from './tax-rates.service';

export function taxRatesRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Tax rates', 'settings');
  declareEndpoints(router, {
    definition: TaxRate,
    useCases: taxRates,
    serialize: TaxRate.serialize,
    access: { read: 'admin', write: 'admin' },
    summaries: {
      list: 'List tax rates',
      update: 'Update a tax rate; complete orders keep their taxes',
      delete: 'Delete a tax rate; complete orders keep their taxes',
    },
  });
  return router;
}
