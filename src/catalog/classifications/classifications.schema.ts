import { z } from 'zod';
import { integer, reference } from '../../platform/http/fields';

/** Not wrapped: tree editors send the three side by side. */
export const ClassificationMove = z.object({
  product_id: reference().required,
  taxon_id: reference().required,
  position: integer({ min: 0 }).required.meta({ description: '0-based.' }),
});

export const ClassificationMoved = z.object({});
