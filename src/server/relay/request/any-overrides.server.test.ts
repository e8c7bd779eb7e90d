import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { channelOverrides } from '#contract/channel/channel-overrides.ts';
import { parsed } from '#contract/json-text.ts';
import { callerScene } from '../../http/testing/caller-scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';

/** Whatever rules a channel has: saved, they are what its preview shows, and no call fails because of us. */

const here = callerScene();
const MODEL = 'ruled';
const RUNS = 60;

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, 3.5, '', 'x', 'low', '100', [], {}),
  fc.constantFrom<unknown>([{ role: 'user', content: 'more' }], { type: 'text', text: 'more' }, ['END']),
);
const value = fc.oneof(leaf, fc.record({ a: leaf }), fc.array(leaf, { maxLength: 3 }));
const path = fc.oneof(
  fc.constantFrom(
    'model',
    'messages',
    'messages.0',
    'messages.-1',
    'messages.*',
    'messages.*.content',
    'messages.0.role',
    'messages.0.content.0.text',
    'tools',
    'tools.*.function',
    'tools.*.function.parameters.properties',
    'max_tokens',
    'max_completion_tokens',
    'n',
    'stream',
    'stream_options',
    'stream_options.include_usage',
    'service_tier',
    'reasoning_effort',
    'metadata.a.b',
    'stop',
    'tool_choice',
    'response_format.type',
    'web_search_options',
    'modalities',
    'temperature',
    'user',
  ),
  fc
    .array(fc.constantFrom('a', 'messages', '0', '-1', '*', '99', 'toString', 'length'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((names) => names.join('.')),
);
const when = fc.constantFrom(
  undefined,
  {},
  { model: 'r*' },
  { model: 'other' },
  { group: 'default' },
  { header: { name: 'x-app' } },
);
const rule = fc.oneof(
  fc.record({ op: fc.constantFrom('set', 'append'), path, value, when }),
  fc.record({ op: fc.constant('delete'), path, when }),
  fc.record({
    op: fc.constant('replace'),
    path,
    find: fc.constantFrom('*', 'Hi', 'h*', '\\*', '*o*'),
    value: fc.constantFrom('', 'x', 'low', '100'),
    when,
  }),
);
const bodies = fc.record(
  {
    messages: fc.constantFrom<object[]>(
      [{ role: 'user', content: 'Hi' }],
      [
        { role: 'system', content: 'Be good.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi *there*' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      ],
    ),
    tools: fc.constant([
      { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
    ]),
    max_tokens: fc.constantFrom(1, 50),
    n: fc.constantFrom(1, 2),
    user: fc.constant('u'),
  },
  { requiredKeys: ['messages'] },
);

describe('any rules', () => {
  it(
    'that can be saved send what the preview shows, and the audit stays clean',
    { timeout: 300_000 },
    async () => {
      await here.scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
      const wish = { baseUrl: here.upstream.url, models: MODEL, type: 1 };
      const { id } = await here.scene.stage.channel(here.scene.root, wish);
      let saved = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 4 }), bodies, async (rules, body) => {
          const overrides = rules.filter((one) => channelOverrides.safeParse([one]).success);
          const setting = JSON.stringify({ overrides });
          const put = await here.scene.asRoot('/api/channel', { method: 'PUT', body: { id, setting } });
          expect(put).toMatchObject({ success: true });
          saved += overrides.length;
          const request = { model: MODEL, ...body };
          const preview = await here.scene.asRoot('/api/channel/preview', {
            method: 'POST',
            body: { id, request, group: 'default' },
          });
          const before = here.upstream.requests.length;
          const reply = await here.post('/v1/chat/completions', request);
          const text = await reply.text();
          const sent = here.upstream.requests[before]?.body;
          const shown = (preview.data as { body: string } | null)?.body;
          // Rules that make no request are the caller's to know of, and the preview says the same.
          expect({ status: reply.status, isShown: preview.success, text }).toEqual({
            status: sent === undefined ? 400 : 200,
            isShown: sent !== undefined,
            text: expect.any(String),
          });
          expect(parsed(sent ?? '')).toEqual(parsed(shown ?? ''));
        }),
        { numRuns: RUNS },
      );
      expect(saved).toBeGreaterThan(RUNS / 2);
      expect(await brokenRules(here.scene.server.parts.stores.database)).toEqual([]);
    },
  );
});
