import { expect, test } from 'vitest';
import { scripts } from '../../src/simulator/scripts.ts';
import type { Rig } from './rig.ts';
import { useGateway } from './use-gateway.ts';

/** A stream as one JSON list, for callers of Gemini's format who do not request events: valid JSON, whatever the upstream does. */

const { start, scripted } = useGateway();

/** Tested only with events, because they take seconds each or never end. */
const LONG = /^(?:hang-|endless-|silent$|slow-|gzip-bomb$|big-event$)/;
/** Scripts that only a timeout ends are aborted early. */
const HANGING_SETTING = JSON.stringify({
  first_byte_timeout_ms: 3000,
  first_event_timeout_ms: 3000,
  whole_reply_timeout_ms: 3000,
  idle_timeout_ms: 3000,
});
const OPENAI = 1;
const ANTHROPIC = 14;
const GEMINI = 24;

const list = async ({ url, key }: Rig, model: string): Promise<unknown[]> => {
  const response = await fetch(`${url}/v1beta/models/${model}:streamGenerateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
  });
  const body: unknown = JSON.parse(await response.text());
  return Array.isArray(body) ? body : [body];
};

const isError = (item: unknown): boolean => typeof item === 'object' && item !== null && 'error' in item;

test.each([OPENAI, ANTHROPIC, GEMINI])(
  'an upstream of type %s that misbehaves is told in a list that is JSON, its errors last',
  async (type) => {
    const walked = Object.entries(scripts).filter(
      ([name, { wholeOnly }]) => wholeOnly !== true && !LONG.test(name),
    );
    const rig = await start(
      walked.map(([name, { hangs }]) =>
        scripted(name, {
          type,
          models: name,
          modelMapping: JSON.stringify({ [name]: `fault-${name}` }),
          autoDisable: false,
          ...(hangs === true && { setting: HANGING_SETTING }),
        }),
      ),
      { ModelRatio: Object.fromEntries(walked.map(([name]) => [name, 1])), RetryTimes: 0 },
    );
    const wrong = await Promise.all(
      walked.map(async ([name, { outcome }]) => {
        const items = await list(rig, name).catch((thrown: unknown) => [`no JSON: ${String(thrown)}`]);
        const errors = items.filter(isError).length;
        const isRight = outcome === 'answer' ? errors === 0 : errors === 1 && isError(items.at(-1));
        return isRight ? [] : [`${name}, to be told as ${outcome}: ${JSON.stringify(items.slice(-2))}`];
      }),
    );
    // The test report shortens lists, but prints a text in full.
    expect(wrong.flat(), wrong.flat().join('\n')).toEqual([]);
  },
);
