import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/**
 * Loads sharp at the first call, because it takes 20 MB of memory. Its decoders of JPEG, PNG and GIF files are enabled and no
 * others, whatever type a file claims to have. They read files, so an image in memory must be written to a file first.
 */
export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    loaded.block({ operation: ['VipsForeignLoad'] });
    loaded.unblock({
      operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadNsgifFile'],
    });
    loaded.cache(false);
    loaded.concurrency(1);
    return loaded;
  });
  return loading;
}
