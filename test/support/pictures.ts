import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { unique } from './unique';

interface PictureOptions {
  format?: 'jpeg' | 'png' | 'gif';
  width?: number;
  height?: number;
  /** 0 is fully transparent; PNG and GIF only. */
  alpha?: number;
}

/** A picture whose left half is red and whose right half is blue. */
export async function aPicture(options: PictureOptions = {}): Promise<Buffer> {
  return halves(options)
    .toFormat(options.format ?? 'png')
    .toBuffer();
}

/** A JPEG as cameras write it: stored lying, with the EXIF note to turn it a quarter clockwise, and who took it. */
export async function aCameraPicture({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const exif = { IFD0: { Artist: 'Somebody Private', Orientation: '6' } };
  return halves({ width, height }).jpeg().withMetadata({ orientation: 6, exif }).toBuffer();
}

function halves({ width = 360, height = 360, alpha = 1 }: PictureOptions): sharp.Sharp {
  const half = (background: { r: number; g: number; b: number }, left: number) => ({
    input: {
      create: {
        width: Math.ceil(width / 2),
        height,
        channels: 4 as const,
        background: { ...background, alpha },
      },
    },
    left,
    top: 0,
    blend: 'source' as const,
  });
  const canvas = { width, height, channels: 4 as const, background: { r: 0, g: 0, b: 255, alpha } };
  return sharp({ create: canvas, limitInputPixels: false }).composite([half({ r: 255, g: 0, b: 0 }, 0)]);
}

/** A GIF of two frames. */
export async function anAnimation(): Promise<Buffer> {
  const frame = (background: string) => ({
    create: { width: 80, height: 60, channels: 3 as const, background },
  });
  return sharp([frame('red'), frame('lime')], { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** What a picture that was served turns out to be. The program has closed sharp's loaders for all but files. */
export async function inspect(bytes: Buffer): Promise<{ metadata: sharp.Metadata; pixel: PixelReader }> {
  const file = path.join(tmpdir(), unique('store-test-picture'));
  await writeFile(file, bytes);
  try {
    const metadata = await sharp(file).metadata();
    const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixel: PixelReader = (x, y) => {
      const at = (y * info.width + x) * info.channels;
      return [...data.subarray(at, at + info.channels)];
    };
    return { metadata, pixel };
  } finally {
    await rm(file);
  }
}

/** Red, green, blue and alpha, 0 to 255. */
export type PixelReader = (x: number, y: number) => number[];
