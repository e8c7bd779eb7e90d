import { monthOf } from '../wallet/statement.ts';
import { type ListName, partLine } from './lines.ts';
import { HASHES_AT_ONCE, leafHash, type Rest, type Sha256, treeOf, TreeHasher } from './merkle.ts';

/** Whose list, and of which month. */
export interface ListOwner {
  readonly userId: number;
  /** UTC: `2026-10`. */
  readonly month: string;
  readonly list: ListName;
}

/** One seal's share of a list, before the sums of the seals before it are added. */
export interface GatheredPart extends ListOwner {
  readonly count: number;
  readonly units: number;
  /** The times of its first and last receipt. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly root: string;
}

/** The sums of a list in all earlier seals. */
export interface SumsBefore {
  readonly count: number;
  readonly units: number;
}

/** A stored part, with its place in its seal's tree. */
export interface SealedPart extends GatheredPart {
  readonly seal: number;
  readonly before: SumsBefore;
  readonly index: number;
  readonly size: number;
  readonly path: readonly string[];
}

/** Fewer, because finishing a tree takes several hashes. */
const PARTS_AT_ONCE = HASHES_AT_ONCE / 5;

const keyOf = ({ userId, month, list }: ListOwner): string => `${userId} ${month} ${list}`;

/** Sorts the rows of all users into parts as they come. Its memory grows with the number of parts, not of rows. */
export class PartGatherer {
  readonly #sha256: Sha256;
  readonly #parts = new Map<
    string,
    ListOwner & { readonly tree: TreeHasher; units: number; fromMs: number; toMs: number }
  >();

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  get size(): number {
    return this.#parts.size;
  }

  add(
    list: ListName,
    row: { readonly userId: number; readonly createdAtMs: number; readonly units: number },
    line: string,
  ): void {
    const { userId, createdAtMs: atMs, units } = row;
    const owner = { userId, month: monthOf(atMs), list };
    const key = keyOf(owner);
    const part = this.#parts.get(key) ?? {
      ...owner,
      tree: new TreeHasher(this.#sha256),
      units: 0,
      fromMs: atMs,
      toMs: atMs,
    };
    part.tree.add(leafHash(this.#sha256, line));
    part.units += units;
    part.fromMs = Math.min(part.fromMs, atMs);
    part.toMs = Math.max(part.toMs, atMs);
    this.#parts.set(key, part);
  }

  /** All parts, by user. */
  async parts(rest: Rest): Promise<GatheredPart[]> {
    const parts: GatheredPart[] = [];
    for (const { tree, ...part } of this.#parts.values()) {
      parts.push({ ...part, count: tree.count, root: tree.root() });
      if (parts.length % PARTS_AT_ONCE === 0) await rest();
    }
    return parts.sort((one, other) => one.userId - other.userId);
  }
}

/** The text whose keyed hash salts a part's line. */
const partSalt = (seal: number, { userId, month, list }: ListOwner): string =>
  `part ${seal} ${userId} ${month} ${list}`;

/** The line of a part: a leaf of its seal's tree. */
export const lineOfPart = (
  part: Pick<SealedPart, keyof GatheredPart | 'seal' | 'before'>,
  saltOf: (text: string) => string,
): string =>
  partLine({
    seal: part.seal,
    user: part.userId,
    month: part.month,
    list: part.list,
    count: part.count,
    units: part.units,
    count_before: part.before.count,
    units_before: part.before.units,
    root: part.root,
    salt: saltOf(partSalt(part.seal, part)),
  });

/** The tree of a seal's parts. */
export const sealParts = async (
  sha256: Sha256,
  seal: number,
  gathered: readonly (GatheredPart & { readonly before: SumsBefore })[],
  saltOf: (text: string) => string,
  rest: Rest,
): Promise<{ readonly root: string; readonly partAt: (index: number) => SealedPart | undefined }> => {
  const leaves: string[] = [];
  for (const part of gathered) {
    leaves.push(leafHash(sha256, lineOfPart({ ...part, seal }, saltOf)));
    if (leaves.length % PARTS_AT_ONCE === 0) await rest();
  }
  const { root, pathOf } = await treeOf(sha256, leaves, rest);
  return {
    root,
    partAt: (index) => {
      const part = gathered[index];
      return part && { ...part, seal, index, size: gathered.length, path: pathOf(index) };
    },
  };
};
