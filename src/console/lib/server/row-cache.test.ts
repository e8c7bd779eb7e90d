import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toasts } from '../toasts.ts';
import { queryClient } from './query.ts';
import { changeRow } from './row-cache.ts';

interface Row {
  readonly id: number;
  readonly priority: number;
  readonly weight: number;
  readonly tested: number;
}

/** What the server has. */
let stored: Row = { id: 1, priority: 0, weight: 1, tested: 0 };
let neighbour: Row = { id: 2, priority: 0, weight: 1, tested: 0 };
/** Reads and saves that were sent, each of which ends when it is told to. */
let reads: (() => void)[] = [];
let leave: () => void = () => undefined;

/** The server reads the row now, and the answer arrives when the returned function is called. */
const read = (): Promise<{ readonly items: readonly Row[] }> => {
  const page = { items: [stored, neighbour] };
  return new Promise((resolve) => reads.push(() => resolve(page)));
};

const observer = (page = 1) =>
  new QueryObserver<{ readonly items: readonly Row[] }>(queryClient, {
    queryKey: ['rows', page],
    queryFn: read,
    staleTime: Infinity,
  });

const rowsOf = (page: number): readonly Row[] | undefined =>
  queryClient.getQueryData<{ readonly items: readonly Row[] }>(['rows', page])?.items;
const shown = (page = 1): Row | undefined => rowsOf(page)?.[0];

/** All that was answered has reached the page. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const answerReads = async (): Promise<void> => {
  while (reads.length > 0) {
    for (const answer of reads.splice(0)) answer();
    await settled();
  }
};

/** An edit whose answer arrives when `answer` is called; the server changes the row at once. */
const edit = async (
  change: Partial<Row>,
): Promise<{ readonly answer: () => Promise<void>; readonly refuse: () => Promise<void> }> => {
  const save = Promise.withResolvers<Row>();
  const begun = Promise.withResolvers<Row>();
  const done = changeRow<Row>('rows', 1, change, () => {
    stored = { ...stored, ...change };
    begun.resolve(stored);
    return save.promise;
  });
  const row = await begun.promise;
  const answer = async (): Promise<void> => {
    save.resolve(row);
    await done;
    await settled();
  };
  const refuse = async (): Promise<void> => {
    save.reject(new Error('no'));
    await done;
    await settled();
  };
  return { answer, refuse };
};

beforeEach(async () => {
  stored = { id: 1, priority: 0, weight: 1, tested: 0 };
  neighbour = { ...stored, id: 2 };
  leave = observer().subscribe(() => undefined);
  await answerReads();
});
afterEach(() => {
  leave();
  reads = [];
  queryClient.clear();
  toasts.set([]);
});

it('an edit is shown before it is saved, and asks for no list if nothing else happens', async () => {
  const save = await edit({ priority: 7 });
  expect(shown()?.priority).toBe(7);
  await save.answer();
  expect([shown()?.priority, reads.length]).toEqual([7, 0]);
});

it('a list that was read before an edit was saved, and arrives after it, does not undo it', async () => {
  void queryClient.invalidateQueries({ queryKey: ['rows'] });
  await settled();
  const before = reads.splice(0);
  const save = await edit({ priority: 7 });
  for (const answer of before) answer();
  await save.answer();
  await answerReads();
  expect(shown()?.priority).toBe(7);
});

it('nor does a list that was asked for during the save, and was read before it', async () => {
  const old = stored;
  const save = await edit({ priority: 7 });
  const saved = stored;
  stored = old;
  void queryClient.invalidateQueries({ queryKey: ['rows'] });
  await settled();
  const early = reads.splice(0);
  stored = saved;
  await save.answer();
  for (const answer of early) answer();
  await settled();
  await answerReads();
  expect(shown()?.priority).toBe(7);
});

it('a reload that an edit stopped is made after it', async () => {
  neighbour = { ...neighbour, tested: 12 };
  void queryClient.invalidateQueries({ queryKey: ['rows'] });
  await settled();
  const save = await edit({ priority: 7 });
  await save.answer();
  await answerReads();
  expect(rowsOf(1)).toEqual([{ ...stored, priority: 7 }, neighbour]);
});

it('a page that an edit stopped while it was read for the first time comes after it', async () => {
  const leaveSecond = observer(2).subscribe(() => undefined);
  await settled();
  const save = await edit({ priority: 7 });
  await save.answer();
  await answerReads();
  expect(shown(2)?.priority).toBe(7);
  leaveSecond();
});

it('of two edits of a row, the answer of the first does not undo the second, whichever comes last', async () => {
  const first = await edit({ priority: 7 });
  const second = await edit({ weight: 5 });
  await second.answer();
  expect(shown()).toMatchObject({ priority: 7, weight: 5 });
  await first.answer();
  expect(shown()).toMatchObject({ priority: 7, weight: 5 });
  await answerReads();
  expect(shown()).toMatchObject({ priority: 7, weight: 5 });
});

it('after an edit that was refused the row is what the server has', async () => {
  const save = await edit({ priority: 7 });
  stored = { ...stored, priority: 3 };
  await save.refuse();
  expect(shown()?.priority).toBe(0);
  await answerReads();
  expect(shown()?.priority).toBe(3);
  expect(toasts.get().map(({ tone }) => tone)).toEqual(['bad']);
});
