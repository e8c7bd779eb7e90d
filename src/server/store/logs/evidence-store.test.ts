import { beforeAll, expect, it } from 'vitest';
import type { EvidenceRow, EvidenceStore } from '#core/evidence/evidence.ts';
import { createEvidenceStore } from './evidence-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

const row = (
  channelId: number,
  measure: string,
  detail: string,
  more: Partial<EvidenceRow> = {},
): EvidenceRow => ({
  channelId,
  day: 100,
  model: 'gpt-4o',
  measure,
  detail,
  calls: 1,
  amount: 10,
  ...more,
});

onEachEngine('evidence', (on) => {
  let evidence: EvidenceStore;
  beforeAll(() => {
    evidence = createEvidenceStore(on.database);
  });

  it('adds up what many writers say at once, by channel, model, measure and detail', async () => {
    const rows = [row(1, 'calls', ''), row(1, 'output', '3', { amount: -4 }), row(1, 'output', '-2')];
    await Promise.all(Array.from({ length: 8 }, () => evidence.add(rows)));
    await evidence.add([row(1, 'calls', '', { day: 101 }), row(1, 'calls', '', { day: 20 })]);
    expect(await evidence.ofChannel(1, 100)).toEqual([
      { model: 'gpt-4o', measure: 'calls', detail: '', calls: 9, amount: 90 },
      { model: 'gpt-4o', measure: 'output', detail: '-2', calls: 8, amount: 80 },
      { model: 'gpt-4o', measure: 'output', detail: '3', calls: 8, amount: -32 },
    ]);
  });

  it('compares a channel with all others, for the models it answers for', async () => {
    const two = [
      row(2, 'output', '0', { calls: 5 }),
      row(3, 'output', '0', { calls: 2 }),
      row(2, 'calls', ''),
    ];
    await evidence.add([...two, row(2, 'output', '0', { model: 'other' })]);
    expect(await evidence.ofOthers(1, 100)).toEqual([
      { model: 'gpt-4o', measure: 'output', detail: '0', calls: 7, amount: 20 },
    ]);
    const all = await evidence.ofAll(100);
    expect(new Set(all.map(({ channelId, measure }) => `${channelId} ${measure}`))).toEqual(
      new Set(['1 output', '2 output', '3 output']),
    );
  });

  it('writes more rows than one statement takes', async () => {
    const many = Array.from({ length: 950 }, (_, at) => row(9, 'named', `name ${at}`));
    await evidence.add(many);
    expect(await evidence.ofChannel(9, 100)).toHaveLength(950);
  });

  it('forgets what is old', async () => {
    await evidence.deleteBefore(101);
    expect(await evidence.ofChannel(1, 0)).toMatchObject([{ calls: 1 }]);
  });

  it('lists only the channel’s own answers to sealed questions, by day and model', async () => {
    await evidence.add([
      row(20, 'sealed', 'right', { calls: 3 }),
      row(20, 'sealed', 'wrong', { day: 101, calls: 2 }),
      row(20, 'sealed', 'wrong', { day: 99 }),
      row(20, 'output', '3'),
      row(21, 'sealed', 'wrong'),
    ]);
    await evidence.add([row(20, 'sealed', 'wrong', { day: 101 })]);
    expect(await evidence.sealedDays(20, 100)).toEqual([
      { day: 101, model: 'gpt-4o', verdict: 'wrong', questions: 3 },
      { day: 100, model: 'gpt-4o', verdict: 'right', questions: 3 },
    ]);
  });
});
