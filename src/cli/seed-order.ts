import { parseArgs } from 'node:util';
import { StartupError } from '../platform/startup-error';

const USAGE = 'npm run seed -- [--demo | --reference] [--products N [--images N]]';
const MOST_PRODUCTS = 5_000_000;
const MOST_IMAGES = 8;

/** What `npm run seed` is asked for. */
export interface SeedOrder {
  readonly demo: boolean;
  /** How many load-test products there shall be; 0 for none. */
  readonly products: number;
  /** Images of each load-test product. */
  readonly images: number;
}

/** @throws StartupError with the usage when an argument cannot be used. */
export function readSeedOrder(argv: readonly string[]): SeedOrder {
  const { demo, reference, products, images } = parse(argv);
  if (demo && reference) throw misuse('--demo includes --reference: give one of them');
  if (!demo && !reference && products === undefined) throw misuse('There is nothing to do');
  return {
    demo,
    products: wholeNumber('--products', products, MOST_PRODUCTS),
    images: wholeNumber('--images', images, MOST_IMAGES),
  };
}

function parse(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        demo: { type: 'boolean', default: false },
        reference: { type: 'boolean', default: false },
        products: { type: 'string' },
        images: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw misuse(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(option: string, value: string | undefined, most: number): number {
  if (value === undefined) return 0;
  if (!/^\d{1,9}$/.test(value) || Number(value) > most)
    throw misuse(`${option} must be a whole number up to ${most}`);
  return Number(value);
}

function misuse(problem: string): StartupError {
  return new StartupError(`${problem}. Usage: ${USAGE}`);
}
