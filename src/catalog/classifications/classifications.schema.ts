import { z } from 'zod';
import { integer, reference } from '../../platform/http/fields';

/** The fields are top-level parameters of the body, without a wrapper. */
export const ClassificationMove = z.object({
  product_id: reference().required,
  taxon_id: reference().required,
  position: integer({ min: 0 }).required.describe('0-based.'),
});

export const ClassificationMoved = z.object({});
