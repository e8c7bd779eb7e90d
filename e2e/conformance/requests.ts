import { isDeepStrictEqual } from 'node:util';
import type { ChatRequest, ContentPart, DialectName, Tool } from '../../src/server/core/chat/request.ts';
import { AppError } from '../../src/server/core/error.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import type { Problem } from './check.ts';
import { excuseNarrowed, excuseRequest } from './excuses.ts';
import { requireNative } from '../../src/server/relay/request/translations.ts';
import { recordedRequest } from './callers.ts';
import type { Exchange } from './recordings.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { meaningOf, contentFor } from './meaning/reply-content.ts';

/** The recorded request, read, written in the target's format and read again, must still be the same request. */
export const checkRoundTrip = (exchange: Exchange, target: DialectName): Problem => {
  const read = recordedRequest(exchange);
  if (read === undefined) return undefined;
  try {
    requireNative(read, target);
    const written = chatDialects[target].writeRequest(read);
    const again = chatDialects[target].readRequest({ ...written, model: read.model, stream: read.stream });
    return target === exchange.format ? sameRequest(read, again, target) : sameMeaning(read, again, target);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.param !== undefined)
      return { excuse: `refused: ${thrown.message}` };
    throw thrown;
  }
};

const sameRequest = (before: ChatRequest, after: ChatRequest, target: DialectName): Problem => {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ChatRequest>) {
    const isSame =
      key === 'tools'
        ? isDeepStrictEqual(ordered(before[key]), ordered(after[key]))
        : key === 'onlyIn'
          ? placeless(before[key]) === placeless(after[key])
          : isDeepStrictEqual(before[key], after[key]);
    if (isSame) continue;
    const excuse = target === 'anthropic-messages' ? excuseNarrowed(key, before) : undefined;
    if (excuse !== undefined) return excuse;
    return `request ${key}: ${shown(before[key])} became ${shown(after[key])}`;
  }
  return undefined;
};

/** The order of tools has no meaning: some formats put their built-in tools last. */
const ordered = (value: unknown): unknown =>
  Array.isArray(value) ? value.toSorted((a: Tool, b: Tool) => a.name.localeCompare(b.name)) : value;

const placeless = (value: unknown): string | undefined =>
  JSON.stringify(value)?.replaceAll(/tools\.\d+/g, 'tools');

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 300) ?? 'nothing';

/** Compares the parts of a request that every format can express. */
const sameMeaning = (before: ChatRequest, after: ChatRequest, target: DialectName): Problem => {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  for (const key of Object.keys(was) as (keyof typeof was)[])
    if (!isDeepStrictEqual(was[key], is[key]))
      return (
        excuseRequest(key, before, target) ?? `request ${key}: ${shown(was[key])} became ${shown(is[key])}`
      );
  return undefined;
};

const wordsOf = (request: ChatRequest) => {
  const parts = request.messages.flatMap(({ content }) => content);
  const instructions = request.messages.filter(({ role }) => role === 'system' || role === 'developer');
  const isTurn = ({ role }: ChatRequest['messages'][number]) => role !== 'system' && role !== 'developer';
  return {
    instructions: textIn(instructions.flatMap(({ content }) => content)),
    user: textIn(
      request.messages
        .filter(isTurn)
        .filter(({ role }) => role !== 'assistant')
        .flatMap(({ content }) => content),
    ),
    assistant: textIn(
      request.messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => content),
    ),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.name, plain(part.argumentsText)]] : [],
    ),
    results: parts.flatMap((part) => (part.type === 'tool-result' ? [textIn(part.content)] : [])),
    media: parts.filter(({ type }) => type === 'image' || type === 'file' || type === 'audio').length,
    tools: request.tools?.map(nameOf).toSorted() ?? [],
    mustCall: request.toolChoice === 'auto' ? undefined : request.toolChoice,
    most: request.maxOutputTokens,
    stop: request.stop ?? [],
    format: request.responseFormat?.type ?? 'text',
    logprobs: request.logprobs,
  };
};

/** Web search has another name in every format. */
const nameOf = ({ name, webSearch }: Tool): string => (webSearch === undefined ? name : 'a web search');

const plain = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text === '' ? '{}' : text));
  } catch {
    return text;
  }
};

const textIn = (parts: readonly ContentPart[]): string =>
  parts
    .map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
    .join('\n')
    .replaceAll(/\n+/g, '\n')
    .trim();

/**
 * The next turn: the caller sends back the tool calls of this answer as it received them, with a result for each. The
 * upstream must get every result with its call, under the tool's original name.
 */
export const checkNextTurn = async (exchange: Exchange, caller: DialectName): Promise<string | undefined> => {
  const upstream = chatDialects[exchange.format];
  const isEvents = exchange.answer.contentType === 'text/event-stream';
  const events = await eventsOf(upstream, exchange.answer.bytes, { stream: isEvents });
  const recorded = meaningOf(exchange.format, exchange.answer.bytes);
  const { calls: original, error, finish } = contentFor(recorded, { isOne: false, tools: undefined });
  if (original.length === 0 || error !== undefined || finish.length > 1) return undefined;
  const dialect = chatDialects[caller];
  const given = saidIn(
    caller === exchange.format ? events : dialect.readWhole(dialect.writeWhole(events)),
  ).calls;
  const request: ChatRequest = {
    model: 'm',
    stream: false,
    maxOutputTokens: 1000,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'go on' }] },
      {
        role: 'assistant',
        content: given.map((call) => ({
          type: 'tool-call',
          id: call.id,
          name: call.name,
          argumentsText: call.arguments,
        })),
      },
      ...given.map((call, index) => ({
        role: 'tool' as const,
        content: [
          {
            type: 'tool-result' as const,
            callId: call.id,
            name: call.name,
            content: [{ type: 'text' as const, text: `result ${String(index)}` }],
          },
        ],
      })),
    ],
    extras: {},
  };
  const back = dialect.readRequest({ ...dialect.writeRequest(request), model: 'm', stream: false });
  const sent = upstream.readRequest({ ...upstream.writeRequest(back), model: 'm', stream: false });
  const parts = sent.messages.flatMap(({ content }) => content);
  const calls = parts.filter((part) => part.type === 'tool-call');
  const results = parts.filter((part) => part.type === 'tool-result');
  const names = calls.map(({ name }) => name);
  if (
    !isDeepStrictEqual(
      names,
      original.map(({ name }) => name),
    )
  )
    return `next turn: calls ${shown(names)}`;
  const paired = calls
    .map(({ id }) => results.find(({ callId }) => callId === id))
    .map((result) => textIn(result?.content ?? []));
  const expected = calls.map((_, index) => `result ${String(index)}`);
  return isDeepStrictEqual(paired, expected) ? undefined : `next turn: results ${shown(paired)}`;
};
