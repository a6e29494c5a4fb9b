import type { Route } from '../http/endpoint';

/** What only people can tell of the API, set beside what the code tells of it. */
export interface ApiReference {
  title: string;
  /** The credentials clients may send, by the names that `access` uses. */
  securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** For each access that endpoints declare: which credentials help, and who may call. */
  access: Readonly<Record<string, AccessText>>;
  /** The page's introduction, in Markdown. */
  introduction: string;
  /** The headings, in the order a reader meets them: every router's tag, and what it is about. */
  tags: readonly { name: string; description: string }[];
  /** What a parameter means wherever its schema does not say. */
  parameters: { path: Readonly<Record<string, string>>; query: Readonly<Record<string, string>> };
  /** Which records the examples name. */
  parameterExamples: {
    /** By the path up to the parameter, `/products/:product_id/variants/:id`. */
    places: Readonly<Record<string, ParameterExample>>;
    /** By name, where the record of a route has to be another. */
    routes: Partial<Record<Route, Readonly<Record<string, ParameterExample>>>>;
    /** Parameters of the query worth giving at once: the route answers nothing without, or does too much. */
    queries: Partial<Record<Route, Readonly<Record<string, ParameterExample>>>>;
    /** Routes whose example asks for what the example of another route makes. */
    madeBy: Partial<Record<Route, Route>>;
  };
  /** A body a client would send. */
  requestExamples: Partial<Record<Route, unknown>>;
  /** A record as it is answered, by the id of its schema. */
  replyExamples: Readonly<Record<string, unknown>>;
  /** Statuses that only this endpoint answers with. */
  rareRefusals: Partial<Record<Route, readonly RareStatus[]>>;
}

/** A header that carries a credential. */
export type SecurityScheme = {
  type: 'apiKey';
  in: 'header';
  name: string;
  description: string;
};

/** How the document describes who may call an endpoint. */
export interface AccessText {
  /** The schemes of which one is needed; `{}` is none. */
  security: readonly Record<string, string[]>[];
  words: string;
  /** Whether the refusal is 404, even at paths without a parameter. */
  hidesRecord?: true;
}

export type ParameterExample = string | number;

export type RareStatus = 403 | 429;
