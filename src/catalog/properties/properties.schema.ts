import { z } from 'zod';
import { createSchema, text, updateSchema, wrapped } from '../../platform/http/fields';

export const PropertyJson = z
  .object({ id: z.int(), name: z.string(), presentation: z.string() })
  .meta({ id: 'Property' });

export type PropertyJson = z.output<typeof PropertyJson>;

const fields = { name: text(), presentation: text() };

export const PROPERTY_REQUIRED = ['name', 'presentation'] as const;

export const PropertyCreate = wrapped('property', createSchema(fields, PROPERTY_REQUIRED));
export const PropertyUpdate = wrapped('property', updateSchema(fields, PROPERTY_REQUIRED));

export type PropertyAttributes = z.output<typeof PropertyCreate>['property'];
export type PropertyChanges = z.output<typeof PropertyUpdate>['property'];
