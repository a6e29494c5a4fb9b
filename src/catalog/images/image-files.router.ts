import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { Deps } from '../../access/context';
import { NotFound } from '../../platform/errors';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { nameRoute } from '../../platform/http/request-log';
import { sendStream } from '../../platform/http/send-file';
import { openImageFile } from './image-files.service';
import { chooseFormat, IMAGE_SIZES } from './image-sizes';
import type { ImageRow } from './images.definition';
import { buildImageVersion } from './images.serializer';

const PATH = '/store/products/:id/:size/:file';
const FileParams = z.object({ id: PathId, size: z.enum(IMAGE_SIZES), file: PathName });

/** Builds the router of the image files: outside the API, public and cacheable. */
export function imageFilesRouter(deps: Deps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(PATH, async (request, response) => {
    nameRoute(response, PATH);
    const params = FileParams.safeParse(request.params);
    if (!params.success) throw new NotFound();
    const { id, size, file: file_name } = params.data;
    const preferred = chooseFormat(request.headers.accept);
    const { image, file, format } = await openImageFile(deps, { id, size, file_name, format: preferred });
    response.vary('Accept').set({
      'Content-Type': format === null ? image.attachment_content_type : `image/${format}`,
      'Cache-Control': format === preferred ? buildCacheControl(request, image) : NOT_PREFERRED,
      ETag: `"${image.storage_key.split('/').at(-1)}-${size}${format === null ? '' : `.${format}`}"`,
      'Last-Modified': image.attachment_updated_at.toUTCString(),
    });
    if (request.fresh || request.method === 'HEAD') {
      file.stream.destroy();
      endWithoutBody(request, response, file.size);
      return;
    }
    response.set('Content-Length', String(file.size));
    await sendStream(file.stream, response);
  });
  return router;
}

/** The next request may get the format that the client prefers. */
const NOT_PREFERRED = 'public, max-age=60';

/** A URL with the current image version is immutable; any other URL may get a new file when the image is replaced. */
function buildCacheControl(request: Request, image: ImageRow): string {
  const version = request.originalUrl.split('?')[1];
  return version === buildImageVersion(image) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
}

function endWithoutBody(request: Request, response: Response, size: number): void {
  if (request.fresh) response.status(304);
  else response.set('Content-Length', String(size));
  response.end();
}
