import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { unique } from './unique';

interface PictureOptions {
  format?: 'jpeg' | 'png' | 'gif';
  width?: number;
  height?: number;
  /** 0 is fully transparent; PNG and GIF only. */
  alpha?: number;
}

/** Draws a picture whose left half is red and whose right half is blue. */
export async function aPicture(options: PictureOptions = {}): Promise<Buffer> {
  return drawHalves(options)
    .toFormat(options.format ?? 'png')
    .toBuffer();
}

/** Draws a JPEG as cameras store it: rotated, with EXIF orientation and artist. */
export async function aCameraPicture({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const exif = { IFD0: { Artist: 'Somebody Private', Orientation: '6' } };
  return drawHalves({ width, height }).jpeg().withMetadata({ orientation: 6, exif }).toBuffer();
}

function drawHalves({ width = 360, height = 360, alpha = 1 }: PictureOptions): sharp.Sharp {
  const half = Math.ceil(width / 2);
  const opacity = Math.round(alpha * 255);
  const red = Buffer.alloc(half * 4, Buffer.from([255, 0, 0, opacity]));
  const blue = Buffer.alloc((width - half) * 4, Buffer.from([0, 0, 255, opacity]));
  const pixels = Buffer.concat(Array.from({ length: height }, () => [red, blue]).flat());
  return sharp(pixels, { raw: { width, height, channels: 4 } });
}

/** Draws a GIF with two frames. */
export async function anAnimation(): Promise<Buffer> {
  const [width, height] = [80, 60];
  const frame = (color: number[]) => Buffer.alloc(width * height * 3, Buffer.from(color));
  const frames = Buffer.concat([frame([255, 0, 0]), frame([0, 255, 0])]);
  const raw = { width, height: height * 2, channels: 3 as const, pageHeight: height };
  return sharp(frames, { raw }).gif().toBuffer();
}

/**
 * Reads the metadata and pixels of a served picture, with sharp's loaders for files, the only ones that the
 * program leaves enabled.
 */
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

/** Builds a PNG of a few bytes that claims to be `width` x `height` pixels. */
export function aDecompressionBomb(width: number, height: number, bits: 8 | 16 = 8): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 6], 8); // Color type 6: red, green, blue and alpha.
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([numbers.subarray(0, 4), typed, numbers.subarray(4)]);
}
