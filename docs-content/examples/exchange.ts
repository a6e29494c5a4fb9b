import type { ResourceExamples } from './resource-examples';

export const exchangeExamples: ResourceExamples = {
  requests: {
    'post /bulk/stock': {
      rows: [{ variant_id: 107, stock_location_id: 1, count_on_hand: 12 }],
    },
    'post /bulk/prices': { rows: [{ variant_id: 107, price: '22.00', cost_price: '9.50' }] },
    'post /bulk/shipments': { rows: [{ number: 'H38244325401', tracking: '1Z-5500', ship: true }] },
  },
  parameters: {
    places: {
      '/imports/:id': 1,
    },
    madeBy: {
      'get /imports/:id': 'post /imports',
      'get /imports/:id/errors': 'post /imports',
      'delete /imports/:id': 'post /imports',
    },
  },
};
