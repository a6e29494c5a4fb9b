import { z } from 'zod';
import { createSchema, text, updateSchema, wrapped } from '../../platform/http/fields';
import { TaxonTreeJson } from '../taxon-tree/taxons.schema';

export const TaxonomyJson = z
  .object({
    id: z.int(),
    name: z.string(),
    root: TaxonTreeJson.meta({
      description: 'The root with its direct children, or with all descendants if `set=nested`.',
    }),
  })
  .meta({ id: 'Taxonomy' });

export type TaxonomyJson = z.output<typeof TaxonomyJson>;

const fields = { name: text() };

export const TAXONOMY_REQUIRED = ['name'] as const;

export const TaxonomyCreate = wrapped('taxonomy', createSchema(fields, TAXONOMY_REQUIRED));
export const TaxonomyUpdate = wrapped('taxonomy', updateSchema(fields, TAXONOMY_REQUIRED));

export type TaxonomyAttributes = z.output<typeof TaxonomyCreate>['taxonomy'];
export type TaxonomyChanges = z.output<typeof TaxonomyUpdate>['taxonomy'];
