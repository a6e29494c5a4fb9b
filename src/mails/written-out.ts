import type { MailTemplate } from './default-templates';
import type { MailView } from './mail-view';

/** `{{ labels.name }}`, or with values: `{{ labels.name | fill: order: order.number }}`. */
const LABEL = /\{\{\s*labels\.(\w+)\s*(?:\|\s*fill:([^|}]*))?\}\}/g;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the values of `fill` by name, as templates. */
function readValues(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(':').map((part) => part.trim()));
  return new Map(pairs.map(([name = '', value = '']) => [name, `{{ ${value} }}`]));
}

function writeLabels(template: string, labels: MailView['labels'], encode: (text: string) => string): string {
  return template.replace(LABEL, (whole, name: string, values = '') => {
    const label = labels[name];
    if (label === undefined) return whole;
    const known = readValues(String(values));
    return encode(label).replace(/\{(\w+)\}/g, (gap, value: string) => known.get(value) ?? gap);
  });
}

/** Returns the templates of a mail with words in the place of labels. They render the same in the language of these labels. */
export function writeOut({ subject, text, html }: MailTemplate, labels: MailView['labels']): MailTemplate {
  const asIs = (label: string): string => label;
  return {
    subject: writeLabels(subject, labels, asIs),
    text: writeLabels(text, labels, asIs),
    html: writeLabels(html, labels, escape),
  };
}
