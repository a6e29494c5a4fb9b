import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import type { Ctx } from '../context';
import { changeLogo, removeLogo, requireStore } from './logos';

/** Builds the router of the logos that documents print. */
export function logosRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Stores', 'settings');

  endpoint(router, 'post /stores/:id/logo', {
    access: 'admin',
    summary: 'Set the logo that documents of a store print',
    description:
      'A JPEG, PNG or GIF file as `logo`, of at most 10 MiB. It is shown at the top left, at most 180 by 60 points. Existing documents keep theirs.',
    params: IdParams,
    upload: 'logo',
    input: z.object({}),
    subject: (ctx, { id }) => requireStore(ctx, id),
    status: 204,
    handle: async (ctx, { params, file }) => {
      await requireStore(ctx, params.id);
      await changeLogo(ctx, params.id, file);
    },
  });
  endpoint(router, 'delete /stores/:id/logo', {
    access: 'admin',
    summary: 'Remove the logo from later documents of a store',
    description: 'May be repeated.',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeLogo(ctx, params.id),
  });
  return router;
}
