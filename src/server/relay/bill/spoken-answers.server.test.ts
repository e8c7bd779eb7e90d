import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { auditDatabase } from '../../store/ledger/audit.ts';

/** An answer that is spoken is held for at the price of sound (docs/billing.md). */

let upstream: Server;
let scene: Scene;
let served = 0;

/** A token of sound costs sixteen units, one of text four. */
const SPOKEN = 1000;
const COST = 10 + SPOKEN * 16;
const usage = {
  prompt_tokens: 10,
  completion_tokens: SPOKEN,
  completion_tokens_details: { audio_tokens: SPOKEN },
  total_tokens: 10 + SPOKEN,
};
const audio = { id: 'a', data: 'AAAA', transcript: 'Hello', expires_at: 1 };
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    void text(request).then((body) => {
      served += 1;
      const isStream = (JSON.parse(body) as { readonly stream?: boolean }).stream === true;
      setTimeout(() => {
        response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
        const message = { role: 'assistant', content: null, audio };
        if (!isStream) {
          response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
          return;
        }
        response.end(
          event({ choices: [{ index: 0, delta: { role: 'assistant', audio } }] }) +
            event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
            event({ choices: [], usage }) +
            'data: [DONE]\n\n',
        );
      }, 100);
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((upstream.address() as AddressInfo).port)}`;
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl, models: 'speaking' });
  await scene.set('ModelRatio', '{"speaking":1}');
  await scene.set('CompletionRatio', '{"speaking":4}');
  await scene.set('PriceDimensions', '{"speaking":{"ratios":{"audioInput":8,"audioOutput":2}}}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const ask = async ({ key }: Spender, more: object): Promise<number> => {
  const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'speaking',
      max_tokens: SPOKEN,
      messages: [{ role: 'user', content: 'Hi' }],
      ...more,
    }),
  });
  await answer.text();
  return answer.status;
};
const rowsOf = async ({ user }: Spender) => {
  const { logs } = scene.server.parts.stores;
  const { items } = await logs.page({ userId: user.id, type: 2 }, { page: 1, pageSize: 50 });
  return items.map(({ quotaUnits, other }) => ({
    units: quotaUnits,
    ...(JSON.parse(other) as { readonly hold_units: number; readonly not_charged_units?: number }),
  }));
};
const spoken = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } };

it.each([false, true])(
  'is held for and charged as sound (stream: %s), and as text where none is asked for',
  async (stream) => {
    const spender = await scene.spender(`one-${String(stream)}`, 10_000_000);
    expect(await ask(spender, { stream, ...spoken })).toBe(200);
    expect(await ask(spender, { stream })).toBe(200);
    const [written, said] = await rowsOf(spender);
    expect(said).toMatchObject({ units: COST });
    expect(said?.hold_units).toBeGreaterThanOrEqual(SPOKEN * 16);
    expect(written?.hold_units).toBeLessThan(SPOKEN * 5);
  },
);

it.each([false, true])(
  'of a crowd, no more is served than the money pays for (stream: %s)',
  async (stream) => {
    const crowd = await scene.spender(`crowd-${String(stream)}`, 3 * (COST + 500));
    served = 0;
    await Promise.all(Array.from({ length: 12 }, () => ask(crowd, { stream, ...spoken })));
    expect(served).toBe(3);
    const rows = await rowsOf(crowd);
    expect(rows.map(({ units, not_charged_units: lost = 0 }) => [units, lost])).toEqual(
      Array.from({ length: 3 }, () => [COST, 0]),
    );
    const findings = await auditDatabase(scene.server.parts.stores.database, Date.now());
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
  },
);
