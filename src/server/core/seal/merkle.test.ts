import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isHash, leafHash, rootOfPath, type Sha256, treeOf, TreeHasher } from './merkle.ts';

const sha256: Sha256 = (data) => createHash('sha256').update(data).digest('base64url');
const rest = async (): Promise<void> => {};
const leavesOf = (lines: readonly string[]): string[] => lines.map((line) => leafHash(sha256, line));

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'base64url');

/** As RFC 6962 (2.1) defines it: split at the largest power of two below the size. */
const defined = (leaves: readonly string[]): string => {
  const [first] = leaves;
  if (first === undefined) return sha256('');
  if (leaves.length === 1) return first;
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  const [left, right] = [defined(leaves.slice(0, half)), defined(leaves.slice(half))];
  return sha256(Buffer.concat([Buffer.of(1), bytesOf(left), bytesOf(right)]));
};

it('the root is that of RFC 6962, leaf by leaf and at once; the empty tree and one leaf as it has them', async () => {
  expect(bytesOf(new TreeHasher(sha256).root()).toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  // Of the test vectors of Certificate Transparency: one empty leaf.
  expect(bytesOf(leafHash(sha256, '')).toString('hex')).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
  for (let size = 0; size < 70; size += 1) {
    const leaves = leavesOf(Array.from({ length: size }, (_, at) => `row ${at}`));
    const hasher = new TreeHasher(sha256);
    for (const leaf of leaves) hasher.add(leaf);
    expect(hasher.root()).toEqual(defined(leaves));
    expect((await treeOf(sha256, leaves, rest)).root).toEqual(defined(leaves));
  }
});

it('every proof leads to the root, also one found leaf by leaf; no other leaf, place or size does', async () => {
  const shape = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat(), fc.nat());
  await fc.assert(
    fc.asyncProperty(shape, async ([size, place, elsewhere, cut]) => {
      const leaves = leavesOf(Array.from({ length: size }, (_, at) => `row ${at}`));
      const index = place % size;
      const { root, pathOf } = await treeOf(sha256, leaves, rest);
      const path = pathOf(index);
      const hasher = new TreeHasher(sha256, index);
      for (const leaf of leaves) hasher.add(leaf);
      expect(hasher.path()).toEqual(path);
      expect(rootOfPath(sha256, leaves[index]!, { index, size }, path)).toEqual(root);
      const other = elsewhere % size;
      const isOther = other !== index;
      expect(rootOfPath(sha256, leaves[other]!, { index, size }, path) === root).toBe(!isOther);
      expect(rootOfPath(sha256, leaves[index]!, { index: other, size }, path) === root).toBe(!isOther);
      if (path.length === 0) return;
      const shorter = path.toSpliced(cut % path.length, 1);
      expect(rootOfPath(sha256, leaves[index]!, { index, size }, shorter)).not.toEqual(root);
      expect(rootOfPath(sha256, leaves[index]!, { index, size }, [...path, root])).not.toEqual(root);
    }),
  );
  expect(rootOfPath(sha256, sha256('x'), { index: 1, size: 1 }, [])).toBeUndefined();
  expect(rootOfPath(sha256, sha256('x'), { index: -1, size: 1 }, [])).toBeUndefined();
});

it('a hash has exactly one spelling: 32 bytes in base64url', () => {
  const hash = sha256('x');
  expect(isHash(hash)).toBe(true);
  const last = hash.slice(0, -1);
  const same = Array.from({ length: 64 }, (_, at) =>
    Buffer.of(at * 4)
      .toString('base64url')
      .charAt(0),
  )
    .map((letter) => last + letter)
    .filter((text) => bytesOf(text).equals(bytesOf(hash)));
  expect(same).toHaveLength(4);
  expect(same.filter(isHash)).toEqual([hash]);
  for (const other of ['', last, `${hash}A`, `${hash}=`, `${last}!`]) expect(isHash(other)).toBe(false);
});
