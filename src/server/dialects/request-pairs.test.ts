import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatRequest, ContentPart, DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from './chat-dialects.ts';
import { anthropicRequest } from './testing/anthropic-arbitraries.ts';
import { request as chatRequest } from './testing/chat-arbitraries.ts';
import { geminiRequest } from './testing/gemini-arbitraries.ts';
import { responsesRequest } from './testing/responses-arbitraries.ts';

/** Everything a caller of a format can ask for is converted for upstreams of every other, or refused by name. */

const requests: Readonly<Record<DialectName, fc.Arbitrary<ChatRequest>>> = {
  'openai-chat': chatRequest,
  'openai-responses': responsesRequest,
  'anthropic-messages': anthropicRequest,
  gemini: geminiRequest,
};
const names = Object.keys(chatDialects) as DialectName[];
const pairs = names.flatMap((from) => names.map((to): [DialectName, DialectName] => [from, to]));

/** What we add where a format has no field (docs/dialects.md). */
const OURS = [
  'The result is in the next message.',
  'Answer with one valid JSON object and nothing else.',
  'Error:',
  'Error',
];

const wordsIn = (parts: readonly ContentPart[]): string =>
  OURS.reduce(
    (text, own) => text.replaceAll(own, ''),
    parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join(''),
  );

/** A request's texts and tools, unordered, because formats order them differently. */
const wordsOf = (request: ChatRequest) => {
  const parts = request.messages.flatMap(({ content }) => content);
  const said = [...parts, ...parts.flatMap((part) => (part.type === 'tool-result' ? part.content : []))];
  return {
    texts: Array.from(wordsIn(said))
      .filter((mark) => mark.trim() !== '')
      .toSorted()
      .join(''),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])),
    results: parts.filter(({ type }) => type === 'tool-result').length,
    media: said.filter(({ type }) => type === 'image' || type === 'audio' || type === 'file').length,
    tools: (request.tools ?? []).map(({ name, webSearch }) => (webSearch ? 'search' : name)).toSorted(),
    stop: request.stop ?? [],
    // 0 means no limit.
    most: request.maxOutputTokens === 0 ? undefined : request.maxOutputTokens,
  };
};

const told = (to: DialectName, asked: ChatRequest): Readonly<Record<string, unknown>> | AppError => {
  try {
    return chatDialects[to].writeRequest(asked);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
};

const isNamed = ({ code, param = '' }: AppError): boolean => code === 'invalid_request' && param !== '';

describe.each(pairs)('whatever a caller of %s asks of an upstream of %s', (from, to) => {
  test('arrives, or is refused by the name of a field', () => {
    fc.assert(
      fc.property(requests[from], (asked) => {
        const sent = told(to, asked);
        expect(sent instanceof AppError ? isNamed(sent) : true).toBe(true);
        if (sent instanceof AppError) return;
        // A request without any text gets a default one upstream.
        fc.pre(asked.messages.some(({ content }) => wordsIn(content).trim() !== ''));
        const wire = JSON.parse(JSON.stringify(sent)) as Record<string, unknown>;
        const heard = chatDialects[to].readRequest({ ...wire, model: asked.model, stream: asked.stream });
        const { tools, ...words } = wordsOf(heard);
        // If the upstream does not support stop sequences, the gateway cuts the answer itself.
        const isCut = chatDialects[to].hasNoStops === true && from !== to;
        const before = { ...wordsOf(asked), ...(isCut && { stop: [] }) };
        expect({ ...words, tools }).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});
