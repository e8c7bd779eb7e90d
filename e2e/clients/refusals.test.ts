import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Rig, startRig } from '../faults/rig.ts';
import { oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { agents, isMissing } from './agents.ts';

/** A coding agent that is refused permanently says why, at once: it does not retry for minutes, and does not ask to log in. */

const channels = [
  { type: typeOfFormat('openai-chat'), baseUrl: 'http://127.0.0.1:9', models: 'm', autoDisable: false },
];
let rig: Rig;
let poor: Rig;
beforeAll(async () => {
  rig = await startRig(channels, { RetryTimes: 0 }, undefined, oneFormatUpstream);
  poor = await startRig(channels, { RetryTimes: 0 }, 1, oneFormatUpstream);
});
afterAll(async () => {
  await rig.stop();
  await poor.stop();
});

const troubles = {
  'an unknown model': { at: () => rig, model: 'mm', words: /model/i },
  'an empty account': { at: () => poor, model: 'm', words: /insufficient user quota/ },
  'a wrong key': {
    at: () => ({ url: rig.url, key: 'sk-wrong' }),
    model: 'm',
    words: /invalid or expired token/,
  },
} as const;

/** An agent alone takes a few seconds to start on a loaded machine; trying again takes one to three minutes. */
const SOON_MS = 30_000;

describe.each(Object.entries(agents))('%s', (agent, run) => {
  test.skipIf(isMissing(agent)).each(Object.entries(troubles))(
    'is told of %s once and ends',
    { timeout: 120_000 },
    async (name, trouble) => {
      const { url, key } = trouble.at();
      const startedMs = performance.now();
      const { output, code } = await run({ url, key, model: trouble.model, prompt: 'Say hello.' });
      expect(output).toMatch(trouble.words);
      const blamesLogin = /failed to authenticate/i.test(output);
      expect(blamesLogin && name !== 'a wrong key').toBe(false);
      expect(code).not.toBe(0);
      expect(performance.now() - startedMs).toBeLessThan(SOON_MS);
    },
  );
});
