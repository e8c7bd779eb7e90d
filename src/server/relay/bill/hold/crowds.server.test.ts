import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { startPostgres } from '../../../store/testing/postgres-server.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/** Of many calls at once as many are served as the money pays for, though each holds more at first than it costs. */

const CALLERS = 200;
/** Thirteen tokens of prompt and thirty of answer, which cost four times as much. */
const COST = 133;
const BALANCE = 20_000;
const PAID_FOR = Math.floor(BALANCE / COST);

const event = (fields: object): string => `data: ${JSON.stringify({ id: 'c', ...fields })}\n\n`;
const usage = { prompt_tokens: 13, completion_tokens: 30, total_tokens: 43 };
const content = 'word '.repeat(25);
const streamed = [
  event({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] }),
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  event({ choices: [], usage }),
  'data: [DONE]\n\n',
].join('');
const message = { role: 'assistant', content };
const whole = JSON.stringify({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }], usage });

// Every two of engine, stream and limit meet.
for (const engine of ['sqlite', 'postgres'] as const)
  describe(`on ${engine}`, () => {
    let upstream: SlowUpstream;
    let scene: Scene;
    let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;

    beforeAll(async () => {
      upstream = await startSlowUpstream(500, ({ stream }) => (stream === true ? streamed : whole));
      postgres = engine === 'postgres' ? await startPostgres() : undefined;
      scene = await openScene(postgres === undefined ? {} : { DATABASE_URL: postgres.url });
      await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'm' });
      await scene.set('ModelRatio', '{"m":1}');
      await scene.set('CompletionRatio', '{"m":4}');
      // A busy machine is slow to answer.
      await scene.set('QuotaWaitSeconds', 120);
    });
    afterAll(async () => {
      await scene.close();
      upstream.close();
      await postgres?.stop();
    });

    const ask = async (
      { key }: Spender,
      stream: boolean,
      limit?: number,
    ): Promise<readonly [number, string]> => {
      const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'm',
          stream,
          max_tokens: limit,
          messages: [{ role: 'user', content: 'Say something' }],
        }),
      });
      return [answer.status, await answer.text()];
    };

    it.each(
      engine === 'sqlite'
        ? [
            [true, undefined],
            [false, 64_000],
          ]
        : [
            [true, 64_000],
            [false, undefined],
          ],
    )(
      'a crowd is served whole as far as the money goes, the rest is refused with amounts (stream: %s, limit: %s)',
      async (stream, limit) => {
        const spender = await scene.spender(`c${String(stream)}${String(limit)}`, BALANCE);
        const answers = await Promise.all(Array.from({ length: CALLERS }, () => ask(spender, stream, limit)));
        const served = answers.filter(([status]) => status === 200);
        for (const [, text] of served) expect(text).toContain('"finish_reason":"stop"');
        expect(served).toHaveLength(PAID_FOR);
        const refused = answers.filter(([status]) => status === 403);
        expect(refused).toHaveLength(CALLERS - PAID_FOR);
        for (const [, text] of refused) expect(text).toContain('insufficient user quota');
        const { quotaUnits, usedQuotaUnits } =
          (await scene.server.parts.stores.users.byId(spender.user.id)) ?? spender.user;
        expect([quotaUnits, usedQuotaUnits]).toEqual([BALANCE - PAID_FOR * COST, PAID_FOR * COST]);
        expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
      },
    );
  });
