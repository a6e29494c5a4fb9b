import { COLORS } from './drawings/colors';

interface OptionTypeContent {
  readonly presentation: string;
  /** Presentations by value name, in display order. */
  readonly values: Readonly<Record<string, string>>;
}

/** The option types of the demo store in display order. */
const OPTION_TYPES = {
  color: {
    presentation: 'Color',
    values: Object.fromEntries(
      Object.entries(COLORS).map(([name, { presentation }]) => [name, presentation]),
    ),
  },
  'apparel-size': {
    presentation: 'Size',
    values: { xs: 'XS', s: 'S', m: 'M', l: 'L', xl: 'XL', xxl: 'XXL' },
  },
  'sock-size': { presentation: 'Sock size', values: { 'small-medium': '5–8', 'large-xlarge': '9–12' } },
  capacity: { presentation: 'Capacity', values: { '350ml': '350 ml', '500ml': '500 ml', '750ml': '750 ml' } },
  'laptop-size': { presentation: 'Fits', values: { '13in': '13-inch', '15in': '15-inch' } },
  ruling: { presentation: 'Ruling', values: { dotted: 'Dotted', lined: 'Lined', plain: 'Plain' } },
  scent: {
    presentation: 'Scent',
    values: { cedar: 'Cedar & Smoke', fig: 'Fig Leaf', linen: 'Clean Linen' },
  },
  'pot-size': { presentation: 'Diameter', values: { '12cm': '12 cm', '18cm': '18 cm', '24cm': '24 cm' } },
  'bag-length': { presentation: 'Length', values: { regular: 'Regular', long: 'Long' } },
  'card-value': { presentation: 'Value', values: { '25': '$25', '50': '$50', '100': '$100' } },
} as const satisfies Record<string, OptionTypeContent>;

export type OptionTypeName = keyof typeof OPTION_TYPES;

/** The same option types with a uniform type, for iteration. */
export const optionTypes: Readonly<Record<OptionTypeName, OptionTypeContent>> = OPTION_TYPES;
