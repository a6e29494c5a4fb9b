import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../access/api-router';
import { endpoint } from '../platform/http/endpoint';
import type { Ctx } from '../sales/context';
import {
  dismissUndeliveredMail,
  KEPT_DAYS,
  LISTED_MAILS,
  listUndeliveredMails,
  retryUndeliveredMails,
  type UndeliveredMail,
} from './undelivered-mails.service';

const MAX_REASON = 300;

/** The id of a job. */
const Params = z.object({
  id: z.string().regex(/^\d{1,18}$/),
});

const UndeliveredMailJson = z
  .object({
    id: z.string(),
    name: z.string().nullable().meta({ description: 'What the mail is about, such as `shipped`.' }),
    order_number: z
      .string()
      .nullable()
      .meta({ description: 'The number of its order; null for mails about accounts.' }),
    email: z.string().nullable().meta({ description: 'Where it goes; null if `SECRET` has changed since.' }),
    attempts: z.int().meta({ description: 'How often sending it has failed.' }),
    reason: z
      .string()
      .meta({ description: 'Why it failed last, as the mail server says it, without the address.' }),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it is tried next; null after the last attempt.' }),
  })
  .meta({ id: 'UndeliveredMail' });

/** The mails that the store could not send so far. */
export function undeliveredMailsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Mails', 'settings');

  endpoint(router, 'get /undelivered_mails', {
    access: 'admin',
    summary: 'List the mails that could not be sent so far',
    description: `The latest ${LISTED_MAILS}. The store tries a mail 25 times within two days. A mail that a server refuses for good (a code of 500 or more) is tried again only on request. Mails that are not tried again are listed for ${KEPT_DAYS} days.`,
    private: true,
    reply: z.object({
      undelivered_mails: z.array(UndeliveredMailJson).meta({ description: 'The mails, latest first.' }),
      total_count: z.int().meta({ description: 'How many there are.' }),
    }),
    handle: async (ctx) => {
      const { mails, total } = await listUndeliveredMails(ctx);
      return { undelivered_mails: mails.map(serialize), total_count: total };
    },
  });
  endpoint(router, 'put /undelivered_mails/retry', {
    access: 'admin',
    summary: 'Try the mails that could not be sent again, at once',
    description:
      'With all of their attempts, also those that were given up or refused for good. May be repeated.',
    private: true,
    reply: z.object({ retried: z.int().meta({ description: 'How many mails are tried again.' }) }),
    handle: async (ctx) => ({ retried: await retryUndeliveredMails(ctx) }),
  });
  endpoint(router, 'delete /undelivered_mails/:id', {
    access: 'admin',
    summary: 'Give up a mail that could not be sent',
    description:
      'The mail is no longer listed or retried. For mails to addresses that do not exist. Not found while the mail is being sent.',
    params: Params,
    status: 204,
    handle: (ctx, { params }) => dismissUndeliveredMail(ctx, params.id),
  });
  return router;
}

const serialize = ({
  last_error,
  created_at,
  next_attempt_at,
  ...mail
}: UndeliveredMail): z.output<typeof UndeliveredMailJson> => ({
  id: mail.id,
  name: mail.name,
  order_number: mail.order_number,
  email: mail.email,
  attempts: mail.attempts,
  // The first line; the others are where in the program it happened.
  reason: (last_error.split('\n', 1)[0] ?? '').slice(0, MAX_REASON),
  created_at: created_at.toISOString(),
  next_attempt_at: next_attempt_at?.toISOString() ?? null,
});
