/** A value of a figure with its labels, whose values must be few. */
export interface FigureValue {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** A figure that is read from a database, and is the same on all instances. */
export interface Figure {
  name: string;
  help: string;
  /** Defaults to `gauge`. */
  type?: 'gauge' | 'counter';
  values: FigureValue[];
}

/** Builds a figure with one value. */
export function buildFigure(name: string, help: string, value: number): Figure {
  return { name, help, values: [{ labels: {}, value }] };
}

/** Reads related figures. @throws any error of the database */
export type FigureSource = () => Promise<Figure[]>;

const MIN_AGE_MS = 5_000;

/** A source may use this share of the time of a connection. */
const SHARE = 0.02;

/**
 * Creates a source that repeats what it has read for some seconds: the longer reading took, the longer. Concurrent calls share
 * one read. A failure is repeated as well.
 */
export function keepFigures(read: FigureSource, now: () => number = () => performance.now()): FigureSource {
  let kept: Promise<Figure[]> | null = null;
  let validUntil = 0;
  const readNow = async (): Promise<Figure[]> => {
    const started = now();
    validUntil = Infinity;
    try {
      return await read();
    } finally {
      const ended = now();
      validUntil = ended + Math.max(MIN_AGE_MS, (ended - started) / SHARE);
    }
  };
  return () => {
    if (kept === null || now() >= validUntil) kept = readNow();
    return kept;
  };
}

/** Reads all sources. @returns the figures of those that succeeded, and the errors of the others */
export async function readFigures(
  sources: readonly FigureSource[],
): Promise<{ figures: Figure[]; errors: unknown[] }> {
  const results = await Promise.allSettled(sources.map((read) => read()));
  return {
    figures: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    // Reasons are declared as any.
    errors: results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
  };
}
