import { capturesOf, type Glob } from './glob.ts';

/** The first pattern that fits a text, and what its stars stand for. */
export interface Fit<Item> {
  readonly item: Item;
  readonly captures: readonly string[];
}

/** A literal of a pattern, and where in the text it has to stand. */
interface Piece {
  readonly where: 'start' | 'middle' | 'end';
  readonly literal: string;
  /** Both, to count by. */
  readonly key: string;
}

/** A pattern among many, its place in their order, and the piece by which it is found. */
interface Placed<Item> {
  readonly item: Item;
  readonly glob: Glob;
  readonly rank: number;
  readonly piece: Piece;
}

/** Patterns by the literal of their piece, and these by their lengths. */
type ByLiteral<Item> = ReadonlyMap<number, ReadonlyMap<string, readonly Placed<Item>[]>>;

/** So many are tried one after the other. */
const FEW = 8;

const firstOf = <Item extends { readonly glob: Glob }>(
  items: readonly Item[],
  text: string,
): Fit<Item> | undefined => {
  for (const item of items) {
    const captures = capturesOf(item.glob, text);
    if (captures !== undefined) return { item, captures };
  }
  return undefined;
};

/**
 * Of many patterns the first that fits a text. Each is looked up by that piece of it which the fewest others have, so that of
 * thousands only a few are tried.
 */
export const firstFit = <Item extends { readonly glob: Glob }>(
  items: readonly Item[],
): ((text: string) => Fit<Item> | undefined) => {
  if (items.length <= FEW) return (text) => firstOf(items, text);
  const placed = placedBy(items);
  const [starts, middles, ends] = (['start', 'middle', 'end'] as const).map((where) =>
    byLiteral(placed.filter(({ piece }) => piece.where === where)),
  );
  return (text) => {
    let best: { readonly rank: number; readonly fit: Fit<Item> } | undefined;
    const tryAll = (some: readonly Placed<Item>[] = []): void => {
      for (const { item, glob, rank } of some) {
        if (best !== undefined && best.rank < rank) return;
        const captures = capturesOf(glob, text);
        if (captures !== undefined) best = { rank, fit: { item, captures } };
      }
    };
    for (const [length, patterns] of starts ?? []) tryAll(patterns.get(text.slice(0, length)));
    for (const [length, patterns] of ends ?? [])
      tryAll(patterns.get(text.slice(Math.max(0, text.length - length))));
    for (const [length, patterns] of middles ?? [])
      for (let at = 0; at + length <= text.length; at += 1) tryAll(patterns.get(text.slice(at, at + length)));
    return best?.fit;
  };
};

const piecesOf = (glob: Glob): readonly Piece[] =>
  glob.map((literal, place) => {
    const where = place === 0 ? 'start' : place === glob.length - 1 ? 'end' : 'middle';
    return { where, literal, key: where + literal };
  });

const NO_PIECE: Piece = { where: 'start', literal: '', key: '' };

const placedBy = <Item extends { readonly glob: Glob }>(items: readonly Item[]): readonly Placed<Item>[] => {
  const counts = new Map<string, number>();
  const pieces = items.map(({ glob }) => piecesOf(glob));
  for (const some of pieces) for (const { key } of some) counts.set(key, (counts.get(key) ?? 0) + 1);
  /** Pieces in the middle are looked for at every place. */
  const priceOf = (piece: Piece): number =>
    2 * (counts.get(piece.key) ?? 0) + (piece.where === 'middle' ? 1 : 0);
  return items.map((item, rank) => {
    let cheapest = { price: Infinity, piece: NO_PIECE };
    for (const piece of pieces[rank] ?? []) {
      const price = priceOf(piece);
      if (price < cheapest.price) cheapest = { price, piece };
    }
    return { item, glob: item.glob, rank, piece: cheapest.piece };
  });
};

const byLiteral = <Item>(placed: readonly Placed<Item>[]): ByLiteral<Item> =>
  new Map(
    [...Map.groupBy(placed, ({ piece }) => piece.literal.length)].map(([length, some]) => [
      length,
      Map.groupBy(some, ({ piece }) => piece.literal),
    ]),
  );
