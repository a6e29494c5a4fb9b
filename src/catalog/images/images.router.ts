import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';
import { catalogReplies } from '../catalog-replies';
import { Image } from './images.definition';
import {
  ImageCreate,
  ImageListJson,
  ImagesOfProduct,
  ImagesOfVariant,
  ImagesQuery,
  ImageUpdate,
} from './images.schema';
import { serializeImage } from './images.serializer';
import { updateImage, createImage, getImage, getImageOwner, listImages, deleteImage } from './images.service';

/** The multipart field of the file. */
const UPLOAD = 'image[attachment]';

const OF_PRODUCT = {
  path: '/products/:product_id/images',
  params: ImagesOfProduct,
  name: 'a product',
} as const;
const OF_VARIANT = {
  path: '/variants/:variant_id/images',
  params: ImagesOfVariant,
  name: 'a variant',
} as const;

/** Builds the router of images; the endpoints are the same below products and variants. */
export function imagesRouter(): ApiRouter {
  const router = createApiRouter('Images', 'catalog');
  for (const owner of [OF_PRODUCT, OF_VARIANT]) declareImages(router, owner);
  return router;
}

function declareImages(
  router: ApiRouter,
  { path, params: owned, name }: typeof OF_PRODUCT | typeof OF_VARIANT,
): void {
  endpoint(router, `get ${path}`, {
    access: 'anyone',
    summary: `List the images of ${name}, by position`,
    description: 'Not paginated. For a product: the images of the master, then the images of each variant.',
    params: owned,
    query: ImagesQuery,
    search: Image.search,
    reply: ImageListJson,
    cache: catalogReplies,
    handle: async (ctx, { params, query, list }) => {
      const owner = await getImageOwner(ctx, params, { deleted: query.show_deleted });
      return { images: (await listImages(ctx, owner, list)).map(serializeImage) };
    },
  });
  declareRecordEndpoints(router, path, {
    params: owned,
    access: { read: 'anyone', write: 'admin' },
    parent: (ctx, params) => getImageOwner(ctx, params),
    get: async (ctx, params, query) =>
      getImage(ctx, await getImageOwner(ctx, params, { deleted: query?.show_deleted }), params.id),
    reply: Image.Json,
    serialize: serializeImage,
    cache: catalogReplies,
    new: {
      summary: 'Attributes of an image; required ones are marked',
      attributes: Image.attributeList,
    },
    show: {
      summary: `Get an image of ${name}`,
      description: 'With the paths of its sizes.',
      query: ImagesQuery,
    },
    create: {
      summary: `Add an image to ${name}`,
      description:
        'A JPEG, PNG or GIF file of at most 10 MiB and 40 megapixels; the type is detected from its bytes. ' +
        '`image[viewable_id]` is the variant of the image; defaults to the variant of the path, or to the master.',
      upload: UPLOAD,
      input: ImageCreate,
      handle: async (ctx, { params, input, file }) =>
        createImage(ctx, await getImageOwner(ctx, params), { file, attributes: input.image }),
    },
    update: {
      summary: `Update an image of ${name}, or replace its file`,
      description:
        'Send a new file as multipart, other attributes in any format. The URLs of a replaced file change.',
      upload: UPLOAD,
      input: ImageUpdate,
      status: 201,
      handle: async (ctx, { params, input, file }) => {
        const owner = await getImageOwner(ctx, params);
        return updateImage(ctx, { owner, id: params.id }, { file, attributes: input.image });
      },
    },
    delete: {
      summary: `Delete an image of ${name} and its files`,
      description: 'A second request returns 404.',
      handle: async (ctx, { params }) => deleteImage(ctx, await getImageOwner(ctx, params), params.id),
    },
  });
}
