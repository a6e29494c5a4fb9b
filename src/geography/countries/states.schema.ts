import { z } from 'zod';

export const StateJson = z
  .object({ id: z.int(), name: z.string(), abbr: z.string(), country_id: z.int() })
  .meta({ id: 'State', examples: [{ id: 24, name: 'Maryland', abbr: 'MD', country_id: 1 }] });

export type StateJson = z.output<typeof StateJson>;

/** The paging keys are present only if the request has `page` or `per_page`. */
export const StateListJson = z.object({
  states: z.array(StateJson),
  states_required: z.boolean().optional().meta({
    description: 'Whether addresses require a state. Present if the request names a country.',
  }),
  count: z.int().optional(),
  total_count: z.int().optional(),
  current_page: z.int().optional(),
  per_page: z.int().optional(),
  pages: z.int().optional(),
});

export type StateListJson = z.output<typeof StateListJson>;
