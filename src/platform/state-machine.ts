import type { FieldErrors } from './errors';

/** A condition in domain terms (`checkBothAddresses`). Returns null if it holds, otherwise the error messages. */
export type Guard<Facts> = (facts: Facts) => FieldErrors | null;

/** The state of a row that does not change the state: `to: sameState`. */
export const sameState = Symbol('the same state');

/** One row of a transition table. Omitted fields mean none. */
export interface Row<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
> {
  from: State | readonly State[];
  on: Event;
  to: State | typeof sameState;
  /** Selects between rows for the same state and event: the first row whose `given` is true applies. */
  given?: (facts: Facts) => boolean;
  /** Guards in order; the first that returns errors refuses the event. `orElse` effects are then run and committed. */
  when?: readonly (Guard<Facts> | { guard: Guard<Facts>; orElse: readonly Effect[] })[];
  /** Effects in order. What they change is stored with the new state. */
  then?: readonly Effect[];
  /** Effects in order, for what follows in the same transaction once the new state (with `calls`: `through`) is stored. */
  after?: readonly Effect[];
  /** Only with `calls`. Effects that are committed with the state `through` before the external call. */
  prepare?: readonly Effect[];
  through?: State;
  /** The external call, made outside any transaction. */
  calls?: Call;
  /** Only with `calls`. Effects and the new state (default: the previous state) if the call is declined. */
  undo?: readonly Effect[];
  refusedTo?: State;
}

/** The event is allowed. Fields that the row omits are empty arrays, or null for `calls`. */
export interface Transition<State, Effect, Call> {
  from: State;
  to: State;
  then: readonly Effect[];
  after: readonly Effect[];
  prepare: readonly Effect[];
  /** The state to store while the call runs; defaults to `from`. */
  through: State;
  calls: Call | null;
  undo: readonly Effect[];
  /** The state to store if the call is declined. */
  refusedTo: State;
  /** True if the event changes nothing: same state, no effects, no call. Nothing is written. */
  isNoOp: boolean;
}

/** The event is refused with `refused`. Effects in `orElse`, usually none, are still run and committed. */
export interface Refusal<Effect> {
  refused: FieldErrors;
  orElse: readonly Effect[];
}

export type Decision<State, Effect, Call> = Transition<State, Effect, Call> | Refusal<Effect>;

export interface Machine<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
> {
  /** Decides what `event` does in `state`. Pure; `perform` runs the effects and stores the state. */
  decide(state: State, event: Event, facts: Facts): Decision<State, Effect, Call>;
  /**
   * Finds the transition whose call was made earlier. Guards are not evaluated again.
   * @throws Error if the table has no such row
   */
  getCalled(state: State, event: Event, call: Call): Transition<State, Effect, Call>;
  /** The table, for docs/state-machines.md and for tests. */
  rows: readonly Row<State, Event, Facts, Effect, Call>[];
}

/**
 * Creates a machine from its table. Events without a row for the state are refused with `refuse(state, event, facts)`,
 * by default `state: ["cannot transition via \"<event>\""]`.
 */
export function createMachine<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string = never,
  Call extends string = never,
>(
  rows: readonly Row<State, Event, Facts, Effect, Call>[],
  refuse: (state: State, event: Event, facts: Facts) => FieldErrors = (_state, event) =>
    buildTransitionErrors(event),
): Machine<State, Event, Facts, Effect, Call> {
  return {
    rows,
    decide(state, event, facts) {
      const row = rows.find((candidate) => isSelected(candidate, state, event, facts));
      if (!row) return { refused: refuse(state, event, facts), orElse: [] };
      for (const condition of row.when ?? []) {
        const { guard, orElse } =
          typeof condition === 'function' ? { guard: condition, orElse: [] } : condition;
        const refused = guard(facts);
        if (refused) return { refused, orElse };
      }
      return buildTransition(row, state);
    },
    getCalled(state, event, call) {
      const row = rows.find((candidate) => candidate.calls === call && matches(candidate, state, event));
      if (!row) throw new Error(`no row calls ${call} on ${event} in state ${state}`);
      return buildTransition(row, state);
    },
  };
}

/** Lists the states that the tables name, each once, in the order of the tables. */
export function listStates<State extends string>(
  ...tables: readonly (readonly Row<State, string, never, string, string>[])[]
): State[] {
  const states = new Set<State>();
  for (const row of tables.flat()) {
    for (const state of [...listFromStates(row), row.to, row.through, row.refusedTo]) {
      if (typeof state === 'string') states.add(state);
    }
  }
  return [...states];
}

/** Lists the states that a row applies to. */
export function listFromStates<State extends string>({
  from,
}: {
  from: State | readonly State[];
}): readonly State[] {
  return typeof from === 'string' ? [from] : from;
}

/** Returns the errors for an event that does not exist in the current state. */
export function buildTransitionErrors(event: string): FieldErrors {
  return { state: [`cannot transition via "${event}"`] };
}

/** Returns whether `decide` refused the event; narrows the decision. */
export function isRefused<State, Effect, Call>(
  decision: Decision<State, Effect, Call>,
): decision is Refusal<Effect> {
  return 'refused' in decision;
}

function isSelected<State extends string, Event extends string, Facts>(
  row: Pick<Row<State, Event, Facts, never, never>, 'from' | 'on' | 'given'>,
  state: State,
  event: Event,
  facts: Facts,
): boolean {
  return matches(row, state, event) && (row.given === undefined || row.given(facts));
}

function matches<State extends string, Event extends string>(
  row: Pick<Row<State, Event, never, never, never>, 'from' | 'on'>,
  state: State,
  event: Event,
): boolean {
  return row.on === event && listFromStates(row).includes(state);
}

function buildTransition<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
>(row: Row<State, Event, Facts, Effect, Call>, from: State): Transition<State, Effect, Call> {
  const to = row.to === sameState ? from : row.to;
  const { then = [], after = [], prepare = [], calls = null } = row;
  return {
    from,
    to,
    then,
    after,
    prepare,
    through: row.through ?? from,
    calls,
    undo: row.undo ?? [],
    refusedTo: row.refusedTo ?? from,
    isNoOp: to === from && calls === null && [...then, ...after, ...prepare].length === 0,
  };
}
