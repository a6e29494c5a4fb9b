import type { Ctx } from '../sales/context';
import { withTransaction } from '../platform/database/transaction';
import type { Db } from '../platform/database/knex';
import { BLANK, InvalidResource, NotFound } from '../platform/errors';
import { DEFAULT_TEMPLATES, type MailTemplate } from './default-templates';
import { MAIL_NAMES, type MailName } from './mail-names';
import { deleteTemplate, findChangedTemplates, saveTemplate } from './mail-templates.repository';
import { InvalidTemplate, renderMail, type RenderedMail } from './render-mail';
import { buildSampleView } from './sample-view';
import { findMailStore } from './mail-store';
import { writeOut } from './written-out';

/** A mail with the templates that apply. */
export interface ListedMail extends MailTemplate {
  name: MailName;
  /** When a merchant changed it; null for the default. */
  changed_at: Date | null;
  /** The templates with the words of the store's language in the place of labels. */
  written_out: MailTemplate;
}

/** Returns all mails. */
export async function listMails({ db }: Pick<Ctx, 'db'>): Promise<ListedMail[]> {
  const { labels } = await findMailStore(db);
  const changed = new Map((await findChangedTemplates(db)).map((one) => [one.name, one]));
  return MAIL_NAMES.map((name) => {
    const own = changed.get(name);
    const { subject, text, html } = own ?? DEFAULT_TEMPLATES[name];
    const written_out = writeOut({ subject, text, html }, labels);
    return { name, subject, text, html, changed_at: own?.updated_at ?? null, written_out };
  });
}

/** Returns one mail. @throws NotFound */
export async function getMail(ctx: Pick<Ctx, 'db'>, name: string): Promise<ListedMail> {
  const found = (await listMails(ctx)).find((mail) => mail.name === name);
  if (found === undefined) throw new NotFound();
  return found;
}

/** Reads the templates that merchants have changed. @returns which of all templates apply to a mail */
export async function readTemplates(db: Db): Promise<(name: MailName) => MailTemplate> {
  const changed = new Map((await findChangedTemplates(db)).map((one) => [one.name, one]));
  return (name) => changed.get(name) ?? DEFAULT_TEMPLATES[name];
}

/** Renders a mail with sample data in the language of the store. @throws NotFound, InvalidResource */
export async function previewMail(ctx: Ctx, name: string): Promise<RenderedMail> {
  const mail = await getMail(ctx, name);
  return renderSample(ctx, mail);
}

/** Changes the templates of a mail that are given. @throws NotFound; InvalidResource if one of them cannot be rendered, or is blank then */
export async function changeMail(ctx: Ctx, name: string, change: Partial<MailTemplate>): Promise<ListedMail> {
  const current = await getMail(ctx, name);
  const { subject, text, html, ...mail } = { ...current, ...change };
  // A default that is sent back stays the default, which later versions may improve.
  if (subject === current.subject && text === current.text && html === current.html) return current;
  const sample = await renderSample(ctx, { ...mail, subject, text, html });
  const empty = (['subject', 'text', 'html'] as const).filter((part) => sample[part].trim() === '');
  if (empty.length > 0) throw new InvalidResource(Object.fromEntries(empty.map((part) => [part, [BLANK]])));
  await withTransaction(ctx, (tx) => saveTemplate(tx, mail.name, { subject, text, html }));
  return getMail(ctx, name);
}

/** Restores the default templates of a mail. @throws NotFound */
export async function resetMail(ctx: Ctx, name: string): Promise<void> {
  const mail = await getMail(ctx, name);
  await withTransaction(ctx, (tx) => deleteTemplate(tx, mail.name));
}

async function renderSample(ctx: Ctx, mail: MailTemplate & { name: MailName }): Promise<RenderedMail> {
  try {
    return await renderMail(mail, buildSampleView(await findMailStore(ctx.db), mail.name, ctx.now()));
  } catch (error) {
    if (error instanceof InvalidTemplate) throw new InvalidResource({ [error.part]: [error.message] });
    throw error;
  }
}
