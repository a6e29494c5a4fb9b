import { loadSharp } from '../../../src/catalog/images/load-sharp';
import * as bags from './bags';
import * as clothing from './clothing';
import { type ColorName, type Palette, paletteOf } from './colors';
import * as drinkware from './drinkware';
import * as home from './home';
import * as outdoor from './outdoor';
import { CANVAS, group, oval } from './shapes';
import * as stationery from './stationery';

const DRAWINGS = { ...bags, ...clothing, ...drinkware, ...home, ...outdoor, ...stationery };

/** The available drawings; each product family is a file in this folder. */
export type DrawingName = keyof typeof DRAWINGS;

export interface Picture {
  readonly drawing: DrawingName;
  readonly color: ColorName;
  /** `front` shows the whole product, `detail` a close-up. */
  readonly view: 'front' | 'detail';
}

const JPEG_QUALITY = 88;
/** The pixels of a side: those of the largest size of an image. */
const SIDE = 1200;

/** Uploads cannot use this loader, because they are read from files and never from memory. */
const SVG_LOADER = { operation: ['VipsForeignLoadSvgBuffer'] };

let drawing = 0;

/**
 * Draws a picture as a JPEG file of 1200 x 1200 pixels. The output is identical on every machine with the same version of
 * sharp; it contains only shapes, so fonts do not matter. Takes about 25 ms of CPU time.
 *
 * The image pipeline blocks all loaders that uploads do not need, for the whole process. The loader for SVG in memory
 * is unblocked while a picture is drawn.
 */
export async function drawProductImage(picture: Picture): Promise<Buffer> {
  const sharp = await loadSharp();
  drawing += 1;
  sharp.unblock(SVG_LOADER);
  try {
    return await sharp(Buffer.from(composeSvg(picture)))
      // The backdrop fills the picture.
      .removeAlpha()
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer();
  } finally {
    drawing -= 1;
    if (drawing === 0) sharp.block(SVG_LOADER);
  }
}

/** Composes the picture as an SVG document. */
export function composeSvg({ drawing, color, view }: Picture): string {
  const tone = paletteOf(color);
  const product = oval([400, 664, 270, 26], 'url(#shadow)') + DRAWINGS[drawing](tone);
  const shown = view === 'front' ? product : group('translate(-320 -300) scale(1.75)', product);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${CANVAS} ${CANVAS}">` +
    `<defs>${gradients(tone)}</defs><rect width="${CANVAS}" height="${CANVAS}" fill="url(#backdrop)"/>${shown}</svg>`
  );
}

function gradients({ backdrop, darker }: Palette): string {
  return (
    `<radialGradient id="backdrop" cx="0.5" cy="0.42" r="0.75"><stop offset="0" stop-color="${backdrop[0]}"/>` +
    `<stop offset="1" stop-color="${backdrop[1]}"/></radialGradient>` +
    `<radialGradient id="shadow"><stop offset="0" stop-color="${darker}" stop-opacity="0.45"/>` +
    `<stop offset="1" stop-color="${darker}" stop-opacity="0"/></radialGradient>` +
    `<radialGradient id="glow"><stop offset="0" stop-color="#fff0bf"/>` +
    `<stop offset="1" stop-color="#fff0bf" stop-opacity="0"/></radialGradient>`
  );
}
