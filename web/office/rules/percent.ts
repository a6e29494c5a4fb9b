/** Moves the point of a decimal by two places; what is no decimal stays as it is, for the API to refuse. */
function shift(text: string, places: 2 | -2): string {
  const [, sign = '', whole = '', fraction = ''] = /^([-+]?)(\d+)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
  if (whole === '') return text;
  const digits =
    places > 0 ? whole + fraction.padEnd(places, '0') : whole.padStart(1 - places, '0') + fraction;
  const point = (places > 0 ? whole.length : Math.max(whole.length, 1 - places)) + places;
  const shifted = `${digits.slice(0, point).replace(/^0+(?=\d)/, '')}.${digits.slice(point)}`;
  return sign + shifted.replace(/\.?0*$/, '');
}

/** Writes a rate of the API as a percentage: 5.5 for 0.055. */
export const toPercent = (rate: string): string => shift(rate, 2);

/** Writes a percentage as a rate of the API: 0.055 for 5.5. */
export const fromPercent = (percent: string): string => shift(percent, -2);
