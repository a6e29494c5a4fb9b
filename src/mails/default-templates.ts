import type { MailName } from './mail-names';

/** The Liquid templates of a mail. */
export interface MailTemplate {
  subject: string;
  text: string;
  html: string;
}

/** Parts that templates of mails include. The HTML follows the light or dark setting of the reader. */
export const HTML_PARTS = {
  layout: `<!doctype html>
<html lang="{{ locale }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{{ store.name }}</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 0; background: #f3f4f6; color: #1f2937; -webkit-text-size-adjust: 100%; }
  body, td, th { font-family: -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; font-size: 16px; line-height: 1.5; }
  .card { width: 100%; max-width: 600px; background: #ffffff; border-radius: 8px; }
  .pad { padding: 32px; }
  h1 { margin: 0 0 24px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
  p { margin: 0 0 16px; overflow-wrap: anywhere; }
  .muted { color: #6b7280; font-size: 14px; }
  .rows { width: 100%; border-collapse: collapse; margin: 8px 0 24px; }
  .rows td, .rows th { padding: 10px 0; border-bottom: 1px solid #e5e7eb; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
  .rows th { color: #6b7280; font-size: 13px; font-weight: 600; }
  .rows .amount { text-align: right; white-space: nowrap; padding-left: 16px; overflow-wrap: normal; }
  .rows .total td { border-bottom: 0; font-weight: 700; }
  .button { display: inline-block; padding: 12px 24px; border-radius: 6px; background: #1d4ed8; color: #ffffff; font-weight: 600; text-decoration: none; }
  .foot { padding: 16px 32px 32px; text-align: center; color: #565e6c; font-size: 13px; }
  .foot a { color: #565e6c; }
  @media (max-width: 480px) { .pad { padding: 24px 20px; } }
  @media (prefers-color-scheme: dark) {
    body { background: #111827; color: #e5e7eb; }
    .card { background: #1f2937; }
    .rows td, .rows th { border-color: #374151; }
    .muted, .rows th, .foot, .foot a { color: #9ca3af; }
    .button { background: #2563eb; }
  }
</style>
</head>
<body>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" style="padding: 24px 12px 0">
<table role="presentation" class="card" cellpadding="0" cellspacing="0" border="0">
<tr><td class="pad">
<h1>{{ store.name }}</h1>
{% block content %}{% endblock %}
</td></tr>
</table>
</td></tr>
<tr><td class="foot">{{ store.name }} · <a href="{{ store.url }}">{{ store.host }}</a></td></tr>
</table>
</body>
</html>`,
  items: `<table class="rows">
<tr><th>{{ labels.item }}</th><th class="amount">{{ labels.quantity }}</th>{% if prices %}<th class="amount">{{ labels.amount }}</th>{% endif %}</tr>
{% for item in items %}<tr><td><span dir="auto">{{ item.name }}</span>{% if item.options != '' %}<br><span class="muted" dir="auto">{{ item.options }}</span>{% endif %}</td><td class="amount">{{ item.quantity }}</td>{% if prices %}<td class="amount">{{ item.amount }}</td>{% endif %}</tr>
{% endfor %}{% for row in totals %}<tr{% if forloop.last %} class="total"{% endif %}><td colspan="2">{{ row.label }}</td><td class="amount">{{ row.amount }}</td></tr>
{% endfor %}</table>`,
  address: `{% if order.ship_address.size > 0 %}<p class="muted">{{ labels.ship_to }}</p><p>{% for line in order.ship_address %}<span dir="auto">{{ line }}</span>{% unless forloop.last %}<br>{% endunless %}{% endfor %}</p>{% endif %}`,
} as const;

export const TEXT_PARTS = {
  items: `{% for item in items %}{{ item.quantity }} x {{ item.name }}{% if item.options != '' %} ({{ item.options }}){% endif %}{% if prices %}: {{ item.amount }}{% endif %}
{% endfor %}{% if totals.size > 0 %}
{% endif %}{% for row in totals %}{{ row.label }}: {{ row.amount }}
{% endfor %}`,
  address: `{% if order.ship_address.size > 0 %}
{{ labels.ship_to }}:
{% for line in order.ship_address %}{{ line }}
{% endfor %}{% endif %}`,
  signature: `
-- 
{{ store.name }}
{{ store.url }}
`,
} as const;

const FILL = '| fill: store: store.name, order: order.number';

/** Builds a mail: a sentence, content, a link with its words, and a last sentence. */
function build(
  name: string,
  {
    intro = `${name}_intro`,
    content = { html: '', text: '' },
    link,
    last,
  }: { intro?: string; content?: { html: string; text: string }; link?: [string, string]; last?: string },
): MailTemplate {
  const values = `${FILL}, amount: refund.amount, return: return.number, email: store.email`;
  const first = `{{ labels.${intro} ${values} }}`;
  const [url = '', words = ''] = link ?? [];
  const button =
    link === undefined
      ? ''
      : `\n{% if ${url} %}<p><a class="button" href="{{ ${url} }}">{{ labels.${words} }}</a></p>{% endif %}`;
  const address =
    link === undefined ? '' : `{% if ${url} %}\n{{ labels.${words} }}: {{ ${url} }}\n{% endif %}`;
  const end = last === undefined ? '' : `{{ labels.${last} ${values} }}`;
  return {
    subject: `{{ labels.${name}_subject ${values} }}`,
    html: `{% layout 'layout' %}
{% block content %}
<p>${first}</p>${content.html}${button}${last === undefined ? '' : `\n<p class="muted">${end}</p>`}
{% endblock %}`,
    text: `${first}
${content.text}${address}${last === undefined ? '' : `\n${end}\n`}{% include 'signature' %}`,
  };
}

const INVOICE = '{% if has_invoice %}';

const CONTENTS = {
  html: "\n{% include 'items' %}\n{% include 'address' %}",
  text: "\n{% include 'items' %}{% include 'address' %}",
};

/** The mails as they are until a merchant changes them. Their texts are in the language of the store. */
export const DEFAULT_TEMPLATES: Readonly<Record<MailName, MailTemplate>> = {
  order_confirmed: build('order_confirmed', {
    content: {
      html: `${CONTENTS.html}${INVOICE}<p>{{ labels.invoice_attached }}</p>{% endif %}`,
      text: `${CONTENTS.text}${INVOICE}\n{{ labels.invoice_attached }}\n{% endif %}`,
    },
    link: ['link', 'view_order'],
  }),
  shipped: build('shipped', {
    content: {
      html: `{% if shipment.tracking %}<p>{{ labels.tracking }}: {{ shipment.tracking }}</p>{% endif %}${CONTENTS.html}`,
      text: `{% if shipment.tracking %}{{ labels.tracking }}: {{ shipment.tracking }}\n{% endif %}${CONTENTS.text}`,
    },
    link: ['shipment.tracking_url', 'track'],
  }),
  canceled: build('canceled', {
    content: { html: "\n{% include 'items' %}", text: "\n{% include 'items' %}" },
  }),
  refunded: build('refunded', {
    content: {
      html: '{% if refund.reason %}<p>{{ labels.reason }}: {{ refund.reason }}</p>{% endif %}',
      text: '{% if refund.reason %}{{ labels.reason }}: {{ refund.reason }}\n{% endif %}',
    },
  }),
  return_received: build('return_received', {
    content: { html: "\n{% include 'items' %}", text: "\n{% include 'items' %}" },
  }),
  order_link: build('order_link', { link: ['link', 'view_order'], last: 'not_you' }),
  password_reset: build('password_reset', { link: ['link', 'set_password'], last: 'not_you' }),
  email_changed: build('email_changed', { last: 'write_to' }),
  new_email: { ...build('email_changed', { intro: 'new_email_intro', last: 'write_to' }) },
};
