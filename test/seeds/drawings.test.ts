import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { COLORS, type ColorName, mix, paletteOf } from '../../seeds/demo/drawings/colors';
import { composeSvg, drawProductImage } from '../../seeds/demo/drawings/draw-product-image';
import { CATALOGUE } from '../../seeds/demo/products/catalogue';

const drawings = [...new Set(CATALOGUE.map((product) => product.drawing))];

const folder = mkdtempSync(path.join(os.tmpdir(), 'store-drawings-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(drawings)('%s is a 1200 x 1200 picture that differs from its background', async (drawing) => {
  // From a file: the image pipeline, once loaded in this process, enables decoders of files only.
  const picture = path.join(folder, `${drawing}.jpg`);
  writeFileSync(picture, await drawProductImage({ drawing, color: 'rust', view: 'front' }));
  const { format, width, height } = await sharp(picture).metadata();
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 1200 });

  const { data, info } = await sharp(picture).resize(100, 100).raw().toBuffer({ resolveWithObject: true });
  const levels = new Set<number>();
  for (let offset = 0; offset < data.length; offset += info.channels) levels.add(data[offset] ?? 0);
  expect(levels.size).toBeGreaterThan(40);
});

test('the same drawing gives the same bytes; colour and view change them', async () => {
  const picture = { drawing: 'mug', color: 'rust', view: 'front' } as const;
  const bytes = await drawProductImage(picture);
  expect((await drawProductImage(picture)).equals(bytes)).toBe(true);
  expect((await drawProductImage({ ...picture, color: 'navy' })).equals(bytes)).toBe(false);
  expect((await drawProductImage({ ...picture, view: 'detail' })).equals(bytes)).toBe(false);
});

test('SVG decoding is enabled only while drawing', async () => {
  const picture = { drawing: 'mug', color: 'rust', view: 'front' } as const;
  await Promise.all([drawProductImage(picture), drawProductImage({ ...picture, color: 'navy' })]);
  const svg = Buffer.from(composeSvg(picture));
  await expect(sharp(svg).metadata()).rejects.toThrow('unsupported image format');
});

test('no drawing needs a font', () => {
  const withText = drawings.filter((drawing) =>
    /<text|font/.test(composeSvg({ drawing, color: 'rust', view: 'front' })),
  );
  expect(withText).toEqual([]);
});

test('mixing interpolates between two colours', () => {
  expect(mix('#000000', '#ffffff', 0)).toBe('#000000');
  expect(mix('#000000', '#ffffff', 1)).toBe('#ffffff');
  expect(mix('#204060', '#406080', 0.5)).toBe('#305070');
});

test.each(Object.keys(COLORS) as ColorName[])('%s has shades from darker to lighter', (color) => {
  const { darker, dark, main, light, lighter } = paletteOf(color);
  const sums = [darker, dark, main, light, lighter].map((shade) =>
    [1, 3, 5].reduce((sum, start) => sum + Number.parseInt(shade.slice(start, start + 2), 16), 0),
  );
  expect(sums).toEqual([...sums].sort((a, b) => a - b));
});
