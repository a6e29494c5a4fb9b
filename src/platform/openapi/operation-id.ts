/** Path segments in place of an id: they select a part of a collection, or one record. */
const SELECTIONS: Record<string, { many: boolean; name: string }> = {
  mine: { many: true, name: 'Own' },
  current: { many: false, name: 'Current' },
  me: { many: false, name: 'Current' },
};

const VERBS: Record<string, string> = {
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};

/** Records of which a parent has one, so that their name is singular. They are not actions. */
const SINGLE_RECORDS: ReadonlySet<string> = new Set(['two_factor']);

/** Actions with a preposition before the record. */
const ACTIONS: Record<string, string> = {
  add: 'addTo',
  remove: 'removeFrom',
  logo: 'changeLogoOf',
  retry: 'retryUndeliveredMails',
};

/**
 * Builds the id of an operation, which generated clients use as its name: `listProducts`, `getProductVariant`,
 * `captureOrderPayment`. It depends only on method and path. A test checks that ids are unique.
 */
export function buildOperationId(method: string, path: string): string {
  const extension = /\.(\w+)$/.exec(path)?.[1];
  if (extension !== undefined) {
    return buildOperationId(method, path.slice(0, -extension.length - 1)) + toPascalCase(extension);
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  const named = segments.filter((segment) => !segment.startsWith(':'));
  const verb = VERBS[method] ?? method;
  if (last.startsWith(':') || named.length === 1) {
    const lists = method === 'get' && last === named[0] && isPlural(last);
    return lists ? `list${toPascalCase(last)}` : `${verb}${nameRecord(named)}`;
  }
  const owners = named.slice(0, -1);
  const selection = SELECTIONS[last];
  if (last === 'new') return `describeNew${nameRecord(owners)}`;
  if (selection !== undefined) return nameSelection({ ...selection, verb }, owners);
  if (SINGLE_RECORDS.has(last)) return `${verb}${nameRecord(named)}`;
  if (!isPlural(last))
    return nameAction({ method, verb }, last, { owners, ofOne: segments.at(-2) !== owners.at(-1) });
  return method === 'get' ? `list${nameRecord(owners)}${toPascalCase(last)}` : `${verb}${nameRecord(named)}`;
}

function nameSelection(
  { many, name, verb }: { many: boolean; name: string; verb: string },
  owners: string[],
): string {
  return many ? `list${name}${toPascalCase(owners.at(-1) ?? '')}` : `${verb}${name}${nameRecord(owners)}`;
}

/** Names an action: `cancelOrder` for `/orders/:number/cancel`, `getOrderHistory` for a GET, `deleteStoreLogo` for a DELETE. */
function nameAction(
  { method, verb }: { method: string; verb: string },
  action: string,
  { owners, ofOne }: { owners: string[]; ofOne: boolean },
): string {
  if (method === 'get' || method === 'delete') return `${verb}${nameRecord(owners)}${toPascalCase(action)}`;
  const words = toPascalCase(ACTIONS[action] ?? action);
  const name = ofOne ? `${words}${nameRecord(owners)}` : words;
  return method === 'patch' ? `patch${name}` : `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** Names a record of the last collection by all collections of the path. */
function nameRecord(collections: string[]): string {
  return collections.map((word) => toPascalCase(toSingular(word))).join('');
}

function isPlural(word: string): boolean {
  return word.endsWith('s') && !word.endsWith('ss');
}

function toPascalCase(words: string): string {
  return words
    .split(/[_.]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function toSingular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return isPlural(word) ? word.slice(0, -1) : word;
}
