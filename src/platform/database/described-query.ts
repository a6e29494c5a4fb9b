import { Query } from 'pg';

/** A column of a result, as PostgreSQL describes it. */
interface Field {
  name: string;
  dataTypeID: number;
  format: string;
}

/** The connection that pg passes to a query, which writes its messages to it. */
interface Wire {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(message: object): void;
  bind(message: object): void;
  describe(message: object): void;
  execute(message: object): void;
  close(message: object): void;
  sync(): void;
}

/** A value as PostgreSQL sends it. */
type Sent = string | null;

/** What pg calls on a query in progress; its type declarations lack these members. */
interface QueryInternals {
  name: string | undefined;
  _result: Description & { parseRow: RowBuilder };
  _accumulateRows: boolean;
  prepare(wire: Wire): void;
  handleRowDescription(message: { fields: Field[] }): void;
}

/** The columns of a result with the functions that parse their values. */
interface Description {
  fields: Field[];
  _parsers: ((value: string) => unknown)[];
}

type RowBuilder = (values: readonly Sent[]) => object;

type Callback = (error: Error | null | undefined, result?: unknown) => void;

/** The query of pg, constructed from a text: it would copy the property descriptors of an object. */
// The members above are not declared.
export const TextQuery = Query as unknown as new (
  text: string,
  values: unknown[] | undefined,
  callback: Callback,
) => QueryInternals;

/** The columns of the prepared statements of one connection, by name. */
export type Descriptions = Map<string, { columns: Description; buildRow: RowBuilder }>;

/**
 * A prepared statement whose columns are requested at its first use only. PostgreSQL does not change them: it refuses
 * the statement instead. Reading the description of the 60 columns of an order takes longer than reading its row.
 */
export class DescribedQuery extends TextQuery {
  constructor(
    { text, name, values }: { text: string; name: string; values: unknown[] | undefined },
    callback: Callback,
    private readonly descriptions: Descriptions,
  ) {
    super(text, values, callback);
    this.name = name;
  }

  override prepare(wire: Wire): void {
    const described = this.name === undefined ? undefined : this.descriptions.get(this.name);
    if (described === undefined) return super.prepare(wire);
    this._result.fields = described.columns.fields;
    this._result._parsers = described.columns._parsers;
    this._result.parseRow = described.buildRow;
    this._accumulateRows = true;
    super.prepare(new WireWithoutDescribe(wire));
  }

  override handleRowDescription(message: { fields: Field[] }): void {
    super.handleRowDescription(message);
    const { fields, _parsers } = this._result;
    if (this.name === undefined) return;
    const buildRow = createRowBuilder({ fields, _parsers });
    this.descriptions.set(this.name, { columns: { fields, _parsers }, buildRow });
  }
}

/**
 * Passes the messages of a query on, except for `describe`. It is no prototype of the connection, whose properties would
 * become slow to read.
 */
class WireWithoutDescribe implements Wire {
  constructor(private readonly wire: Wire) {}

  get parsedStatements() {
    return this.wire.parsedStatements;
  }

  get submittedNamedStatements() {
    return this.wire.submittedNamedStatements;
  }

  parse(message: object): void {
    this.wire.parse(message);
  }

  bind(message: object): void {
    this.wire.bind(message);
  }

  describe(): void {}

  execute(message: object): void {
    this.wire.execute(message);
  }

  close(message: object): void {
    this.wire.close(message);
  }

  sync(): void {
    this.wire.sync();
  }
}

/**
 * Creates the function that builds the rows of a statement from an object literal with its columns. V8 creates such an object at
 * once and adds properties to it quickly; those of pg, whose columns are added one by one, take 6 µs for an order. The
 * generated code contains the names of the columns as string literals, and nothing else of the statement.
 */
function createRowBuilder({ fields, _parsers }: Description): RowBuilder {
  const columns = fields.map(
    ({ name }, place) =>
      `${JSON.stringify(name)}: values[${place}] === null ? null : parsers[${place}](values[${place}])`,
  );
  const code = `return (values) => ({ ${columns.join(', ')} })`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- see above
  const create = compiled.get(code) ?? (new Function('parsers', code) as CompiledBuilder); // what the code does
  compiled.set(code, create);
  return create(_parsers);
}

type CompiledBuilder = (parsers: Description['_parsers']) => RowBuilder;

/** The compiled code of row builders, which the connections share. */
const compiled = new Map<string, CompiledBuilder>();
