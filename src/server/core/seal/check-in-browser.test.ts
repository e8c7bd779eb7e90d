import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { checkReceipt, rootOf, type SignedReceipt } from '../../../console/features/logs/check-receipt.ts';
import { leafHash, treeOf } from './merkle.ts';

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url');
const rest = async (): Promise<void> => {};
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const x = publicKey.export({ format: 'jwk' }).x ?? '';
const signed = (line: string) => ({
  line,
  signature: sign(null, Buffer.from(line), privateKey).toString('base64url'),
});

const treeOver = async (lines: readonly string[]) => {
  const { root, pathOf } = await treeOf(
    sha256,
    lines.map((line) => leafHash(sha256, line)),
    rest,
  );
  const placeOf = (index: number) => ({
    index,
    count: lines.length,
    path: pathOf(index),
  });
  return { root, placeOf };
};

afterEach(() => void vi.unstubAllGlobals());

it('finds the same roots as the server, from every leaf of every tree', async () => {
  for (const size of [1, 2, 3, 5, 8, 13]) {
    const lines = Array.from({ length: size }, (_, at) => `row ${at} 价`);
    const { root, placeOf } = await treeOver(lines);
    for (const [index, line] of lines.entries()) expect(await rootOf(line, placeOf(index))).toBe(root);
    expect(await rootOf('another', placeOf(0))).not.toBe(root);
  }
});

/** A receipt under a published seal. */
const sealedReceipt = async (): Promise<SignedReceipt> => {
  const rows = ['{"units":5}', '{"units":7}', '{"units":9}'];
  const own = await treeOver(rows);
  const part = JSON.stringify({ root: own.root });
  const all = await treeOver(['{"other":1}', part]);
  const seal = signed(JSON.stringify({ root: all.root, key: 'k' }));
  const keys = [signed(JSON.stringify({ id: 'k', public_key: x }))];
  vi.stubGlobal('fetch', async () => Response.json({ keys, seals: [seal] }));
  const receipt = signed(rows[1]!);
  return {
    receipt: receipt.line,
    signature: receipt.signature,
    key: 'k',
    public_key: x,
    missing: null,
    proof: {
      of_receipt: own.placeOf(1),
      part,
      of_part: all.placeOf(1),
      seal: seal.line,
      seal_signature: seal.signature,
      page: 0,
    },
  };
};

it('says of a receipt whether it is sealed, waits for its seal, or does not hold', async () => {
  const one = await sealedReceipt();
  const proof = one.proof!;
  expect(await checkReceipt(one)).toBe('sealed');
  expect(await checkReceipt({ ...one, proof: null, missing: 'not_sealed' })).toBe('signed');
  expect(await checkReceipt({ ...one, proof: null, missing: 'rows_deleted' })).toBe('cleared');
  expect(await checkReceipt({ ...one, receipt: '{"units":6}' })).toBe('wrong');
  expect(await checkReceipt({ ...one, proof: { ...proof, part: '{"root":"x"}' } })).toBe('wrong');
  expect(
    await checkReceipt({ ...one, proof: { ...proof, of_receipt: { ...proof.of_receipt, index: 0 } } }),
  ).toBe('wrong');
  expect(await checkReceipt({ ...one, public_key: 'none' })).toBe('unchecked');
});

/** What the check says, however long it waits. */
const checkedInTime = async (one: SignedReceipt) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const found = checkReceipt(one);
  let isDone = false;
  void found.finally(() => (isDone = true));
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1000);
  }
  vi.useRealTimers();
  return found;
};

it('a receipt that another key has signed anew does not hold, sealed or not', async () => {
  const one = await sealedReceipt();
  const forger = generateKeyPairSync('ed25519');
  const text = '{"units":1}';
  const forged = (receipt: string) => ({
    receipt,
    signature: sign(null, Buffer.from(receipt), forger.privateKey).toString('base64url'),
    public_key: forger.publicKey.export({ format: 'jwk' }).x ?? '',
  });
  for (const missing of ['not_sealed', 'rows_deleted'] as const) {
    expect(await checkedInTime({ ...one, ...forged(text), proof: null, missing })).toBe('wrong');
    expect(await checkedInTime({ ...one, ...forged(text), key: 'f', proof: null, missing })).toBe('wrong');
  }
  expect(await checkedInTime({ ...one, ...forged(one.receipt) })).toBe('wrong');
});

it('a seal or key that another node has just made is waited for, and one that is never shown does not hold', async () => {
  const one = await sealedReceipt();
  const shown = globalThis.fetch;
  let asked = 0;
  vi.stubGlobal('fetch', (url: string) =>
    (asked += 1) === 1 ? Promise.resolve(Response.json({ keys: [], seals: [] })) : shown(url),
  );
  expect(await checkedInTime(one)).toBe('sealed');
  asked = 0;
  expect(await checkedInTime({ ...one, proof: null, missing: 'not_sealed' })).toBe('signed');
  vi.stubGlobal('fetch', async () => Response.json({ keys: [], seals: [] }));
  expect(await checkedInTime(one)).toBe('wrong');
});
