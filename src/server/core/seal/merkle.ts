/**
 * SHA-256 of bytes, or of a text as UTF-8, in base64url. Passed in, because core has no library for it. The result is a
 * text: each 32-byte buffer has memory outside the heap, and with a million of them garbage collection blocks the
 * thread for long.
 */
export type Sha256 = (data: string | Uint8Array) => string;

/** A complete subtree of 2^height leaves. */
interface Subtree {
  readonly height: number;
  readonly hash: string;
  /** It contains the leaf whose path is wanted. */
  readonly hasWanted: boolean;
}

const NODE = 1;
const HASH_BYTES = 32;
/** Reused for the bytes of each inner node. */
const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

/** The hash of a leaf, a line of text. The first byte keeps a leaf from being mistaken for an inner node (RFC 6962). */
export const leafHash = (sha256: Sha256, line: string): string => sha256(`\0${line}`);

/**
 * Whether a text is a hash in the form `Sha256` gives. Base64 can encode the same bytes in several ways; only one is
 * accepted.
 */
export const isHash = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === HASH_BYTES && bytes.toString('base64url') === text;
};

const parentOf = (sha256: Sha256, left: string, right: string): string => {
  node.write(left, 1, HASH_BYTES, 'base64url');
  node.write(right, 1 + HASH_BYTES, HASH_BYTES, 'base64url');
  return sha256(node);
};

/**
 * The Merkle tree of RFC 6962 (2.1), built leaf by leaf. It keeps only the roots of complete subtrees, at most one of
 * each height. With `wanted`, it also yields the path from that leaf to the root.
 */
export class TreeHasher {
  readonly #sha256: Sha256;
  readonly #wanted: number;
  readonly #path: string[] = [];
  #subtrees: Subtree[] = [];
  #count = 0;

  constructor(sha256: Sha256, wanted = -1) {
    this.#sha256 = sha256;
    this.#wanted = wanted;
  }

  get count(): number {
    return this.#count;
  }

  add(hash: string): void {
    let added: Subtree = { height: 0, hash, hasWanted: this.#count === this.#wanted };
    this.#count += 1;
    for (;;) {
      const left = this.#subtrees.at(-1);
      if (left?.height !== added.height) break;
      this.#subtrees.pop();
      added = this.#joined(left, added, this.#path);
    }
    this.#subtrees.push(added);
  }

  root(): string {
    return this.#finished([]);
  }

  /** The path, beginning with the wanted leaf's sibling. */
  path(): string[] {
    const path = [...this.#path];
    this.#finished(path);
    return path;
  }

  #finished(path: string[]): string {
    const last = this.#subtrees.at(-1);
    if (last === undefined) return this.#sha256('');
    return this.#subtrees.slice(0, -1).reduceRight((right, left) => this.#joined(left, right, path), last)
      .hash;
  }

  #joined(left: Subtree, right: Subtree, path: string[]): Subtree {
    if (left.hasWanted) path.push(right.hash);
    if (right.hasWanted) path.push(left.hash);
    return {
      height: left.height + 1,
      hash: parentOf(this.#sha256, left.hash, right.hash),
      hasWanted: left.hasWanted || right.hasWanted,
    };
  }
}

/** Lets other work run in the middle of a long computation. */
export type Rest = () => Promise<void>;

/** Hashing this many takes about a millisecond of the thread. */
export const HASHES_AT_ONCE = 500;

/** The root of a tree, and the path from each leaf to it. */
export const treeOf = async (
  sha256: Sha256,
  leaves: readonly string[],
  rest: Rest,
): Promise<{ readonly root: string; readonly pathOf: (index: number) => string[] }> => {
  const levels: (readonly string[])[] = [leaves];
  for (let level = leaves; level.length > 1;) {
    const above: string[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]];
      // A node without a sibling moves up unchanged.
      if (left !== undefined) above.push(right === undefined ? left : parentOf(sha256, left, right));
      if (above.length % HASHES_AT_ONCE === 0) await rest();
    }
    levels.push(above);
    level = above;
  }
  return {
    root: levels.at(-1)?.[0] ?? sha256(''),
    pathOf: (index) =>
      levels.flatMap((level, height) => {
        const sibling = level[Math.floor(index / 2 ** height) ^ 1];
        return sibling === undefined ? [] : [sibling];
      }),
  };
};

/** The root that a leaf's path leads to (RFC 9162, 2.1.3.2); undefined if the path has the wrong length. */
export const rootOfPath = (
  sha256: Sha256,
  leaf: string,
  { index, size }: { readonly index: number; readonly size: number },
  path: readonly string[],
): string | undefined => {
  if (index < 0 || index >= size) return undefined;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      hash = parentOf(sha256, sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = parentOf(sha256, hash, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
};
