import sharp from 'sharp';
import { anImageOwner, uploadImage } from '../../support/images.factory';

const MEBIBYTE = 1024 * 1024;

/** Builds an interlaced PNG of a few kilobytes, which takes the most memory to decode. */
async function anInterlacedPicture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: '#345' } })
    .png({ progressive: true, compressionLevel: 9 })
    .toBuffer();
}

/** Runs work and returns by how many bytes the memory of this process grew at most. */
async function measureMemory(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

test('the largest pictures, four at once, are answered and take less than 600 MiB', async () => {
  const path = `/products/${(await anImageOwner()).slug}/images`;
  const bytes = await anInterlacedPicture(8_000, 5_000);
  const memory = await measureMemory(() =>
    Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { status } = await uploadImage(path, { bytes });
        expect([201, 422, 503]).toContain(status);
      }),
    ),
  );
  expect(memory).toBeLessThan(600 * MEBIBYTE);
});

test('a small picture does not wait for large ones', async () => {
  const path = `/products/${(await anImageOwner()).slug}/images`;
  const large = await anInterlacedPicture(8_000, 5_000);
  const answered: string[] = [];
  const upload = async (name: string, bytes?: Buffer): Promise<number> => {
    const { status } = await uploadImage(path, bytes === undefined ? {} : { bytes });
    answered.push(name);
    return status;
  };
  const slow = [1, 2, 3].map((place) => upload(`large ${place}`, large));
  expect(await upload('small')).toBe(201);
  await Promise.all(slow);
  expect(answered.at(-1)).not.toBe('small');
});
