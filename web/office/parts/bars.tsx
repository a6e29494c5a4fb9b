import { moneyOf } from '../words';

interface BarsProps {
  values: readonly { name: string; amount: string }[];
  currency: string;
}

const WIDTH = 10;

/** Amounts as bars, from left to right; nothing without one above zero. Screen readers get the table beside it. */
export function Bars({ values, currency }: BarsProps) {
  // For the height of the bars only. What is negative has none.
  const heights = values.map(({ amount }) => Math.max(0, Number(amount)));
  const highest = Math.max(0, ...heights);
  if (highest === 0) return null;
  return (
    <figure class="plot" aria-hidden="true">
      <span class="plot-top">{moneyOf(String(highest), currency)}</span>
      <svg class="bars" viewBox={`0 0 ${Math.max(1, values.length) * WIDTH} 100`} preserveAspectRatio="none">
        {values.map(({ name, amount }, index) => {
          const height = (100 * (heights[index] ?? 0)) / highest;
          return (
            <rect key={name} x={index * WIDTH + 1} y={100 - height} width={WIDTH - 2} height={height} rx="1">
              <title>{`${name}: ${moneyOf(amount, currency)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{values[0]?.name}</span>
        <span>{values.at(-1)?.name}</span>
      </figcaption>
    </figure>
  );
}
