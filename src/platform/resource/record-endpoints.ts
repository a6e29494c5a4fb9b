import { z } from 'zod';
import { AttributeListJson, type AttributeList } from '../http/attribute-list';
import { endpoint, type EndpointRequest, type Router } from '../http/endpoint';
import { PathId } from '../http/path-parameters';
import { pickFields, pickRecordFields } from '../http/reply-fields';
import type { ReplySource } from '../http/reply-cache';
import type { SearchDefinition } from '../query-builder/define-search';
import { mapPage, type Page } from '../query-builder/page';

type Parent = z.ZodObject | undefined;
type Query = z.ZodObject | undefined;
type Member<P extends Parent, Id extends z.ZodType> = z.ZodType<
  (P extends z.ZodObject ? z.output<P> : unknown) & { id: z.output<Id> }
>;
type Params<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What one of the endpoints has of its own. */
interface Texts {
  summary: string;
  description?: string;
}

interface List<Ctx, S, Q extends Query, Row> extends Texts {
  query?: Q | undefined;
  search: SearchDefinition;
  feed?: true;
  /** The list is a bare array. */
  bare?: true;
  handle: (ctx: Ctx, request: EndpointRequest<S, Q, undefined>) => Promise<Page<Row>>;
}

interface Write<Ctx, S, Q extends Query, I extends z.ZodType, Row, Access> extends Texts {
  /** Defaults to that of the writes of all records. */
  access?: Access;
  query?: Q;
  input: I;
  /** As `upload` of endpoints. */
  upload?: string;
  /** As `subject` of endpoints; defaults to `parent` for create requests, to `get` for updates, or to `parent` without it. */
  subject?: (ctx: Ctx, params: Params<S>) => Promise<unknown>;
  handle: (ctx: Ctx, request: EndpointRequest<S, Q, I>) => Promise<Row>;
}

interface Action<Ctx, S, Q extends Query, I extends z.ZodType | undefined, Row> extends Texts {
  query?: Q;
  input?: I;
  /** What a token or a role must include for it. Defaults to the scope of writing the record. */
  scope?: `${string}:${'read' | 'write'}`;
  handle: (ctx: Ctx, request: EndpointRequest<S, Q, I>) => Promise<Row>;
}

/** Declares an action of a record, `PUT …/:id/name`. It checks and replies as an update. */
type DeclareAction<Ctx, S, Row> = <Q extends Query = undefined, I extends z.ZodType | undefined = undefined>(
  name: string,
  action: Action<Ctx, S, Q, I, Row>,
) => void;

interface Delete<Ctx, S, Q extends Query> extends Texts {
  query?: Q;
  handle: (ctx: Ctx, request: EndpointRequest<S, Q, undefined>) => Promise<void>;
}

interface Records<
  Ctx,
  Access,
  P extends Parent,
  Id extends z.ZodType,
  R extends z.ZodType,
  Row,
  ListQ extends Query,
  ReadQ extends Query,
  WriteQ extends Query,
  Create extends z.ZodType,
  Update extends z.ZodType,
> {
  /** The parameters of the path that name the parent. */
  params?: P;
  /** The schema of `:id`; defaults to an id. */
  id?: Id;
  /** `read` applies to the list, `/new` and the record, `write` to create, update and delete. */
  access: { read: Access; write: Access };
  /** Throws if the parent is missing, or the actor may not see it. */
  parent?: (ctx: Ctx, params: Params<P>) => Promise<unknown>;
  /** Reads the record. Without `query`, to find it before an error of the input is reported. */
  get?: (ctx: Ctx, params: z.output<Member<P, Id>>, query?: Params<ReadQ>) => Promise<NoInfer<Row>>;
  reply: R;
  serialize: (row: Row, ctx: Ctx) => z.output<R>;
  /** Caches the replies of the list and the record. */
  cache?: ReplySource<Ctx>;
  /** As `isAdminUncached` of endpoints, of the list and the record. */
  isAdminUncached?: true;
  private?: true;
  list?: List<Ctx, P, ListQ, NoInfer<Row>> | undefined;
  new?: Texts & { attributes: AttributeList };
  /** Needs `get`. `version`: as of endpoints. */
  show?: Texts & { query?: ReadQ; version?: (reply: z.output<R>) => string | undefined };
  create?: Write<Ctx, P, WriteQ, Create, NoInfer<Row>, NoInfer<Access>>;
  update?: Write<Ctx, Member<P, Id>, WriteQ, Update, NoInfer<Row>, NoInfer<Access>> & { status?: 201 };
  delete?: Delete<Ctx, Member<P, Id>, WriteQ>;
}

/**
 * Declares the endpoints of the records below `path`, which names their parents if they have any: list, `/new`, show,
 * create, update and delete, those that are given. All of them take the parameters of the parent, check who may call
 * them, look the parent or the record up before they report invalid input, and reply with the serialized record; with its
 * `fields` only, if the query of the list or the record has them.
 * @returns a function that declares actions of a record
 */
export function declareRecordEndpoints<
  Ctx,
  Access extends string,
  R extends z.ZodType,
  Row,
  P extends Parent = undefined,
  Id extends z.ZodType = typeof PathId,
  ListQ extends Query = undefined,
  ReadQ extends Query = undefined,
  WriteQ extends Query = undefined,
  Create extends z.ZodType = z.ZodType,
  Update extends z.ZodType = z.ZodType,
>(
  router: Router<Ctx, Access>,
  path: `/${string}`,
  spec: Records<NoInfer<Ctx>, NoInfer<Access>, P, Id, R, Row, ListQ, ReadQ, WriteQ, Create, Update>,
): DeclareAction<Ctx, Member<P, Id>, NoInfer<Row>> {
  // The signature checks the types; from here on, endpoints are declared without them.
  return declareUntyped(router, path, spec as unknown as Untyped<Ctx, Access>) as unknown as DeclareAction<
    Ctx,
    Member<P, Id>,
    NoInfer<Row>
  >;
}

type Untyped<Ctx, Access> = Records<
  Ctx,
  Access,
  z.ZodObject,
  z.ZodType,
  z.ZodType,
  unknown,
  Query,
  Query,
  Query,
  z.ZodType,
  z.ZodType
>;

function declareUntyped<Ctx, Access extends string>(
  router: Router<Ctx, Access>,
  path: `/${string}`,
  spec: Untyped<Ctx, Access>,
): (name: string, action: Action<Ctx, unknown, Query, z.ZodType, unknown>) => void {
  const { access, params, parent, get, reply, serialize, cache, list, show, create, update } = spec;
  const shared = spec.private ? { private: true as const } : {};
  const below = { ...shared, ...(params && { params }) };
  const member = { ...shared, params: z.object({ ...params?.shape, id: spec.id ?? PathId }) };
  const exists = get ?? parent;
  const { isAdminUncached } = spec;
  const read = {
    access: access.read,
    ...(cache && { cache }),
    ...(isAdminUncached && { isAdminUncached }),
  };
  const fieldsOf = (query: object | undefined) =>
    query !== undefined && 'fields' in query ? (query.fields as string[] | null) : null; // the schema `fields`
  const write = { access: access.write, reply };

  if (list !== undefined) {
    const { bare, handle, ...own } = list;
    endpoint(router, `get ${path}`, {
      ...read,
      ...below,
      ...own,
      paged: { key: path.slice(path.lastIndexOf('/') + 1), item: reply, ...(bare && { bare }) },
      handle: async (ctx, request) => {
        const page = mapPage(await handle(ctx, request), (row) => serialize(row, ctx));
        return pickFields(page, fieldsOf(request.query));
      },
    });
  }
  if (spec.new !== undefined) {
    const { attributes, ...texts } = spec.new;
    endpoint(router, `get ${path}/new`, {
      access: access.read,
      ...below,
      description: 'Returns the names of the attributes, for example to build a form.',
      ...texts,
      reply: AttributeListJson,
      handle: async (ctx, request) => {
        await parent?.(ctx, request.params);
        return attributes;
      },
    });
  }
  if (show !== undefined) {
    if (get === undefined) throw new Error(`${path}: \`show\` needs \`get\``);
    endpoint(router, `get ${path}/:id`, {
      ...read,
      ...member,
      ...show,
      reply,
      handle: async (ctx, request) => {
        const record = serialize(await get(ctx, request.params, request.query), ctx);
        return pickRecordFields(record, fieldsOf(request.query));
      },
    });
  }
  if (create !== undefined) {
    const { handle, ...own } = create;
    endpoint(router, `post ${path}`, {
      ...write,
      ...below,
      ...(parent && { subject: parent }),
      ...own,
      status: 201,
      handle: async (ctx, request) => serialize(await handle(ctx, request), ctx),
    });
  }
  if (update !== undefined) {
    const { handle, ...own } = update;
    endpoint(router, `put ${path}/:id`, {
      ...write,
      ...member,
      ...(exists && { subject: exists }),
      ...own,
      handle: async (ctx, request) => serialize(await handle(ctx, request), ctx),
    });
  }
  if (spec.delete !== undefined) {
    endpoint(router, `delete ${path}/:id`, { access: access.write, ...member, ...spec.delete, status: 204 });
  }
  return (name, { handle, ...own }) => {
    endpoint(router, `put ${path}/:id/${name}`, {
      ...write,
      ...member,
      ...(exists && { subject: exists }),
      ...own,
      handle: async (ctx, request) => serialize(await handle(ctx, request), ctx),
    });
  };
}
