import { TransitionRefused, type FieldErrors } from './errors';
import { isRefused, type Decision, type Machine } from './state-machine';

declare const decidedBrand: unique symbol;

/**
 * A state that a machine decided on. Functions that write a state column accept nothing else, and only this file
 * creates these values, so code that bypasses the machine does not compile.
 */
export type Decided<State extends string> = State & { readonly [decidedBrand]: true };

/** What `write` returns for one subject, besides what its effects have changed. */
export interface Move<State extends string, Call> {
  /** Null if the state does not change. Columns set by the effects must be stored anyway. */
  to: Decided<State> | null;
  /** The external call to make after the commit; null if there is none. */
  call: Call | null;
}

/**
 * A machine and the effects that it names. `Subject` is the record, the facts that the effects need, and what they change. Effects
 * change nothing else and read nothing: `write` returns what is to be stored of a subject, with its state and history.
 */
export interface Performer<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
  Subject,
  Written,
> {
  machine: Machine<State, Event, Facts, Effect, Call>;
  read(subject: Subject): { state: State; facts: Facts };
  effects: Record<Effect, (subject: Subject) => void>;
  write(subject: Subject, move: Move<State, Call>): Written;
}

/** The performer of a machine, its other types inferred. */
export type PerformerOf<M, Subject, Written> =
  M extends Machine<infer State, infer Event, infer Facts, infer Effect, infer Call>
    ? Performer<State, Event, Facts, Effect, Call, Subject, Written>
    : never;

/** How an event ended. */
export type Ending<Call, Written> =
  /** The event changes nothing. */
  | { ended: 'unchanged' }
  /** A guard failed. `written` is null unless the refusal has effects (`orElse`), which must be committed. */
  | { ended: 'refused'; errors: FieldErrors; written: Written | null }
  /** The effects ran; store what was written. It may be the same state. */
  | { ended: 'moved'; written: Written }
  | CallEnding<Call, Written>;

/** The preparation of an external call was written. Commit, make the call, then `finish`. */
type CallEnding<Call, Written> = [Call] extends [never]
  ? never
  : { ended: 'calls'; call: Call; written: Written };

/**
 * Performs an event: decides by the machine, runs the effects in order, and returns what to store. Performers ask for locked
 * records in the type of their subject. The transaction must also be committed if the event was refused and something
 * was written.
 */
export function perform<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
  Subject,
  Written,
>(
  performer: Performer<State, Event, Facts, Effect, Call, Subject, Written>,
  event: Event,
  subject: Subject,
): Ending<Call, Written> {
  const { state, facts } = performer.read(subject);
  const decision = performer.machine.decide(state, event, facts);
  const plan = buildPlan<State, Effect, Call>(decision);
  runEffects(performer, plan.before, subject);
  const written = plan.move === null ? null : performer.write(subject, plan.move);
  runEffects(performer, plan.after, subject);
  return buildEnding(decision, written);
}

/**
 * Records the result of a call that `perform` prepared: runs the effects of its row for an approved or a declined call
 * and returns what to store. `result` identifies the row; guards are not evaluated again. Lock the subject again.
 */
export function finish<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
  Subject,
  Written,
>(
  performer: Omit<Performer<State, Event, Facts, Effect, Call, Subject, Written>, 'read'>,
  result: { from: State; event: Event; call: Call; approved: boolean },
  subject: Subject,
): Written {
  const row = performer.machine.getCalled(result.from, result.event, result.call);
  const to = result.approved ? row.to : row.refusedTo;
  runEffects(performer, result.approved ? row.then : row.undo, subject);
  return performer.write(subject, buildMove(row.through, to));
}

/**
 * Calculates a state that depends on other columns and is recalculated after every change. Pure; the caller writes it.
 * @throws Error if the table refuses the event, or if its row has effects or a call
 */
export function deriveState<State extends string, Event extends string, Facts>(
  machine: Machine<State, Event, Facts, string, string>,
  event: Event,
  state: State,
  facts: Facts,
): Decided<State> {
  const decision = machine.decide(state, event, facts);
  const isDerived =
    !isRefused(decision) && decision.calls === null && [...decision.then, ...decision.after].length === 0;
  if (!isDerived) throw new Error(`${event} in state ${state} is not a derived transition`);
  return markDecided(decision.to);
}

/** Returns the ending of an event that was not refused. @throws TransitionRefused, which rolls back the transaction */
export function throwIfRefused<E extends { ended: string }>(
  ending: E | { ended: 'refused'; errors: FieldErrors },
): Exclude<E, { ended: 'refused' }> {
  if (isRefusal(ending)) throw new TransitionRefused(ending.errors);
  // Everything except a refusal is one of the other endings.
  return ending as Exclude<E, { ended: 'refused' }>;
}

function isRefusal(ending: { ended: string }): ending is { ended: 'refused'; errors: FieldErrors } {
  return ending.ended === 'refused';
}

/** Effects before and after the write, and the write itself; `move` is null if there is nothing to write. */
interface Plan<State extends string, Effect, Call> {
  before: readonly Effect[];
  move: Move<State, Call> | null;
  after: readonly Effect[];
}

function buildPlan<State extends string, Effect, Call>(
  decision: Decision<State, Effect, Call>,
): Plan<State, Effect, Call> {
  if (isRefused(decision)) {
    const { orElse } = decision;
    return { before: orElse, move: orElse.length === 0 ? null : { to: null, call: null }, after: [] };
  }
  const { from, to, through, calls, then, prepare, after, isNoOp } = decision;
  if (isNoOp) return { before: [], move: null, after: [] };
  if (calls === null) return { before: then, move: buildMove(from, to), after };
  return { before: prepare, move: { ...buildMove(from, through), call: calls }, after };
}

function buildEnding<State, Effect, Call, Written>(
  decision: Decision<State, Effect, Call>,
  written: Written | null,
): Ending<Call, Written> {
  if (isRefused(decision)) return { ended: 'refused', errors: decision.refused, written };
  if (decision.isNoOp) return { ended: 'unchanged' };
  // Both plans have a move, so they were written.
  const result = written as Written;
  // For a machine without calls, neither `Ending` nor its decisions have calls.
  return decision.calls === null
    ? { ended: 'moved', written: result }
    : ({ ended: 'calls', call: decision.calls, written: result } as Ending<Call, Written>);
}

function runEffects<Effect extends string, Subject>(
  { effects }: { effects: Record<Effect, (subject: Subject) => void> },
  names: readonly Effect[],
  subject: Subject,
): void {
  for (const name of names) effects[name](subject);
}

function buildMove<State extends string>(from: State, to: State): Move<State, never> {
  return { to: to === from ? null : markDecided(to), call: null };
}

/** Marks a state as decided. Only this file may do so. */
function markDecided<State extends string>(state: State): Decided<State> {
  return state as Decided<State>;
}
