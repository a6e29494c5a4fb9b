import { buildOptionsText } from '../../../src/catalog/variants/options-text';

const size = { option_type_presentation: 'Size', presentation: 'Small' };
const color = { option_type_presentation: 'Color', presentation: 'Red' };
const fit = { option_type_presentation: 'Fit', presentation: 'Slim' };
const length = { option_type_presentation: 'Length', presentation: '32' };
const loose = { option_type_presentation: null, presentation: 'Gift' };

test.each([
  [[], ''],
  [[size], 'Size: Small'],
  [[size, color], 'Size: Small, Color: Red'],
  [[size, color, fit], 'Size: Small, Color: Red, and Fit: Slim'],
  [[size, color, fit, length], 'Size: Small, Color: Red, Fit: Slim, and Length: 32'],
  [[size, loose], 'Size: Small, Gift'],
])('%# becomes %j', (values, text) => {
  expect(buildOptionsText(values)).toBe(text);
});
