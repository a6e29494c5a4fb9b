import { z } from 'zod';
import type { Ctx } from '../sales/context';
import { createApiRouter, type ApiRouter } from '../access/api-router';
import { endpoint } from '../platform/http/endpoint';
import { longText, text } from '../platform/http/fields';
import { wrapped } from '../platform/http/field-schemas';
import { omitUndefined } from '../platform/omit-undefined';
import { PathName } from '../platform/http/path-parameters';
import { MAIL_NAMES } from './mail-names';
import {
  changeMail,
  getMail,
  listMails,
  previewMail,
  resetMail,
  type ListedMail,
} from './mail-templates.service';

const PARTS = {
  subject: 'The subject, as Liquid template.',
  text: 'The text for readers without HTML, as Liquid template.',
  html: 'The HTML, as Liquid template. Values are escaped.',
} as const;

const describe = (schema: z.ZodType<string>, part: keyof typeof PARTS) =>
  schema.meta({ description: PARTS[part] });

const templates = {
  subject: describe(z.string(), 'subject'),
  text: describe(z.string(), 'text'),
  html: describe(z.string(), 'html'),
};

const MailJson = z
  .object({
    name: z.enum(MAIL_NAMES).meta({ description: 'What the mail is about.' }),
    ...templates,
    written_out: z.object(templates).meta({
      description:
        'The templates with labels replaced by words in the language of the store; a starting point for changed templates.',
    }),
    changed_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was changed; null for the default.' }),
  })
  .meta({ id: 'Mail' });

const RenderedMailJson = z
  .object({
    subject: z.string().meta({ description: 'The subject.' }),
    text: z.string().meta({ description: 'The text.' }),
    html: z.string().meta({ description: 'A page; show it in a frame without scripts.' }),
  })
  .meta({ id: 'RenderedMail' });

const Params = z.object({
  name: PathName.meta({
    description: 'The name of the mail, such as `order_confirmed`.',
  }),
});

const template = longText().optional;

const MailInput = wrapped(
  'mail',
  z.object({
    subject: text({ max: 1_000, trim: true }).optional.meta({ description: PARTS.subject }),
    text: template.meta({ description: PARTS.text }),
    html: template.meta({ description: PARTS.html }),
  }),
);

/** The mails to customers and their templates. */
export function mailsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Mails', 'settings');

  endpoint(router, 'get /mails', {
    access: 'admin',
    summary: 'List the mails that customers get, with their templates',
    description:
      "Templates are Liquid. `{{ labels.track }}` and such are words in the language of the store; `{% layout 'layout' %}`, `{% include 'items' %}` and `{% include 'address' %}` are parts that mails share.",
    private: true,
    reply: z.object({ mails: z.array(MailJson).meta({ description: 'All mails, in a fixed order.' }) }),
    handle: async (ctx) => ({ mails: (await listMails(ctx)).map(serializeMail) }),
  });
  endpoint(router, 'get /mails/preview/:name', {
    access: 'admin',
    summary: 'Render a mail with sample data',
    description: 'In the language and the formats of the store. Nothing is sent.',
    params: Params,
    private: true,
    reply: RenderedMailJson,
    handle: (ctx, { params }) => previewMail(ctx, params.name),
  });
  endpoint(router, 'get /mails/:name', {
    access: 'admin',
    summary: 'Get a mail with its templates',
    description: 'Those that apply: changed ones, else the default.',
    params: Params,
    private: true,
    reply: MailJson,
    handle: async (ctx, { params }) => serializeMail(await getMail(ctx, params.name)),
  });
  endpoint(router, 'put /mails/:name', {
    access: 'full_admin',
    summary: 'Change the templates of a mail',
    description:
      'What is left out stays. A template that cannot be rendered is refused, with the line of the mistake.',
    params: Params,
    input: MailInput,
    private: true,
    reply: MailJson,
    handle: async (ctx, { params, input }) =>
      serializeMail(await changeMail(ctx, params.name, readParts(input.mail))),
  });
  endpoint(router, 'delete /mails/:name', {
    access: 'full_admin',
    summary: 'Restore the default templates of a mail',
    description: 'May be repeated.',
    params: Params,
    status: 204,
    handle: (ctx, { params }) => resetMail(ctx, params.name),
  });
  return router;
}

/** Null counts as blank. */
function readParts(input: Partial<Record<keyof typeof PARTS, string | null | undefined>>) {
  return omitUndefined({
    subject: input.subject === null ? '' : input.subject,
    text: input.text === null ? '' : input.text,
    html: input.html === null ? '' : input.html,
  });
}

function serializeMail({ changed_at, ...mail }: ListedMail) {
  return { ...mail, changed_at: changed_at?.toISOString() ?? null };
}
