import type { Liquid, Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { HTML_PARTS, TEXT_PARTS, type MailTemplate } from './default-templates';
import type { MailView } from './mail-view';

/** The contents of a mail. */
export type RenderedMail = MailTemplate;

/** A template is wrong; the message says where. */
export class InvalidTemplate extends Error {
  constructor(
    readonly part: keyof MailTemplate,
    message: string,
  ) {
    super(message);
  }
}

/** In characters, of one template. */
const MAX_TEMPLATE_LENGTH = 100_000;

/** How many parsed templates are kept, of each engine. */
const KEPT_TEMPLATES = 50;

/** Renders the text of a template. Each is parsed once. */
type Render = (template: string, view: MailView) => string;

interface Engines {
  html: Render;
  text: Render;
}

let engines: Promise<Engines> | null = null;

/** Renders a mail. HTML escapes all values. @throws InvalidTemplate */
export async function renderMail(template: MailTemplate, view: MailView): Promise<RenderedMail> {
  const { html, text } = await (engines ??= createEngines());
  const render = (part: keyof MailTemplate, renderWith: Render): string => {
    try {
      return renderWith(template[part], view);
    } catch (error) {
      throw new InvalidTemplate(
        part,
        error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'is invalid',
      );
    }
  };
  return {
    subject: render('subject', text).replace(/\s+/g, ' ').trim(),
    text: `${render('text', text)
      .replace(/\n{3,}/g, '\n\n')
      .trimEnd()}\n`,
    html: render('html', html),
  };
}

/** Merchants write templates: what a template can reach and cost is limited. It reads no files. */
async function createEngines(): Promise<Engines> {
  // It takes some memory, which a process that sends no mail saves.
  const { Liquid: Engine } = await import('liquidjs');
  const create = (templates: Record<string, string>, escapes: boolean): Liquid => {
    const engine = new Engine({
      templates,
      cache: true,
      ownPropertyOnly: true,
      strictFilters: true,
      jsTruthy: false,
      parseLimit: MAX_TEMPLATE_LENGTH * 2,
      renderLimit: 1_000,
      memoryLimit: 10_000_000,
      ...(escapes && { outputEscape: 'escape' as const }),
    });
    // `{{ labels.x | fill: order: order.number }}` replaces `{order}`.
    engine.registerFilter('fill', (text: unknown, ...values: [string, unknown][]) => {
      const known = new Map(values.map(([name, value]) => [name, value]));
      return String(text).replace(/\{(\w+)\}/g, (whole, name: string) => {
        const value = known.get(name);
        return typeof value === 'string' ? value : whole;
      });
    });
    return engine;
  };
  return {
    html: keepParsed(create({ ...HTML_PARTS }, true)),
    text: keepParsed(create({ ...TEXT_PARTS }, false)),
  };
}

function keepParsed(engine: Liquid): Render {
  const parsed = new LRUCache<string, Template[]>({ max: KEPT_TEMPLATES });
  return (template, view) => {
    const known = parsed.get(template) ?? engine.parse(template);
    parsed.set(template, known);
    return String(engine.renderSync(known, view));
  };
}
