/** A count at a moment, in unix seconds. */
export interface Counted {
  readonly at: number;
  readonly value: number;
}

/** The sums over equal pieces of a span (unix seconds, both inclusive), for the small line beside a number. */
export const piecesOf = (
  counted: readonly Counted[],
  span: { readonly from: number; readonly to: number },
  count: number,
): number[] => {
  const pieces = Array.from({ length: count }, () => 0);
  for (const { at, value } of counted) {
    const wanted = Math.floor(((at - span.from) / (span.to + 1 - span.from)) * count);
    const place = Math.min(count - 1, Math.max(0, wanted));
    pieces[place] = (pieces[place] ?? 0) + value;
  }
  return pieces;
};
