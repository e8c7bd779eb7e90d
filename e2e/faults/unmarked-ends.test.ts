import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathAndBody } from '../conformance/callers.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import type { Upstream } from '../../src/server/dialects/upstream.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { type Rig, startRig } from './rig.ts';

/** An answer that lacks only its end mark is complete for callers of every format. */

const SCRIPTS = ['reset-after-finish', 'hang-after-finish'] as const;
/** How a stream of each format ends. */
const ENDS: Readonly<Record<DialectName, RegExp>> = {
  'openai-chat': /data: \[DONE\]\n\n$/,
  'openai-responses': /\}\n\n$/,
  'anthropic-messages': /"type":"message_stop"\}\n\n$/,
  gemini: /\}\r?\n\r?\n$/,
};
const modelOf = (script: string, format: string): string => `${script} ${format}`;

const PATHS: Readonly<Record<DialectName, (model: string) => string>> = {
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  'anthropic-messages': () => '/v1/messages',
  gemini: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
};

/** An upstream of one format, where the simulator has it. */
const upstreamOf = (type: number): Upstream | undefined => {
  const upstream = oneFormatUpstream(type);
  const path = upstream && PATHS[upstream.dialect.name as DialectName];
  if (upstream === undefined || path === undefined) return undefined;
  return { ...upstream, address: ({ baseUrl }, { model }) => ({ url: baseUrl + path(model), headers: {} }) };
};

let simulator: RunningSimulator;
let rig: Rig;
beforeAll(async () => {
  simulator = await startSimulator();
  const cells = SCRIPTS.flatMap((script) => formats.map((format) => ({ script, format })));
  const channels = cells.map(({ script, format }) => ({
    type: typeOfFormat(format),
    baseUrl: simulator.url,
    models: modelOf(script, format),
    modelMapping: JSON.stringify({ [modelOf(script, format)]: `fault-${script}` }),
    setting: '{"idle_timeout_ms":1000}',
  }));
  const ratios = Object.fromEntries(cells.map(({ script, format }) => [modelOf(script, format), 1]));
  rig = await startRig(channels, { ModelRatio: ratios, CompletionRatio: ratios }, 1_000_000, upstreamOf);
});
afterAll(async () => {
  await rig.stop();
  await simulator.stop();
});

test.each(
  SCRIPTS.flatMap((script) => formats.flatMap((of) => formats.map((to) => [script, of, to] as const))),
)('%s of an upstream of %s, for callers of %s', async (script, of, to) => {
  const dialect = chatDialects[to];
  const model = modelOf(script, of);
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];
  const asked = dialect.writeRequest({ model, stream: true, messages, maxOutputTokens: 100, extras: {} });
  const { path, body } = pathAndBody(to, { ...asked, model, stream: true });
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(text).not.toMatch(/"error":\{|"type":"error"/);
  const said = saidIn(await eventsOf(dialect, Buffer.from(text), { stream: true }));
  expect(said).toMatchObject({ text: 'All is well with the simulated upstream.', finish: ['stop'] });
  expect(text.slice(-60)).toMatch(ENDS[to]);
});
