import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { startTwoAccounts } from '../../http/testing/two-accounts.ts';

/** Two accounts at one fake upstream: a response is only known to the one that makes it. */

const MODEL = 'gpt-background';
let site: Awaited<ReturnType<typeof startTwoAccounts>>;
beforeAll(async () => void (site = await startTwoAccounts(MODEL, 1_000_000)));
afterAll(() => site.stop());

interface Course {
  readonly queued_ms?: number;
  readonly work_ms?: number;
  readonly end?: 'completed' | 'failed' | 'never' | 'lost';
}
const bodyOf = (input: string, course: Course): ResponseCreateParamsNonStreaming => ({
  model: MODEL,
  input,
  background: true,
  max_output_tokens: 1000,
  metadata: Object.fromEntries(Object.entries(course).map(([key, value]) => [key, String(value)])),
});
const ask = (input: string, course: Course = {}) => site.client().responses.create(bodyOf(input, course));

const account = async () => {
  const { held, used_quota } = await site
    .server()
    .parts.stores.database.reader.selectFrom('users')
    .select(['held', 'used_quota'])
    .where('id', '=', site.alice.id)
    .executeTakeFirstOrThrow();
  return { used: Number(used_quota), held: Number(held) };
};
const rows = async () => {
  const { items } = await site
    .server()
    .parts.stores.logs.page({ userId: site.alice.id }, { page: 1, pageSize: 50 });
  return items;
};
/** What the account paid once nothing is held any more. */
const paidSince = async (before: number): Promise<number> => {
  await expect.poll(async () => (await account()).held).toBe(0);
  return (await account()).used - before;
};

afterEach(async () => {
  const broken = await brokenRules(site.server().parts.stores.database);
  expect(broken).toEqual([]);
});

describe('a response made in the background', () => {
  it('is answered before it is made, held meanwhile, and charged its real usage even if nobody reads it', async () => {
    const before = await account();
    const made = await ask('say work on this', { queued_ms: 1500, work_ms: 100 });
    expect(made.status).toBe('queued');
    expect((await account()).held).toBeGreaterThan(1000);
    const paid = await paidSince(before.used);
    const whole = await site.client().responses.create({ model: MODEL, input: 'say work on this' });
    expect(paid).toBe(whole.usage?.total_tokens);
    const row = (await rows()).find(
      ({ quotaUnits, other }) => quotaUnits === paid && other.includes('background'),
    );
    expect(row?.type).toBe(logType.consume);
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({
      background_status: 'completed',
      request_path: '/v1/responses',
      usage: { outputTokens: whole.usage?.output_tokens },
    });
  });

  it('is charged once, by the first to see its end: reading it again costs nothing', async () => {
    const before = await account();
    const made = await ask('say one two three', { queued_ms: 1, work_ms: 20 });
    await expect.poll(async () => (await site.client().responses.retrieve(made.id)).status).toBe('completed');
    const after = await account();
    expect(after.held).toBe(0);
    expect(after.used).toBeGreaterThan(before.used);
    const again = await site.client().responses.retrieve(made.id);
    expect(again.output_text).toBe('one two three');
    // Whoever looks for ended responses comes by at least twice: it sees the end of these.
    for (const input of ['say nothing', 'say nothing more']) {
      await ask(input, { queued_ms: 1, work_ms: 1, end: 'failed' });
      expect(await paidSince(after.used)).toBe(0);
    }
    expect(await account()).toEqual(after);
  });

  it('that fails costs nothing, and its row says so', async () => {
    const before = await account();
    await ask('say no', { queued_ms: 1, work_ms: 1, end: 'failed' });
    expect(await paidSince(before.used)).toBe(0);
    expect((await rows())[0]).toMatchObject({ type: logType.error, quotaUnits: 0 });
  });

  it('can be cancelled, by its owner alone', async () => {
    const before = await account();
    const made = await ask('say never mind', { end: 'never' });
    await expect(site.client(site.bobKey).responses.cancel(made.id)).rejects.toMatchObject({ status: 404 });
    await expect(site.client(site.bobKey).responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    expect((await site.client().responses.cancel(made.id)).status).toBe('cancelled');
    expect(await paidSince(before.used)).toBe(0);
    expect((await site.client().responses.cancel(made.id)).status).toBe('cancelled');
  });

  it('keeps its hold when the server stops, and is charged by the next one', async () => {
    const before = await account();
    const made = await ask('say I survive', { queued_ms: 500, work_ms: 500 });
    const endless = await ask('say never', { end: 'never' });
    await site.restart();
    expect((await account()).held).toBeGreaterThan(0);
    await site.client().responses.cancel(endless.id);
    expect(await paidSince(before.used)).toBeGreaterThan(0);
    expect((await site.client().responses.retrieve(made.id)).output_text).toBe('I survive');
  });

  it('deleted while it is made is cancelled first, so that its end is known', async () => {
    const before = await account();
    const made = await ask('say bye', { end: 'never' });
    await site.client().responses.delete(made.id);
    expect(await paidSince(before.used)).toBe(0);
    await expect(site.client().responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it('deleted after its end is charged before', async () => {
    const before = await account();
    const made = await ask('say done', { queued_ms: 0, work_ms: 0 });
    await site.client().responses.delete(made.id);
    expect(await paidSince(before.used)).toBeGreaterThan(0);
  });

  it('that cannot be held is refused, and no upstream is called', async () => {
    await site.simulator.reset();
    const { key } = await site.stage().token(await site.stage().person('poor'));
    const answer = await fetch(`${site.stage().url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf('say much', {})),
    });
    expect(answer.status).toBe(403);
    expect((await site.simulator.calls()).count).toBe(0);
    expect((await account()).held).toBe(0);
  });
});

describe('in the playground', () => {
  it('background responses are refused, because they could not be read later', async () => {
    const answer = await fetch(`${site.stage().url}/pg/responses`, {
      method: 'POST',
      headers: { ...(await site.stage().session(site.alice)), 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input: 'hi', background: true }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { param: 'background' } });
    expect((await account()).held).toBe(0);
  });
});

describe('a background response that is streamed', () => {
  const begin = (input: string, course: Course) =>
    site.client().responses.create({ ...bodyOf(input, course), stream: true });

  it('has its id at once, and is charged like any stream that is read to its end', async () => {
    const before = await account();
    const seen: string[] = [];
    for await (const event of await begin('say a b c', { queued_ms: 50, work_ms: 50 })) seen.push(event.type);
    expect([seen[0], seen.at(-1)]).toEqual(['response.created', 'response.completed']);
    expect(await paidSince(before.used)).toBeGreaterThan(0);
    expect((await rows())[0]).toMatchObject({ type: logType.consume, isStream: true });
  });

  it('continues when its caller leaves, can be resumed, and is charged once in full', async () => {
    const before = await account();
    const input = `say ${'more and '.repeat(20)}more`;
    const stream = await begin(input, { queued_ms: 10, work_ms: 1500 });
    let id = '';
    let last = -1;
    for await (const event of stream) {
      if (event.type === 'response.created') ({ id } = event.response);
      last = event.sequence_number;
      if (last > 6) break;
    }
    const rest = await site.client().responses.retrieve(id, { stream: true, starting_after: last });
    let text = '';
    for await (const event of rest) {
      expect(event.sequence_number).toBeGreaterThan(last);
      if (event.type === 'response.completed') text = JSON.stringify(event.response.output);
    }
    expect(text).toContain('more and more');
    const whole = await site.client().responses.create({ model: MODEL, input });
    expect(await paidSince(before.used)).toBe(2 * (whole.usage?.total_tokens ?? 0));
  });

  it('cancelled midway costs what its caller received', async () => {
    const before = await account();
    const stream = await begin(`say ${'word '.repeat(60)}end`, { queued_ms: 1, work_ms: 3000 });
    let id = '';
    const listen = async (): Promise<void> => {
      for await (const event of stream) {
        if (event.type === 'response.created') ({ id } = event.response);
        if (event.sequence_number === 30) await site.client().responses.cancel(id);
      }
    };
    // The upstream breaks the stream off.
    await listen().catch(() => undefined);
    expect(await paidSince(before.used)).toBeGreaterThan(10);
    expect((await rows())[0]).toMatchObject({ type: logType.consume });
  });
});
