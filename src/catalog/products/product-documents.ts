import type { Db } from '../../platform/database/knex';
import { cacheReads } from '../../platform/metrics/metrics';
import { createRevisionMemory } from '../../platform/revision-memory';
import { JsonText } from '../../platform/http/json-text';
import type { Audience } from '../audience';
import { loadProductGraphs } from '../product-graph';
import { parseStock, type ProductSnapshot } from '../product-queries/product-snapshots.repository';
import { buildProductTemplate, fillProductTemplate, type ProductTemplate } from './product-template';

/** The JSON of products, kept for their versions (docs/decisions/0002-reply-cache.md). */
export interface ProductDocuments {
  /**
   * Returns the JSON of the products with these snapshots, in order, without those that were deleted since the snapshots were
   * read. It is never older than the snapshot. Products whose JSON is not kept are loaded together, in a constant number
   * of queries.
   */
  render(db: Db, snapshots: readonly ProductSnapshot[], audience: Audience): Promise<JsonText[]>;
}

/** A template, and the last stock that it was filled with. */
interface Kept {
  template: ProductTemplate;
  filled?: { stock: string; json: JsonText };
}

/** The pieces, the filled bytes and their compressed form. */
const COPIES = 2.5;

const MAX_BYTES = 64 * 1024 * 1024;

/** What a piece of text costs besides its length. */
const BYTES_PER_PIECE = 64;

/** Creates empty documents, for one database. */
export function createProductDocuments(): ProductDocuments {
  const kept = createRevisionMemory<Kept>({
    maxSize: MAX_BYTES,
    sizeOf: ({ template }) =>
      Math.ceil(COPIES * template.length) + BYTES_PER_PIECE * (template.pieces.length + 10),
  });

  /** Loads what is not kept. Returns the JSON by product id. */
  const load = async (db: Db, snapshots: readonly ProductSnapshot[], audience: Audience) => {
    const graphs = await loadProductGraphs(
      db,
      snapshots.map(({ id }) => id),
    );
    const versions = new Map(snapshots.map(({ id, version }) => [id, version]));
    return new Map(
      graphs.map((graph) => {
        const { id, version } = graph.product;
        const expected = versions.get(id);
        const { text, template } = buildProductTemplate(graph, audience);
        // A transaction may still roll back what it shows. A newer product is kept at the next request.
        if (db.isTransaction !== true && expected?.startsWith(`${version} `) === true)
          kept.keepFor(expected, keyOf(id, audience), { template });
        return [id, new JsonText([Buffer.from(text)])];
      }),
    );
  };

  const find = (snapshot: ProductSnapshot, audience: Audience): JsonText | null => {
    const found = kept.find(keyOf(snapshot.id, audience), snapshot.version);
    if (found === undefined) return null;
    if (found.filled?.stock === snapshot.stock) return found.filled.json;
    const text = fillProductTemplate(found.template, parseStock(snapshot.stock));
    if (text === null) return null;
    found.filled = { stock: snapshot.stock, json: new JsonText([Buffer.from(text)]) };
    return found.filled.json;
  };

  return {
    async render(db, snapshots, audience) {
      const found = snapshots.map((snapshot) => find(snapshot, audience));
      const missing = snapshots.filter((_snapshot, index) => found[index] === null);
      cacheReads.inc({ cache: 'products', result: 'miss' }, missing.length);
      cacheReads.inc({ cache: 'products', result: 'hit' }, snapshots.length - missing.length);
      const loaded = missing.length === 0 ? null : await load(db, missing, audience);
      return snapshots.flatMap(({ id }, index) => found[index] ?? loaded?.get(id) ?? []);
    },
  };
}

const keyOf = (id: number, audience: Audience): string => `${audience} ${id}`;
