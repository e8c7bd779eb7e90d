import { afterAll, beforeAll, expect, it } from 'vitest';
import { callLog } from '../../../store/testing/accounts.ts';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';

/** An upstream's file against the calls of a channel, from the file to the four lists. */

const CHANNEL = 4711;
const START_MS = Date.UTC(2026, 2, 10, 8);
const CALLS = 30;
let scene: Scene;
let alice: Spender;

const atOf = (at: number): number => START_MS + at * 60_000;

beforeAll(async () => {
  scene = await openScene();
  alice = await scene.spender('alice', 1000);
  const log = (at: number) =>
    callLog({
      requestId: `req-${at}`,
      createdAtMs: atOf(at),
      userId: alice.user.id,
      channelId: at === CALLS ? CHANNEL + 1 : CHANNEL,
      model: 'gpt-4o',
      costNano: 1_000_000 * (at + 1),
      other: JSON.stringify({
        upstream_model_name: 'gpt-4o-2024-08-06',
        admin_info: { upstream_id: `chatcmpl-${at}` },
      }),
    });
  const { database, houseCosts } = scene.server.parts.stores;
  await database.runLedger(Array.from({ length: CALLS + 1 }, (_, at) => ({ op: 'note', log: log(at) })));
  await houseCosts.add({ channelId: CHANNEL, kind: 'test', atMs: START_MS, costNano: 5, calls: 2 });
});
afterAll(() => scene.close());

/** The channel's calls as an upstream writes them; `callLog` has 100 tokens in and 20 out. */
const row = (at: number, { input = 100, cost = (at + 1) / 1000 } = {}): string =>
  [new Date(atOf(at) + 700).toISOString(), 'openai/gpt-4o', input, 20, cost.toFixed(6)].join(',');
const TITLES = 'created_at,model,prompt_tokens,completion_tokens,cost';
const fileOf = (rows: readonly string[], titles = TITLES): string => `${[titles, ...rows].join('\n')}\n`;
const everyRow = Array.from({ length: CALLS }, (_, at) => row(at));
const compare = async (file: string, query = '') => {
  const got = await scene.asRoot(`/api/reconcile?channels=${CHANNEL}${query}`, {
    method: 'POST',
    body: file,
  });
  return { ...got, data: got.data as Compared | undefined };
};
interface Compared {
  readonly by: string;
  readonly lists: Record<string, { count: number; lines: readonly Record<string, unknown>[] }>;
  readonly totals: Record<'ours' | 'theirs', Record<string, number>>;
  readonly house: unknown;
  readonly left_out: Record<string, number>;
  readonly days: readonly { readonly day: string }[];
}
const countsOf = (compared: Compared | undefined) =>
  Object.fromEntries(Object.entries(compared?.lists ?? {}).map(([name, { count }]) => [name, count]));

it('a file that agrees is matched row by row, and the house costs are told beside it', async () => {
  const { data } = await compare(fileOf([...everyRow, 'Total,,3000,600,0.465']));
  expect(data?.by).toBe('call');
  expect(countsOf(data)).toEqual({ matched: CALLS, differing: 0, missing_here: 0, missing_there: 0 });
  expect(data?.totals.ours).toEqual(data?.totals.theirs);
  expect(data?.totals.ours).toMatchObject({ calls: CALLS, input: 3000, output: 600, money: 465_000_000 });
  expect(data?.house).toEqual({
    failed: 0,
    kinds: [{ kind: 'test', calls: 2, cost_nano_usd: 5, uncosted: 0 }],
  });
  expect(data?.left_out).toMatchObject({ totals: 1, outside: 0 });
});

it('what is missing on either side and what differs is in its list, and in the file without formulas', async () => {
  const rows = everyRow
    .with(3, row(3, { input: 101 }))
    .with(4, row(4, { cost: 1 }))
    .toSpliced(10, 1);
  const strange = `${new Date(atOf(2)).toISOString()},=cmd(),7,8,0.5`;
  const file = fileOf([...rows, strange]);
  const { data } = await compare(file);
  expect(countsOf(data)).toEqual({ matched: 27, differing: 2, missing_here: 1, missing_there: 1 });
  expect(data?.lists['missing_there']?.lines[0]).toMatchObject({ ours: { ref: 'req-10' }, theirs: null });
  expect(data?.lists['missing_here']?.lines[0]).toMatchObject({
    theirs: { ref: '31', input: 7, money: 500_000_000 },
  });
  const saved = await scene.asRoot(`/api/reconcile/file?channels=${CHANNEL}`, { method: 'POST', body: file });
  const lines = saved.text.split('\r\n').slice(0, -1);
  expect(lines[0]).toBe(
    'list,matched_by,time,model,line,request_id,theirs_input,theirs_output,theirs_usd,' +
      'ours_input,ours_output,ours_usd,difference_input,difference_output,difference_usd',
  );
  expect(lines).toHaveLength(1 + 31);
  expect(lines[1]).toContain(',5,req-3,101,20,0.004,100,20,0.004,-1,0,0');
  expect(lines[2]).toContain(',6,req-4,100,20,1,100,20,0.005,0,0,-0.995');
  expect(saved.text).toContain(",'=cmd(),31,,7,8,0.5,,,,,,");
  const only = await scene.asRoot(`/api/reconcile/file?channels=${CHANNEL}&list=missing_there`, {
    method: 'POST',
    body: file,
  });
  expect(only.text.split('\r\n')).toHaveLength(1 + 1 + 1);
});

it("rows with the upstream's own ids are matched by them, whatever their times and numbers", async () => {
  const rows = Array.from(
    { length: CALLS },
    (_, at) => `chatcmpl-${CALLS - 1 - at},2026-03-10T08:15:00Z,100`,
  );
  const { data } = await compare(fileOf([...rows, rows[0] ?? ''], 'response_id,time,input_tokens'));
  expect(countsOf(data)).toEqual({ matched: CALLS, differing: 0, missing_here: 1, missing_there: 0 });
});

it('sums of days are compared by day and model in the time zone that is named, with rows of other keys left out', async () => {
  const file =
    'usage_date_utc;model;token_type;cost_usd;api_key\n2026-03-10;gpt-4o;in;0,4;a\n' +
    '2026-03-10;gpt-4o;out;0,065;a\n2026-03-10;gpt-4o;out;9,5;b\n';
  const { data } = await compare(file, '&key=a');
  expect(data?.by).toBe('day');
  expect(countsOf(data)).toEqual({ matched: 1, differing: 0, missing_here: 0, missing_there: 0 });
  expect(data?.left_out).toMatchObject({ other_keys: 1 });
  const far = await compare(file, '&key=a&zone=Pacific/Kiritimati');
  // 08:00 UTC is 22:00 there, so that the day ends after two hours.
  expect(far.data?.days.map(({ day }) => day)).toEqual(['2026-03-10']);
  expect(countsOf(far.data)).toMatchObject({ matched: 1 });
});

it('amounts are compared in the currency of the file by the rate of the day, and unknown without one', async () => {
  const yuan = (at: number): string => row(at, { cost: ((at + 1) / 1000) * 8 });
  const file = fileOf(Array.from({ length: CALLS }, (_, at) => yuan(at)));
  const unknown = await compare(file, '&currency=CNY');
  expect(unknown.data?.totals.ours).toMatchObject({ money: 0, unknown_money: CALLS });
  await scene.set('cost_setting.currency_rates', '{"CNY":[{"from":"2026-01-01","usd":0.125}]}');
  const { data } = await compare(file, '&currency=CNY');
  expect(countsOf(data)).toMatchObject({ matched: CALLS });
  expect(data?.totals.ours).toMatchObject({ money: 3_720_000_000, unknown_money: 0 });
});

it('a file that cannot be read is refused with its line, one without channel or too long too, and the place is free again', async () => {
  const bad = await compare(fileOf([row(0), 'soon,m,1,2,1']));
  expect([bad.status, bad.message]).toEqual([400, 'line 3: “soon” in column “created_at” is no time']);
  expect((await compare(fileOf([row(0)]), '&columns=a')).message).toContain('columns must be a JSON object');
  expect((await compare(fileOf([row(0)]), '&zone=Mars/Base')).message).toContain('no such time zone');
  const none = await scene.asRoot('/api/reconcile', { method: 'POST', body: fileOf([row(0)]) });
  expect(none.success).toBe(false);
  const body = `a,b\n${'1,2\n'.repeat(20_000)}`;
  expect((await scene.asRoot('/api/reconcile/columns', { method: 'POST', body })).status).toBe(413);
  const both = await Promise.all([compare(fileOf(everyRow)), compare(fileOf(everyRow))]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 429]));
});

it('the beginning of a file tells its columns', async () => {
  const got = await scene.asRoot('/api/reconcile/columns', { method: 'POST', body: fileOf(everyRow) });
  expect(got.data).toMatchObject({
    shape: null,
    columns: { time: ['created_at'], model: ['model'], input: ['prompt_tokens'], cost: ['cost'] },
    header: TITLES.split(','),
  });
});
