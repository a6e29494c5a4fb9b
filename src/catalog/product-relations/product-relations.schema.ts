import { z } from 'zod';
import { choice, describe, integer, reference } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { RELATION_KINDS } from './relation-kinds';
import { namedObject } from '../../platform/http/named-object';

export const RelationJson = namedObject('Relation', {
  id: z.int(),
  product_id: z.int().describe('The product whose page shows the other one.'),
  related_id: z.int().describe('The id of the other product.'),
  kind: z.enum(RELATION_KINDS).describe('Why the other product is shown.'),
  position: z.int().describe('The position among the relations of the product, from 1.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export type RelationJson = z.output<typeof RelationJson>;

const fields = {
  related_id: describe(reference(), 'The id of the other product.'),
  kind: describe(choice(RELATION_KINDS), 'Why the other product is shown.'),
  position: describe(
    integer({ min: 1 }),
    'The position among the relations of the product, from 1. Defaults to the last.',
  ),
};

export const RELATION_REQUIRED = ['related_id', 'kind'] as const;

export const RelationCreate = wrapped('relation', createSchema(fields, RELATION_REQUIRED));
export const RelationUpdate = wrapped('relation', updateSchema(fields, RELATION_REQUIRED));

export type RelationAttributes = z.output<typeof RelationCreate>['relation'];
export type RelationChanges = z.output<typeof RelationUpdate>['relation'];

/** A kind that does not exist finds nothing, as a value of a filter. */
export const RelatedQuery = z.object({
  kind: z
    .string()
    .optional()
    .catch(undefined)
    .meta({
      description: 'Only this kind of relation.',
      override: { type: 'string', enum: [...RELATION_KINDS] },
    }),
});
