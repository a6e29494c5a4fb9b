import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';
import type { MailTemplate } from './default-templates';
import type { MailName } from './mail-names';

/** A template that a merchant has changed. */
export interface ChangedTemplate extends MailTemplate {
  name: MailName;
  updated_at: Date;
}

/** Returns the templates that differ from the default ones. */
export async function findChangedTemplates(db: Db): Promise<ChangedTemplate[]> {
  return db('mail_templates').select<ChangedTemplate[]>('name', 'subject', 'text', 'html', 'updated_at');
}

/** Stores a template instead of the default one, or of an earlier change. */
export async function saveTemplate(tx: Tx, name: MailName, template: MailTemplate): Promise<void> {
  await tx('mail_templates')
    .insert({ name, ...template })
    .onConflict('name')
    .merge(['subject', 'text', 'html']);
}

/** Deletes a changed template, so that the default one applies. */
export async function deleteTemplate(tx: Tx, name: MailName): Promise<void> {
  await tx('mail_templates').where({ name }).delete();
}
