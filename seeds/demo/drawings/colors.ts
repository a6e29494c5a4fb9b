/** The colors of the demo products: the name shown to customers and the hex value used in images. */
export const COLORS = {
  black: { presentation: 'Black', hex: '#34363a' },
  blush: { presentation: 'Blush', hex: '#e0aa9d' },
  brass: { presentation: 'Brass', hex: '#c9a24d' },
  charcoal: { presentation: 'Charcoal', hex: '#50555b' },
  clay: { presentation: 'Clay', hex: '#c27a5a' },
  cream: { presentation: 'Cream', hex: '#efe4cf' },
  forest: { presentation: 'Forest', hex: '#37573f' },
  moss: { presentation: 'Moss', hex: '#77895c' },
  mustard: { presentation: 'Mustard', hex: '#d9a441' },
  navy: { presentation: 'Navy', hex: '#2f4566' },
  oak: { presentation: 'Oak', hex: '#cba169' },
  plum: { presentation: 'Plum', hex: '#734863' },
  rust: { presentation: 'Rust', hex: '#b4573a' },
  sand: { presentation: 'Sand', hex: '#d6c1a0' },
  sky: { presentation: 'Sky', hex: '#8fb3cf' },
  slate: { presentation: 'Slate', hex: '#6b7b8c' },
  walnut: { presentation: 'Walnut', hex: '#7a5439' },
  white: { presentation: 'White', hex: '#f6f4ef' },
} as const;

export type ColorName = keyof typeof COLORS;

/** Shades of one color, as `#rrggbb`, for drawing one material. */
export interface Palette {
  readonly main: string;
  readonly light: string;
  readonly lighter: string;
  readonly dark: string;
  readonly darker: string;
  /** Two tones of the background. */
  readonly backdrop: readonly [string, string];
}

export function paletteOf(name: ColorName): Palette {
  const main = COLORS[name].hex;
  return {
    main,
    light: mix(main, '#ffffff', 0.18),
    lighter: mix(main, '#ffffff', 0.4),
    dark: mix(main, '#1d1a26', 0.18),
    darker: mix(main, '#1d1a26', 0.4),
    backdrop: calculateBackdrop(main),
  };
}

/** Calculates the background: darker for light products, with a tint of the product's color. */
function calculateBackdrop(main: string): [string, string] {
  const base = brightness(main) > 200 ? '#b9c4c6' : '#eceae4';
  return [mix(mix(base, '#ffffff', 0.45), main, 0.05), mix(base, main, 0.1)];
}

/** Mixes two colors; `share` is the share of `other`, from 0 to 1. */
export function mix(color: string, other: string, share: number): string {
  const from = channels(color);
  const to = channels(other);
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? value) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** Perceived brightness, 0 to 255 (ITU-R BT.601 weights). */
function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
