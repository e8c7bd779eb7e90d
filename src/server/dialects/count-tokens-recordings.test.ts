import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import { countTextTokens } from './count-tokens.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini/gemini.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';
import { fold } from './testing/fold.ts';

// oxlint-disable-next-line no-restricted-properties -- only where the recordings are; no setting of the server
const recordings = process.env['TOLLGATE_RECORDINGS'];
const folder = join(recordings ?? join(import.meta.dirname, '../../../../shared/recorded'), 'exchanges');

const dialects: Readonly<Record<string, Dialect>> = {
  'openai.chat': openaiChat,
  'anthropic.messages': anthropicMessages,
  'gemini.generateContent': gemini,
};

interface Exchange {
  readonly endpoint: string;
  readonly response: { readonly status: number; readonly body?: unknown };
}

/** How far the count of an answer of nothing but text is from what its upstream reports, as a part of it. */
const deviationOf = ({ endpoint, response }: Exchange): number[] => {
  const dialect = dialects[endpoint];
  if (dialect === undefined || response.status !== 200 || response.body === undefined) return [];
  const { model, usage, choices } = fold(dialect.readWhole(response.body));
  const [answer, another] = Object.values(choices);
  if (usage === undefined || answer === undefined || another !== undefined) return [];
  const isPlain = answer.reasoning === '' && answer.calls.length === 0 && answer.audio === undefined;
  // Hidden thoughts and pictures are tokens without text.
  const isAllText =
    usage.reasoningTokens === 0 && answer.seals.length === 0 && answer.text.length > usage.outputTokens;
  if (!isPlain || !isAllText || usage.outputTokens < 50) return [];
  return [Math.abs(countTextTokens(answer.text, model) / usage.outputTokens - 1)];
};

describe.skipIf(!existsSync(folder))('tokens of recorded answers', () => {
  test('are counted within a tenth, most of them', () => {
    const deviations = readdirSync(folder)
      .filter((name) => name.includes('.unary.'))
      .flatMap((name) => deviationOf(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Exchange))
      .toSorted((a, b) => a - b);
    expect(deviations.length).toBeGreaterThan(10);
    expect(deviations[Math.floor(deviations.length / 2)]).toBeLessThan(0.06);
    expect(deviations[Math.floor(deviations.length * 0.75)]).toBeLessThan(0.11);
  });
});
