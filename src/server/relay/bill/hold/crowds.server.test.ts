import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { auditDatabase } from '../../../store/ledger/audit.ts';
import { chargesOf } from '../../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/** Of many streams at once as many are served as the money pays for, though each holds more at first than it costs. */

const STREAMS = 100;
/** Ten tokens of prompt and twenty-five of answer, which cost four times as much. */
const COST = 110;
const BALANCE = 20_000;

let upstream: SlowUpstream;
let scene: Scene;

const event = (fields: object): string => `data: ${JSON.stringify({ id: 'c', ...fields })}\n\n`;

beforeAll(async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 25, total_tokens: 35 };
  const delta = { role: 'assistant', content: 'word '.repeat(25) };
  const answer = [
    event({ choices: [{ index: 0, delta, finish_reason: null }] }),
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    event({ choices: [], usage }),
  ].join('');
  upstream = await startSlowUpstream(500, () => `${answer}data: [DONE]\n\n`);
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'm' });
  await scene.set('ModelRatio', '{"m":1}');
  await scene.set('CompletionRatio', '{"m":4}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

it.each([undefined, 1000])(
  'a crowd of streams is served whole from little money (limit: %s)',
  async (limit) => {
    const spender = await scene.spender(`crowd-${String(limit)}`, BALANCE);
    const ask = async (): Promise<readonly [number, boolean]> => {
      const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'm',
          stream: true,
          max_tokens: limit,
          messages: [{ role: 'user', content: 'Say something' }],
        }),
      });
      return [answer.status, (await answer.text()).includes('"finish_reason":"stop"')];
    };
    const answers = await Promise.all(Array.from({ length: STREAMS }, ask));
    expect(answers.filter(([status, isWhole]) => status === 200 && isWhole)).toHaveLength(STREAMS);
    const charges = await chargesOf(scene, spender);
    expect(new Set(charges.map(({ units }) => units))).toEqual(new Set([COST]));
    const findings = await auditDatabase(scene.server.parts.stores.database, Date.now());
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
  },
);
