import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { openScene } from '../../http/testing/scene.ts';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

/** A channel of several keys that two relays send calls to, of one server or of two: what one finds out holds for both. */

const MASTER = { TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters' };
/** So many connections meet both relays of a server. */
const MANY = 40;

describe.each(['two servers on PostgreSQL', 'two relays of a server on SQLite'] as const)('%s', (which) => {
  const isTwo = which === 'two servers on PostgreSQL';
  const folder = temporaryFolder();
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  let second: RunningServer | undefined;
  const here = setPoolScene(async () => {
    postgres = isTwo ? await startPostgres() : undefined;
    return openScene(
      postgres === undefined ? { TOLLGATE_RELAYS: '2' } : { ...MASTER, DATABASE_URL: postgres.url },
    );
  });
  beforeAll(async () => {
    if (postgres === undefined) return;
    const environment = { ...testEnvironment(folder.path), ...MASTER, DATABASE_URL: postgres.url };
    second = await startServer(readConfig(environment), { log: keptLog() });
  });
  afterAll(async () => {
    await second?.stop();
    await postgres?.stop();
    folder.remove();
  });

  const there = (): string => second?.url ?? here.scene.server.url;
  /** Half of them here, half of them there. @returns how many were answered */
  const chats = async (count: number): Promise<number> => {
    const calls = Array.from({ length: count }, (_, n) => here.chat(n % 2 === 0 ? undefined : there()));
    const statuses = await Promise.all(calls);
    expect(new Set(statuses)).toEqual(new Set([200]));
    return statuses.length;
  };
  /** The keys of many calls there. */
  const usedThere = async (): Promise<ReadonlySet<string>> => {
    here.used.length = 0;
    for (let n = 0; n < MANY; n += 1) expect(await here.chat(there())).toBe(200);
    return new Set(here.used);
  };

  it('a key that one finds revoked, or that is switched off, is soon not used by the other', async () => {
    const { id } = await here.pool(['aaaa', 'bbbb', 'cccc', 'dddd'].map(keyOf));
    // Whoever has not heard of the pool yet knows no channel.
    await expect.poll(() => here.chat(there())).toBe(200);
    await chats(MANY);
    here.answers.set(keyOf('aaaa'), { status: 401, message: 'bad key' });
    await expect
      .poll(async () => {
        await here.chat();
        return (await here.statuses(id))['aaaa'];
      })
      .toBe('revoked');
    // From now on it would work: the other finds nothing out itself.
    here.answers.delete(keyOf('aaaa'));
    await expect.poll(usedThere).toEqual(new Set(['bbbb', 'cccc', 'dddd'].map(keyOf)));
    const row = (await here.scene.stage.keysOf(id)).find(({ tail }) => tail === 'bbbb');
    await here.post(`/api/channel/${id}/keys/${String(row?.id)}`, { status: 'off' }, 'PUT');
    await expect.poll(usedThere).toEqual(new Set(['cccc', 'dddd'].map(keyOf)));
  });

  it('a spent key that has waited is tried by one call of both relays, and its sums add up', async () => {
    const { id } = await here.pool(['aaaa', 'bbbb', 'cccc'].map(keyOf));
    await expect.poll(() => here.chat(there())).toBe(200);
    const { channelKeys, channels, database } = here.scene.server.parts.stores;
    const [first] = await here.scene.stage.keysOf(id);
    const spent = (untilMs: number) =>
      channelKeys.change(id, first?.id ?? 0, { status: 'spent', reason: 'x', untilMs, rounds: 1 });
    await spent(Date.now() + 3_600_000);
    await here.scene.server.parts.refreshRouting();
    // Whoever had not heard that it is spent would send calls with it that try nothing.
    const isUsed = async (): Promise<boolean> => {
      here.used.length = 0;
      await chats(MANY);
      return here.used.includes(keyOf('aaaa'));
    };
    await expect.poll(isUsed).toBe(false);
    here.answers.set(keyOf('aaaa'), { status: 402, message: 'still no money' });
    here.used.length = 0;
    await spent(Date.now() - 1);
    await here.scene.server.parts.refreshRouting();
    let answered = await chats(MANY);
    await expect
      .poll(async () => {
        answered += await chats(4);
        return (await here.scene.stage.keysOf(id))[0]?.rounds;
      })
      .toBe(2);
    answered += await chats(MANY);
    expect(here.used.filter((key) => key === keyOf('aaaa'))).toHaveLength(1);
    const keys = await here.scene.stage.keysOf(id);
    const sum = keys.reduce((all, { usedQuotaUnits }) => all + usedQuotaUnits, 0);
    expect((await channels.byId(id))?.usedQuotaUnits).toBe(sum);
    // One call before it was spent, or more where it was not known yet.
    expect(sum).toBeGreaterThanOrEqual(200 * (answered + 1));
    expect(sum % 200).toBe(0);
    expect(await brokenRules(database)).toEqual([]);
  });
});
