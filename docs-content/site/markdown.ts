import MarkdownIt from 'markdown-it';
import Prism from 'prismjs';
import { escapeHtml } from '../../src/platform/escape-html';
import 'prismjs/components/prism-bash';
import 'prismjs/components/prism-json';
import 'prismjs/components/prism-typescript';

const GRAMMARS: Readonly<Record<string, string>> = { sh: 'bash', ts: 'typescript', json: 'json' };

/** Returns code as HTML with a button that copies it. `language` is sh, ts or json; others are not highlighted. */
export function renderCode(code: string, language = ''): string {
  const text = code.trimEnd();
  const name = GRAMMARS[language] ?? '';
  const grammar = Prism.languages[name];
  const html = grammar === undefined ? escapeHtml(text) : Prism.highlight(text, grammar, name);
  return `<div class="code"><button type="button" class="copy">Copy</button><pre tabindex="0"><code>${html}</code></pre></div>`;
}

/** Returns the anchor of a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w]+/g, '-')
    .replace(/^-|-$/g, '');
}

const markdown = new MarkdownIt();
markdown.renderer.rules.fence = (tokens, index) => {
  const token = tokens[index];
  return renderCode(token?.content ?? '', token?.info ?? '');
};
markdown.renderer.rules.code_block = (tokens, index) => renderCode(tokens[index]?.content ?? '', 'sh');
markdown.renderer.rules.heading_open = (tokens, index) => {
  const token = tokens[index];
  return `<${token?.tag} id="${anchorOf(tokens[index + 1]?.content ?? '')}">`;
};
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

/** Renders Markdown of this project. Raw HTML is escaped. */
export function renderMarkdown(text: string): string {
  return markdown.render(text);
}

/** Renders Markdown without a paragraph around it. */
export function renderInline(text: string): string {
  return markdown.renderInline(text);
}
