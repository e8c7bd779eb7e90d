import { afterAll, expect, it, vi } from 'vitest';
import { role } from '#contract/codes.ts';
import { isOptionKey, type OptionKey, optionRow, optionTable } from '#contract/options.ts';
import { anotherText } from '#contract/options/testing/option-texts.ts';
import { SECOND_PERSON } from '#contract/price-book.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, serveUntilSignal, startServer } from '../../main.ts';
import { setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const start = (): Promise<RunningServer> =>
  startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });

it('every option is saved, counts, and is the same after a restart', async () => {
  // A secret is entered once it is known where it goes; a service is switched on after what it needs.
  // While prices need a second person, those that are prices wait.
  const turn = (key: OptionKey): number => {
    if (key === SECOND_PERSON) return 3;
    // Others name the group that it makes.
    if (key === 'GroupRatio') return -1;
    const { needs, secret } = optionRow(key);
    return needs === undefined ? Number(secret === true) : 2;
  };
  const keys = Object.keys(optionTable)
    .filter(isOptionKey)
    .toSorted((left, right) => turn(left) - turn(right));
  const first = await start();
  const stage = await setStage(first);
  const call = stage.caller(await stage.session(await stage.person('root', role.root)));
  await stage.person('second', role.admin);
  for (const key of keys) {
    const got = await call('/api/option/', { method: 'PUT', body: { key, value: anotherText(key) } });
    expect([key, got.message]).toEqual([key, '']);
  }
  const counted = first.parts.routing().options;
  await first.stop();
  const second = await start();
  const listed = new Map((await second.parts.options.list()).options.map(({ key, value }) => [key, value]));
  const shown = keys.filter((key) => optionRow(key).secret !== true);
  expect(shown.map((key) => [key, listed.get(key)])).toEqual(shown.map((key) => [key, anotherText(key)]));
  expect(second.parts.routing().options).toEqual(counted);
  for (const key of keys) {
    const initial: unknown = optionRow(key).initial;
    expect([key, counted[key]]).not.toEqual([key, initial]);
  }
  await endsThoughItCannotStop(second);
  await second.stop();
});

/**
 * A process that is asked to end does so, even if its server fails to stop, as it may without its database. The signal
 * is given to what listens for this server alone: others of the process, a test's PostgreSQL among them, would end it.
 */
const endsThoughItCannotStop = async (server: RunningServer): Promise<void> => {
  const events = ['SIGTERM', 'SIGINT', 'unhandledRejection', 'uncaughtExceptionMonitor'];
  const before = new Map(events.map((event) => [event, process.rawListeners(event)]));
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  serveUntilSignal({ ...server, stop: () => Promise.reject(new Error('the database is away')) });
  const added = events.flatMap((event) =>
    process
      .rawListeners(event)
      .filter((listener) => before.get(event)?.includes(listener) !== true)
      .map((listener) => ({ event, listener: listener as (...args: unknown[]) => void })),
  );
  for (const { event, listener } of added) if (event === 'SIGTERM') listener('SIGTERM');
  await expect.poll(() => exit.mock.calls).toEqual([[1]]);
  exit.mockRestore();
  for (const { event, listener } of added) process.off(event, listener);
};

it('a table of prices longer than what is taken now is kept, read at the start, and made shorter but not longer', async () => {
  const long = temporaryFolder();
  const startThere = () => startServer(readConfig(testEnvironment(long.path)), { log: keptLog() });
  const names = Array.from(
    { length: 30_000 },
    (_, n) => [`model-${String(n).padStart(20, '0')}`, 2] as const,
  );
  const table = Object.fromEntries(names);
  const first = await startThere();
  const { id, username: name } = await (await setStage(first)).person('root', role.root);
  const stored = new Map<OptionKey, string>([['ModelRatio', JSON.stringify(table)]]);
  await first.parts.stores.options.setAll(stored, Date.now(), { id, name });
  await first.stop();
  const second = await startThere();
  const stage = await setStage(second);
  const root = await second.parts.stores.users.byLogin('root');
  if (root === undefined) throw new Error('there is no super admin');
  const call = stage.caller(await stage.session(root));
  const put = async (prices: object): Promise<string> => {
    const value = JSON.stringify(prices);
    return (await call('/api/option/', { method: 'PUT', body: { key: 'ModelRatio', value } })).message;
  };
  expect(second.parts.routing().options.ModelRatio).toEqual(table);
  expect(await put({ ...table, another: 3 })).toContain('at most 524288 characters');
  expect(await put(Object.fromEntries(names.slice(1)))).toBe('');
  expect(Object.keys(second.parts.routing().options.ModelRatio)).toHaveLength(29_999);
  expect(await put({ one: 3 })).toBe('');
  expect(await put(table)).toContain('at most 524288 characters');
  await second.stop();
  long.remove();
});
