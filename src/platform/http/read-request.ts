import { INVALID, InvalidResource, NotFound, type FieldErrors } from '../errors';
import { parseFeedStart, type FeedPosition } from '../query-builder/feed';
import { parseListQuery, type ListQuery } from '../query-builder/list-query';
import type { CredentialNames } from './credentials';
import type { Endpoint, EndpointRequest } from './endpoint';
import { toFieldErrors } from './field-errors';
import { findIgnoredParameters } from './ignored-parameters';
import { isRecord, mergeParameters, type Parameters } from '../parameters';
import type { UploadedFile } from './upload';

/** What a request is read from. */
export interface RequestSources {
  /** The parameters of query and body. */
  given: Parameters;
  path: Parameters;
  file: UploadedFile | null;
  /** Whether the caller may send fields and conditions that are for admins only. */
  isAdmin: boolean;
  credentials: CredentialNames;
  /** Whether unknown parameters are refused instead of ignored. */
  isStrict: boolean;
}

/** A request as its endpoint's `handle` receives it. */
export interface ReadRequest extends EndpointRequest<never, never, never> {
  /** Dotted paths of the parameters that were ignored, and of those whose value is not valid for a list. */
  ignored: string[];
  /** Where the page of a feed begins; null for a page by number. `list.feed` needs the horizon too. */
  feedStart: FeedPosition | null;
}

/**
 * Validates a request against the schemas of its endpoint.
 * @throws NotFound for path parameters that no record can have; InvalidResource, unless the endpoint's `subject` throws
 */
export async function readRequest<Ctx, Access extends string>(
  endpoint: Endpoint<Ctx, Access>,
  ctx: Ctx,
  { given, path, file, isAdmin, credentials, isStrict }: RequestSources,
): Promise<ReadRequest> {
  const parameters = mergeParameters(given, {}, path);
  const params = endpoint.params?.safeParse(path);
  if (params?.success === false) throw new NotFound();
  const wrapper =
    endpoint.input !== undefined && 'wrapper' in endpoint.input ? String(endpoint.input.wrapper) : undefined;
  const input = endpoint.input?.safeParse(parameters);
  const query = endpoint.query?.safeParse(parameters);
  const issues = [...(input?.error?.issues ?? []), ...(query?.error?.issues ?? [])];
  const list = parseListQuery(parameters, endpoint.search ?? NO_SEARCH, isAdmin);
  const feed = endpoint.feed === true ? parseFeedStart(parameters) : NO_FEED;
  const unknownNames = findIgnoredParameters(endpoint, given, { isAdmin, inPath: path, credentials });
  const unreadable = endpoint.search === undefined ? [] : list.unreadable;
  const unknown = isStrict ? findRejectedParameters(unknownNames, list, parameters) : {};
  const errors = { ...unknown, ...feed.errors, ...toFieldErrors(issues, wrapper) };
  if (Object.keys(errors).length > 0) {
    await endpoint.subject?.(ctx, params?.data);
    const refusal = new InvalidResource(errors);
    if (wrapper === undefined && isNested(given, errors)) throw refusal.withHint(NOT_NESTED);
    if (wrapper === undefined || isRecord(given[wrapper])) throw refusal;
    throw refusal.withHint(`The attributes are sent in a record named "${wrapper}".`);
  }
  return {
    // Each was checked against the schema the handler's types come from; see `endpoint`.
    params: params?.data as never,
    query: query?.data as never,
    input: input?.data as never,
    list,
    file,
    ignored: [...unknownNames, ...unreadable],
    feedStart: feed.start,
  };
}

const NOT_NESTED = 'The attributes are sent at the top of the body, not in a record.';

/** Whether a record within the parameters has an attribute that is missing beside it. */
const isNested = (given: Parameters, errors: object): boolean =>
  Object.values(given).some(
    (value) => isRecord(value) && Object.keys(errors).some((name) => Object.hasOwn(value, name)),
  );

const NO_FEED = { start: null, errors: {} };
const NO_SEARCH = { table: '', attributes: {}, baseOrder: [] };

/** Builds the errors of a strict request. */
function findRejectedParameters(
  unknown: readonly string[],
  list: Pick<ListQuery, 'ignored' | 'unreadable'>,
  { q }: Parameters,
): FieldErrors {
  const conditions = list.ignored.map((name) => (isRecord(q) && name in q ? `q.${name}` : 'q.s'));
  const errors: FieldErrors = {};
  for (const path of [...unknown, ...conditions]) errors[path] = ['is not a known parameter'];
  for (const path of list.unreadable) errors[path] = [INVALID];
  return errors;
}
