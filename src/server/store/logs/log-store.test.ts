import { type KyselyPlugin, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { promptTokens } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import type { LogFilter, LogStore } from '#core/log/log-store.ts';
import type { OwnCall } from '#core/reconcile/reconciliation.ts';
import { eachChannelCall } from './channel-calls.ts';
import { asCopies, asObjects } from './exported-rows.ts';
import { exportLogs } from './log-export.ts';
import { sortedSpan } from './log-sort.ts';
import { createLogStore } from './log-store.ts';
import { callLog, givenUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createUserStore } from '../people/user-store.ts';

const HOUR_MS = 3_600_000;
const MODELS = ['gpt-5', 'gpt-5-mini', 'claude'];
const TOKENS = ['100% n_w ÉÉ', 'token 1', "it's \\N,\ta \\\\ token 2\r\n"];
/** More names of a kind than a statement lists. */
const MANY_NAMES = 201;

onEachEngine('logs', (on) => {
  let logs: LogStore;
  /** Every row as it should be found, oldest first. */
  const written: CallLog[] = [];

  const writeCalls = async (userId: number, count: number) => {
    const { ledger } = on;
    const calls = Array.from({ length: count }, (_, at) =>
      callLog({
        // Five to the same millisecond, and hours of very different size.
        requestId: `call-${at}`,
        createdAtMs: Math.floor(at / 5) * (at < 300 ? 1000 : HOUR_MS / 8),
        userId,
        type: at % 7 === 0 ? 5 : 2,
        tokenId: at % 4,
        tokenName: TOKENS[at % 3] ?? 'rest',
        model: MODELS[at % 4] ?? 'rare',
        program: at % 6 === 0 ? undefined : at % 3 === 0 ? 'Codex' : 'curl',
        useTimeMs: (at * 7919) % 1000,
        channelId: at % 2,
        group: at % 5 === 0 ? 'vip' : 'default',
        content: at % 2 === 0 ? '' : TOKENS.join('€😀'),
        ...(at % 3 === 0 && { costNano: at, session: `\\${at}` }),
        quotaUnits: at % 7 === 0 ? 0 : at,
      }),
    );
    for (const log of calls) {
      const { requestId: id, createdAtMs: nowMs, quotaUnits } = log;
      await ledger.hold({ id, userId, tokenId: null, quotaUnits, nowMs, expiresAtMs: nowMs + 1 });
      if (log.type === 5) await ledger.void(id, nowMs, log);
      else await ledger.settle({ id, quotaUnits, nowMs, writeLog: true, log });
    }
    written.push(...calls);
  };

  const expected = (filter: LogFilter) =>
    written
      .filter(
        (log) =>
          (filter.type === undefined || log.type === filter.type) &&
          (filter.modelPart === undefined ||
            `=${log.model}` === filter.modelPart ||
            log.model.toLowerCase().includes(filter.modelPart.toLowerCase())) &&
          (filter.tokenNamePart === undefined ||
            log.tokenName.toLowerCase().includes(filter.tokenNamePart.toLowerCase())) &&
          (filter.tokenId === undefined || log.tokenId === filter.tokenId) &&
          (filter.group === undefined || log.group === filter.group) &&
          (filter.program === undefined || log.program === filter.program) &&
          (filter.channelId === undefined || log.channelId === filter.channelId) &&
          (filter.fromMs === undefined || log.createdAtMs >= filter.fromMs) &&
          (filter.toMs === undefined || log.createdAtMs <= filter.toMs),
      )
      .reverse();

  beforeAll(async () => {
    logs = createLogStore(on.database);
    const { ledger } = on;
    const userId = await givenUser(on.database, ledger, 1_000_000);
    await writeCalls(userId, 600);
    for (let at = 0; at < MANY_NAMES; at += 1)
      await sql`INSERT INTO names (id, name) VALUES (${1_000_000 + at}, ${`Claude's ${at}`})`.execute(
        on.database.writer,
      );
  });

  const filters: LogFilter[] = [
    {},
    { type: 2 },
    { modelPart: 'rare' },
    { modelPart: 'GPT' },
    { modelPart: 'mini', tokenNamePart: '2' },
    { tokenNamePart: 'ÉÉ' },
    { tokenNamePart: '%' },
    { tokenNamePart: 'n_' },
    { tokenNamePart: "'S \\N" },
    { tokenNamePart: '\\\\' },
    { tokenId: 2, group: 'vip' },
    { tokenId: 99 },
    { channelId: 1, type: 5 },
    { fromMs: 30_001, toMs: 5 * HOUR_MS + 17 },
    { fromMs: 10_000, toMs: 20_000, modelPart: 'claude' },
    { modelPart: 'unheard of' },
    { modelPart: '=gpt-5' },
    { modelPart: '=gpt' },
    { program: 'Codex', type: 2 },
    { program: 'Zed' },
  ];

  it('are exported whole under every filter, each row once, newest first', async () => {
    for (const filter of filters) {
      const { total, pages } = await logs.export(filter);
      const found = await Array.fromAsync(pages);
      const rows = found.flat();
      const wanted = expected(filter);
      // Hours of forty rows make full pages too.
      expect(found.length, JSON.stringify(filter)).toBeLessThanOrEqual(1 + wanted.length / 100);
      expect(total, JSON.stringify(filter)).toBe(wanted.length);
      expect(rows.map(({ requestId }) => requestId)).toEqual(wanted.map(({ requestId }) => requestId));
    }
  });

  it('are the same rows as copies and as objects, under every filter', async () => {
    if (on.database.engine !== 'postgres') return;
    for (const filter of filters.map((some) => ({ ...some, withDetails: true }))) {
      const [copies, objects] = await Promise.all(
        [asCopies, asObjects].map(async (way) => {
          const { pages } = await exportLogs(on.database.reader, filter, way);
          return (await Array.fromAsync(pages)).flat();
        }),
      );
      expect(copies, JSON.stringify(filter)).toEqual(objects);
    }
  });

  it('are read ahead while an exported page is written, and a failure then is told with the next page', async () => {
    const sent: unknown[] = [];
    const failsLater: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        if (node.kind === 'RawNode') sent.push(queryId);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        if (queryId === sent[2]) throw new Error('the database is away');
        return result;
      },
    };
    const { pages } = await exportLogs(on.database.reader.withPlugin(failsLater), {});
    const reading = pages[Symbol.asyncIterator]();
    // The second was read to see whether it has room on this page; the third is on its way.
    expect((await reading.next()).value).toHaveLength(200);
    expect(sent).toHaveLength(3);
    await expect(reading.next()).rejects.toThrow('away');
  });

  it('gives every row once, newest first, whatever the filter and the page', async () => {
    for (const filter of filters) {
      const wanted = expected(filter).map((log) => log.requestId);
      const found: string[] = [];
      for (let page = 1; page <= Math.ceil(wanted.length / 17) + 1; page++) {
        const answer = await logs.page(filter, { page, pageSize: 17 });
        expect(answer.total).toBe(wanted.length);
        found.push(...answer.items.map((row) => row.requestId));
      }
      expect(found).toEqual(wanted);
    }
  });

  it('are sorted by time, duration, tokens and cost over all pages, alike ones newest first', async () => {
    const values = {
      times: (log: CallLog) => log.useTimeMs,
      cost: (log: CallLog) => log.quotaUnits,
      prompt: (log: CallLog) => promptTokens(log.usage),
      time: (log: CallLog) => log.createdAtMs,
    };
    for (const [key, valueOf] of Object.entries(values))
      for (const isDescending of [true, false])
        for (const filter of [{}, { program: 'Codex' }, { fromMs: 30_001, toMs: 5 * HOUR_MS + 17 }]) {
          const sign = isDescending ? -1 : 1;
          const isOldestFirst = key === 'time' && !isDescending;
          const newest = expected(filter);
          const wanted = isOldestFirst
            ? newest.toReversed()
            : newest.toSorted((one, other) => sign * (valueOf(one) - valueOf(other)));
          const found: string[] = [];
          for (let page = 1; page <= Math.ceil(wanted.length / 50) + 1; page++) {
            const sort = { key, isDescending };
            const { items, total, sortedSinceMs } = await logs.page(filter, { page, pageSize: 50, sort });
            expect([total, sortedSinceMs]).toEqual([wanted.length, undefined]);
            found.push(...items.map((row) => row.requestId));
          }
          expect(found, key).toEqual(wanted.map(({ requestId }) => requestId));
        }
  });

  it('of very many rows, only the newest are sorted', async () => {
    const { reader } = on.database;
    const span = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
    const newest = expected({});
    // Five calls share each moment: those of one that is cut are left out together.
    const cut = await sortedSpan(reader, span, 12);
    expect(cut.fromMs).toBe((newest[12]?.createdAtMs ?? 0) + 1);
    expect(expected({ fromMs: cut.fromMs }).length).toBe(10);
    expect(await sortedSpan(reader, span, 600)).toEqual(span);
  });

  it('finds every row by a part that more names have than are listed in a statement', async () => {
    const { writer } = on.database;
    const others = Array.from({ length: 300 }, (_, at) => ({ name: `another gpt of ${at}` }));
    await writer.insertInto('names').values(others).execute();
    for (const filter of [{ modelPart: 'gpt' }, { modelPart: 'gpt', tokenNamePart: 'ken 1', type: 2 }]) {
      const wanted = expected(filter);
      const { items, total } = await logs.page(filter, { page: 2, pageSize: 50 });
      expect(total).toBe(wanted.length);
      expect(items.map((row) => row.requestId)).toEqual(wanted.slice(50, 100).map((log) => log.requestId));
      expect((await logs.stat(filter, 0)).quotaUnits).toBe(
        expected({ ...filter, type: 2 }).reduce((units, log) => units + log.quotaUnits, 0),
      );
    }
  });

  it('sums what was charged, exactly, also where a time range cuts an hour', async () => {
    for (const filter of filters) {
      const sum = expected({ ...filter, type: 2 }).reduce((units, log) => units + log.quotaUnits, 0);
      expect((await logs.stat(filter, 0)).quotaUnits).toBe(sum);
    }
    // One call's charge, whatever type it is asked for under.
    for (const type of [undefined, 1, 2, 5])
      expect(await logs.stat({ requestId: 'call-31', ...(type && { type }) }, 0)).toMatchObject({
        quotaUnits: 31,
      });
  });

  it('counts calls and tokens of the last minute', async () => {
    const calls = expected({ type: 2, fromMs: 1, toMs: 60_000 }).length;
    expect(await logs.stat({}, 60_000)).toMatchObject({
      callsPerMinute: calls,
      tokensPerMinute: calls * 120,
    });
  });

  it('finds one call by its id, and not under another filter', async () => {
    const { items, total } = await logs.page({ requestId: 'call-31' }, { page: 1, pageSize: 10 });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      requestId: 'call-31',
      model: 'rare',
      tokenName: 'token 1',
      promptTokens: 100,
      quotaUnits: 31,
    });
    expect(
      (await logs.page({ requestId: 'call-31', modelPart: 'claude' }, { page: 1, pageSize: 10 })).total,
    ).toBe(0);
    expect((await logs.page({ requestId: 'nothing' }, { page: 1, pageSize: 10 })).items).toEqual([]);
  });

  it('keeps rows that are not calls, and finds rows by an account’s current name', async () => {
    const [user] = (await createUserStore(on.database).list({ page: 1, pageSize: 1 })).items;
    await logs.append({
      createdAtMs: 5,
      type: 3,
      userId: user!.id,
      username: 'old name',
      content: 'quota changed',
    });
    const { items } = await logs.page({ username: user!.username, type: 3 }, { page: 1, pageSize: 10 });
    expect(items).toMatchObject([{ content: 'quota changed', username: 'old name', type: 3 }]);
    expect((await logs.page({ username: 'old name' }, { page: 1, pageSize: 10 })).total).toBe(0);
  });

  it('sorted by cost, what came in is no cost: a top-up is behind the dearest call, however large', async () => {
    await logs.appendCall(
      callLog({ requestId: '', createdAtMs: 9 * HOUR_MS, type: 1, quotaUnits: 9_000_000 }),
    );
    const sort = { key: 'cost', isDescending: true };
    const { items } = await logs.page({}, { page: 1, pageSize: 1, sort });
    expect(items).toMatchObject([{ requestId: 'call-599', quotaUnits: 599 }]);
  });

  it('passes on the charged calls of some channels once each, oldest first, and counts those that failed', async () => {
    const asked = { channelIds: [1, 7], fromMs: 3000, untilMs: 100 * HOUR_MS };
    const expectedCalls = written.filter((log) => log.channelId === 1 && log.createdAtMs >= 3000);
    for (const rowsAtOnce of [7, 1000]) {
      const calls: OwnCall[] = [];
      const failed = await eachChannelCall(on.database.reader, asked, (call) => calls.push(call), rowsAtOnce);
      const charged = expectedCalls.filter(({ type }) => type === 2);
      expect(calls.map(({ requestId }) => requestId)).toEqual(charged.map(({ requestId }) => requestId));
      expect(failed).toBe(expectedCalls.length - charged.length);
      expect(calls[0]).toMatchObject({ model: charged[0]?.model, promptTokens: 100, completionTokens: 20 });
    }
  });
});
