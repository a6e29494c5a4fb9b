/* The pages work without this script, except the search and the forms that send a request. */

const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// --- copy buttons ---

async function copy(text, button) {
  // Browsers have no clipboard on pages of http, except on this machine.
  if (navigator.clipboard === undefined) copySelected(text);
  else await navigator.clipboard.writeText(text);
  const label = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = label), 1500);
}

function copySelected(text) {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

for (const button of all('.copy')) {
  button.addEventListener('click', () => void copy(one('code', button.parentElement).textContent, button));
}

// --- the menu on a phone ---

const menu = one('.menu');
function showMenu(isShown) {
  document.body.classList.toggle('has-menu', isShown);
  menu.setAttribute('aria-expanded', String(isShown));
  if (isShown) one('#sidebar a[aria-current], #sidebar a')?.focus();
}
menu.addEventListener('click', () => showMenu(!document.body.classList.contains('has-menu')));
one('#sidebar').addEventListener('click', (event) => {
  if (event.target.closest('a')) showMenu(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && document.body.classList.contains('has-menu')) {
    showMenu(false);
    menu.focus();
  }
});

// --- the sidebar shows the section that is being read ---

const current = one('#sidebar a[aria-current]');
const sidebar = one('#sidebar');
if (current) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 3;
const inside = new Map(all('#sidebar .inside a').map((link) => [link.hash.slice(1), link]));
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const [id, link] of inside) link.classList.toggle('is-read', id === target.id);
    }
  },
  { rootMargin: '-10% 0px -80% 0px' },
);
for (const id of inside.keys()) {
  const section = document.getElementById(id);
  if (section) observer.observe(section);
}

// --- search ---

const input = one('.search input');
const results = one('#results');
let entries;
let selected = -1;

async function loadEntries() {
  entries ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .then((list) =>
      list.map((entry) => ({
        ...entry,
        lowTitle: entry.title.toLowerCase(),
        lowAbout: entry.about.toLowerCase(),
        lowWords: ` ${entry.words.toLowerCase()}`,
      })),
    );
  return entries;
}

/** The higher, the better; 0 if a word is missing. */
function score({ lowTitle, lowAbout, lowWords, about }, words) {
  let sum = 0;
  for (const word of words) {
    const points =
      (lowTitle === word ? 12 : 0) +
      (lowTitle.startsWith(word) ? 6 : lowTitle.includes(` ${word}`) ? 5 : lowTitle.includes(word) ? 3 : 0) +
      (lowAbout.includes(word) ? 2 : 0) +
      (lowWords.includes(` ${word}`) ? 2 : lowWords.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    sum += points;
  }
  return about === 'Guide' ? sum + 1 : sum;
}

const MOST_RESULTS = 12;

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return close();
  const found = (await loadEntries())
    .map((entry) => ({ entry, points: score(entry, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, MOST_RESULTS);
  results.replaceChildren(
    ...found.map(({ entry }, index) => {
      const item = document.createElement('li');
      item.id = `result-${index}`;
      item.setAttribute('role', 'option');
      const link = document.createElement('a');
      link.href = entry.url;
      link.tabIndex = -1;
      link.append(entry.title);
      const about = document.createElement('span');
      about.textContent = entry.about;
      link.append(about);
      item.append(link);
      return item;
    }),
  );
  if (found.length === 0) {
    const none = document.createElement('li');
    none.className = 'none';
    none.setAttribute('role', 'option');
    none.setAttribute('aria-disabled', 'true');
    none.textContent = 'Nothing found';
    results.append(none);
  }
  results.hidden = false;
  input.setAttribute('aria-expanded', 'true');
  select(found.length > 0 ? 0 : -1);
}

function select(index) {
  const items = all('[id^="result-"]', results);
  selected = items.length === 0 ? -1 : (index + items.length) % items.length;
  items.forEach((item, at) => item.setAttribute('aria-selected', String(at === selected)));
  input.setAttribute('aria-activedescendant', selected < 0 ? '' : `result-${selected}`);
  items[selected]?.scrollIntoView({ block: 'nearest' });
}

function close() {
  results.hidden = true;
  input.setAttribute('aria-expanded', 'false');
  input.removeAttribute('aria-activedescendant');
}

input.addEventListener('input', () => void search());
input.addEventListener('focus', () => void loadEntries());
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    select(selected + (event.key === 'ArrowDown' ? 1 : -1));
  } else if (event.key === 'Enter') one(`#result-${selected} a`)?.click();
  else if (event.key === 'Escape') close();
});
results.addEventListener('click', close);
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) close();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(input|textarea|select)$/i.test(event.target.tagName ?? '');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input.focus();
  }
});

// --- tokens, which stay in this tab ---

const KEY = 'store-api-tokens';
const tokenBox = one('details.credentials');
const tokenForm = one('form', tokenBox);
const readTokens = () => JSON.parse(sessionStorage.getItem(KEY) ?? '{}');

function showTokens() {
  const { token = '', orderToken = '' } = readTokens();
  tokenForm.elements.token.value = token;
  tokenForm.elements.orderToken.value = orderToken;
  const isSet = token !== '' || orderToken !== '';
  tokenBox.classList.toggle('is-set', isSet);
  one('.state', tokenBox).textContent = isSet ? 'Token kept' : 'Token';
}
tokenForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const { token, orderToken } = tokenForm.elements;
  sessionStorage.setItem(
    KEY,
    JSON.stringify({ token: token.value.trim(), orderToken: orderToken.value.trim() }),
  );
  showTokens();
  tokenBox.open = false;
});
tokenForm.addEventListener('reset', () => {
  sessionStorage.removeItem(KEY);
  setTimeout(showTokens);
});
showTokens();

// --- the forms that send a request ---

/** Returns the pairs of an object parameter: JSON, or as it stands in a URL without its name. */
function readPairs(text) {
  if (text.trimStart().startsWith('{')) {
    return Object.entries(JSON.parse(text)).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value),
    ]);
  }
  return text.split('&').map((pair) => {
    const [key, ...value] = pair.split('=');
    return [key.trim(), value.join('=')];
  });
}

/** Appends an object parameter in brackets: `q[name_cont]=mug`. */
function appendObject(query, name, text) {
  for (const [key, value] of readPairs(text)) {
    const place = key.startsWith(`${name}[`) ? key : `${name}[${key}]`;
    query.push(
      `${encodeURIComponent(place).replaceAll('%5B', '[').replaceAll('%5D', ']')}=${encodeURIComponent(value)}`,
    );
  }
}

function buildRequest(form) {
  let path = form.dataset.path;
  const query = [];
  for (const field of all('input', form)) {
    const { name, value } = field;
    if (field.dataset.in === 'path')
      path = path.replace(`{${name}}`, value === '' ? `{${name}}` : encodeURIComponent(value));
    else if (value === '') continue;
    else if (field.dataset.style === 'deepObject') appendObject(query, name, value);
    else if (field.dataset.type === 'array')
      for (const entry of value.split(',')) query.push(`${name}=${encodeURIComponent(entry.trim())}`);
    else query.push(`${name}=${encodeURIComponent(value)}`);
  }
  const method = form.dataset.method.toUpperCase();
  const { token = '', orderToken = '' } = readTokens();
  const body = form.elements.body?.value.trim() ?? '';
  const headers = {
    ...(token !== '' && { 'X-Store-Token': token }),
    ...(orderToken !== '' && { 'X-Order-Token': orderToken }),
    ...(body !== '' && { 'Content-Type': 'application/json' }),
  };
  return {
    method,
    url: path + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers,
    body: body === '' ? undefined : body,
  };
}

function tryToBuild(form) {
  try {
    return buildRequest(form);
  } catch (error) {
    return { problem: `A parameter is no valid JSON: ${error.message}` };
  }
}

function showUrl(form) {
  const { method, url, problem } = tryToBuild(form);
  one('.url code', form).textContent = problem ?? `${method} ${decodeURI(url)}`;
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function toCurl({ method, url, headers, body }) {
  const parts = [`curl -g ${method === 'GET' ? '' : `-X ${method} `}${quote(location.origin + url)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`-d ${quote(body)}`);
  return parts.join(' \\\n  ');
}

const SHOWN_HEADERS = [
  'X-Error-Code',
  'X-Error-Hint',
  'X-Ignored-Parameters',
  'X-Ignored-Conditions',
  'X-Total-Count',
  'Allow',
];

async function send(form) {
  const result = one('.result', form);
  const { problem, method, url, headers, body } = tryToBuild(form);
  const line = document.createElement('p');
  line.className = 'status';
  result.replaceChildren(line);
  line.textContent = problem ?? 'Sending ...';
  if (problem !== undefined) return;
  const begun = performance.now();
  try {
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    const { status, statusText, ok } = response;
    line.textContent = `${status} ${statusText} in ${Math.round(performance.now() - begun)} ms`;
    line.classList.toggle('is-error', !ok);
    for (const name of SHOWN_HEADERS) {
      const value = response.headers.get(name);
      if (value === null) continue;
      const header = document.createElement('p');
      header.className = 'note';
      header.textContent = `${name}: ${value}`;
      result.append(header);
    }
    if (text === '') return;
    const shown = document.createElement('pre');
    shown.tabIndex = 0;
    shown.textContent = isJson(response) ? JSON.stringify(JSON.parse(text), null, 2) : text.slice(0, 20_000);
    result.append(shown);
  } catch (error) {
    line.textContent = `No response: ${error.message}`;
    line.classList.add('is-error');
  }
}

const isJson = (response) => (response.headers.get('Content-Type') ?? '').includes('json');

for (const form of all('form.try')) {
  form.addEventListener('input', () => showUrl(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  one('.curl', form).addEventListener('click', (event) => {
    const request = tryToBuild(form);
    if (request.problem === undefined) void copy(toCurl(request), event.target);
  });
  for (const button of all('.example', form)) {
    button.addEventListener('click', () => {
      const field = document.getElementById(button.dataset.for);
      field.value = field.placeholder;
      showUrl(form);
    });
  }
  showUrl(form);
}
