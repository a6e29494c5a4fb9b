import { textOf, type FieldSpec, type Values } from '../parts/fields';

const NAMES = { both: 'Everyone', back_end: 'Staff' } as const;

/** Who can choose a method: the column of a list, the field of a form, and what the field sends. */
export const SHOWN_TO = {
  column: {
    name: 'Shown to',
    cell: ({ display_on }: { display_on: string }) => (display_on === 'both' ? NAMES.both : NAMES.back_end),
  },
  field: {
    name: 'display_on',
    label: 'Shown to',
    kind: 'choice',
    isRequired: true,
    choices: Object.entries(NAMES).map(([value, name]) => ({ value, name })),
  } satisfies FieldSpec,
  read: (values: Values): keyof typeof NAMES =>
    textOf(values, 'display_on') === 'back_end' ? 'back_end' : 'both',
} as const;
