import { AnswerRoom } from '../answer/answer-room.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import { initialOptions } from '#contract/options.ts';
import type { Routing } from '#core/channel/routing.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { standIn } from '#core/testing/stand-in.ts';
import {
  BACKGROUND_LIFE_MS,
  type BackgroundResponse,
  type BackgroundResponseStore,
} from '#core/kept/background-response.ts';
import type { CloseOutcome, Ledger } from '#core/ledger/ledger.ts';
import type { HouseCost } from '#core/cost/house-cost-store.ts';
import type { CallLog } from '#core/log/log.ts';
import type { OutboundRequest } from '#core/outbound/outbound.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { seenOf } from './kept-reply.ts';
import { type BackgroundDeps, BackgroundResponses } from './background-responses.ts';
import { backgroundResponse, shownWith } from './testing/background-response.ts';

/** Its rules by the clock: what an upstream that loses, forgets, or never ends a response leaves to pay. */

const HOUR_MS = 3_600_000;
const nothingShown = shownWith();

let nowMs = 0;
/** By how much the wall clock was put forward. */
let aheadMs = 0;
let rows: BackgroundResponse[] = [];
let closed: { units: number; log: CallLog | undefined }[] = [];
let asked: string[] = [];
let problems: unknown[] = [];
let house: HouseCost[] = [];
let answer: (request: OutboundRequest) => { status: number; body: unknown };
let channels = new Map<number, Channel>();

const outcome = (units: number, log: CallLog | undefined): Promise<CloseOutcome> => {
  const isFirst = closed.length === 0;
  if (isFirst) closed.push({ units, log });
  return Promise.resolve(
    isFirst
      ? { state: 'closed', chargedUnits: units, houseLossUnits: 0, userQuotaUnits: 0, userHeldUnits: 0 }
      : { state: 'already_closed', wasCharged: true },
  );
};

const store: BackgroundResponseStore = {
  add: (added) => Promise.resolve(void rows.push(added)),
  change: (holdId, changes) => {
    rows = rows.map((one) => (one.holdId === holdId ? { ...one, ...changes } : one));
    return Promise.resolve();
  },
  find: (_, responseId) => Promise.resolve(rows.find((one) => one.responseId === responseId)),
  takeDue: () => Promise.resolve(rows.filter(({ askAtMs }) => askAtMs <= nowMs)),
  forget: (holdId) => {
    rows = rows.filter((one) => one.holdId !== holdId);
    return Promise.resolve();
  },
};

const background = (): BackgroundResponses =>
  new BackgroundResponses(
    standIn<BackgroundDeps>({
      backgroundResponses: store,
      answers: new AnswerRoom(),
      houseCosts: { add: async (cost) => void house.push(cost) },
      isHeardElsewhere: undefined,
      farThreads: undefined,
      ledger: standIn<Ledger>({
        settle: ({ quotaUnits, log }) => outcome(quotaUnits, log),
        void: (_, __, log) => outcome(0, log),
      }),
      clock: { now: () => nowMs + aheadMs, monotonic: () => nowMs },
      routing: () =>
        standIn<Routing>({
          channels,
          catalogue: { find: () => undefined },
          options: { ...initialOptions, LogConsumeEnabled: true },
        }),
      metrics: standIn<BackgroundDeps['metrics']>({ charged: () => undefined, holdClosed: () => undefined }),
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (_, fields) => void problems.push(fields),
      },
      upstreamOf: () => ({
        dialect: openaiResponses,
        offers: { chat: {} },
        address: () => ({ url: 'http://upstream/v1/responses', headers: {} }),
      }),
      sender: {
        send: (request) => {
          asked.push(`${request.method} ${new URL(request.url).pathname}`);
          const { status, body } = answer(request);
          const bytes = Buffer.from(JSON.stringify(body));
          return Promise.resolve({
            status,
            headers: {},
            body: {
              async *[Symbol.asyncIterator]() {
                yield bytes;
              },
              discard: () => undefined,
            },
          });
        },
      },
    }),
  );

const given = (changes: Partial<BackgroundResponse> = {}, shown = nothingShown): void => {
  rows = [{ ...backgroundResponse(shown), ...changes }];
};
const said = (status: string, more: object = {}) => ({
  status: 200,
  body: { id: 'resp_1', object: 'response', status, output: [], usage: null, ...more },
});
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const text = { type: 'message', content: [{ type: 'output_text', text: 'x'.repeat(40) }] };

beforeEach(() => {
  [nowMs, aheadMs] = [5000, 0];
  closed = [];
  asked = [];
  problems = [];
  house = [];
  answer = () => said('in_progress');
  channels = new Map([[7, channelOf(1, { id: 7 })]]);
  given();
});

afterEach(() => expect(problems).toEqual([]));

describe('the end of a response in the background', () => {
  it.each([
    ['completed with usage', said('completed', { usage }), 20],
    ['incomplete with usage', said('incomplete', { usage }), 20],
    ['cancelled with usage', said('cancelled', { usage }), 20],
    ['failed with usage', said('failed', { usage, error: { message: 'no' } }), 20],
    ['completed without usage, counted', said('completed', { output: [text] }), 20 + 20],
    ['cancelled with a text and no usage, counted', said('cancelled', { output: [text] }), 20 + 20],
    ['cancelled with nothing', said('cancelled'), 0],
    ['failed with nothing', said('failed', { error: { message: 'no' } }), 0],
  ])('%s', async (_, told, units) => {
    answer = () => told;
    await background().run();
    expect(closed).toMatchObject([{ units }]);
    expect(rows).toEqual([]);
  });

  it('is charged once, even if it is seen twice', async () => {
    answer = () => said('completed', { usage });
    const responses = background();
    const [row1] = rows;
    await Promise.all([
      responses.run(),
      row1 && responses.observe(row1, seenOf(said('completed', { usage }).body)),
    ]);
    await responses.run();
    expect(closed).toHaveLength(1);
  });
});

describe('a response that has no end', () => {
  it('is polled less and less often', async () => {
    const waits: number[] = [];
    const responses = background();
    for (const at of [0, 5000, 100_000, HOUR_MS]) {
      nowMs = at;
      given({ askAtMs: at });
      await responses.run();
      waits.push((rows[0]?.askAtMs ?? 0) - at);
    }
    expect(waits).toEqual([1000, 1000, 10_000, 60_000]);
    expect(closed).toEqual([]);
  });

  it('is cancelled after a day, and charged by its last state', async () => {
    nowMs = BACKGROUND_LIFE_MS + 1;
    answer = ({ method }) => (method === 'POST' ? said('cancelled', { usage }) : said('in_progress'));
    await background().run();
    expect(asked).toEqual(['GET /v1/responses/resp_1', 'POST /v1/responses/resp_1/cancel']);
    expect(closed).toMatchObject([{ units: 20 }]);
  });

  it('is given back after a day if the upstream no longer answers', async () => {
    nowMs = BACKGROUND_LIFE_MS + 1;
    answer = () => ({ status: 500, body: {} });
    await background().run();
    expect(closed).toMatchObject([{ units: 0, log: { content: 'the response did not end within a day' } }]);
    expect(house).toMatchObject([{ kind: 'attempt', isEstimated: true }]);
  });

  it('stays open while its upstream is silent', async () => {
    answer = () => ({ status: 503, body: {} });
    nowMs = 23 * HOUR_MS;
    await background().run();
    expect([closed, rows.length]).toEqual([[], 1]);
  });

  it('is not there yet because a clock is put forward', async () => {
    const responses = background();
    aheadMs = 2 * BACKGROUND_LIFE_MS;
    await responses.run();
    expect([closed, asked]).toEqual([[], ['GET /v1/responses/resp_1']]);
  });

  it('that is unknown to its upstream is given back, but not in its first minute', async () => {
    answer = () => ({ status: 404, body: {} });
    const responses = background();
    await responses.run();
    expect(closed).toEqual([]);
    nowMs = 61_000;
    await responses.run();
    expect(closed).toMatchObject([{ units: 0 }]);
  });

  it('that is unknown to its upstream is given back where the clock was set back since', async () => {
    answer = () => ({ status: 404, body: {} });
    aheadMs = -66_000;
    await background().run();
    expect(closed).toMatchObject([{ units: 0 }]);
  });

  it('that is lost after its caller received a part of it costs that part', async () => {
    answer = () => ({ status: 404, body: {} });
    const responses = background();
    const [seen] = rows;
    if (seen) await responses.observe(seen, seenOf(said('in_progress', { output: [text] }).body));
    nowMs = 61_000;
    await responses.run();
    expect(closed).toMatchObject([{ units: 40 }]);
  });

  it('whose channel stays gone is given back after an hour', async () => {
    channels = new Map();
    const responses = background();
    await responses.run();
    expect(closed).toEqual([]);
    nowMs = HOUR_MS + 5000;
    await responses.run();
    expect(closed).toMatchObject([{ units: 0, log: { content: 'the channel of the response is gone' } }]);
  });

  it('that never got an id is given back after an hour', async () => {
    given({ responseId: '' });
    const responses = background();
    await responses.run();
    expect(closed).toEqual([]);
    given({ responseId: '' });
    nowMs = HOUR_MS + 1;
    await responses.run();
    expect([closed[0]?.units, asked]).toEqual([0, []]);
  });
});

describe('a response that a reader is receiving', () => {
  it('is not given back before it is known how much was received', async () => {
    answer = () => said('cancelled');
    const responses = background();
    const [row1] = rows;
    if (row1 === undefined) throw new Error('no row');
    const listener = responses.listen(row1);
    await responses.run();
    expect(closed).toEqual([]);
    const delta = JSON.stringify({ type: 'response.output_text.delta', delta: 'y'.repeat(80) });
    listener.received({
      raw: Buffer.from(`data: ${delta}\n\n`),
      data: Buffer.from(delta),
      event: 'response.output_text.delta',
    });
    await listener.end();
    nowMs += 60_000;
    await responses.run();
    expect(closed).toMatchObject([{ units: 20 + 40 }]);
  });
});
