import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { countOf, isCount, noUsage, type Usage } from '#core/chat/usage.ts';
import { readErrorInside } from '../../dialects/openai/error.ts';
import { readFailure } from '../../dialects/openai/finish-reason.ts';
import { ownOf, fieldsOf, listOf, textOf, type Fields } from '#core/json/fields.ts';

const choice = 0;
const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
};

/** Reads usage: cache reads and cache writes are not part of the input tokens (docs.aws.amazon.com/bedrock, TokenUsage). */
const readConverseUsage = (value: unknown): Usage | undefined => {
  const usage = fieldsOf(value);
  const counts = [
    usage['inputTokens'],
    usage['outputTokens'],
    usage['cacheReadInputTokens'] ?? 0,
    usage['cacheWriteInputTokens'] ?? 0,
  ];
  if (!counts.every(isCount)) return undefined;
  const [inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, written = 0] = counts;
  if (inputTokens + outputTokens + cacheReadTokens + written === 0) return undefined;
  const cacheWrite1hTokens = Math.min(written, writtenForAnHour(usage));
  return {
    ...noUsage,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWrite5mTokens: written - cacheWrite1hTokens,
    cacheWrite1hTokens,
  };
};

const writtenForAnHour = (usage: Fields): number =>
  listOf(usage['cacheDetails'])
    .map(fieldsOf)
    .filter(({ ttl }) => ttl === '1h')
    .reduce((sum, { inputTokens }) => sum + countOf(inputTokens), 0);

/** A whole reply as events. */
export const readConverse = (body: unknown): ChatEvent[] => {
  const reply = fieldsOf(body);
  const events: ChatEvent[] = [{ type: 'start', id: '', model: '' }];
  const blocks = listOf(fieldsOf(fieldsOf(reply['output'])['message'])['content']);
  for (const [index, block] of blocks.entries()) events.push(...readBlock(fieldsOf(block), index));
  return [...events, ...readStop(reply), ...readMetadata(reply)];
};

const readBlock = (block: Fields, index: number): ChatEvent[] => {
  const text = textOf(block['text']);
  if (text !== undefined) return [{ type: 'text-delta', choice, text }];
  if (block['reasoningContent'] !== undefined)
    return readThought(fieldsOf(fieldsOf(block['reasoningContent'])['reasoningText']));
  if (block['toolUse'] !== undefined) {
    const call = fieldsOf(block['toolUse']);
    const argumentsText = JSON.stringify(call['input'] ?? {});
    return [...readCallStart(call, index), ...readArguments(call, argumentsText, index)];
  }
  const cited = fieldsOf(block['citationsContent']);
  return [
    ...listOf(cited['content']).flatMap((part) => readBlock(fieldsOf(part), index)),
    ...listOf(cited['citations']).flatMap((citation) => readCitation(fieldsOf(citation))),
  ];
};

const readThought = ({ text }: Fields): ChatEvent[] =>
  textOf(text) === undefined ? [] : [{ type: 'reasoning-delta', choice, text: String(text) }];

/** Whether Bedrock ran the tool itself; its result is in the text that follows. */
const isOwnTool = (call: Fields): boolean => call['type'] === 'server_tool_use';

const readCallStart = (call: Fields, index: number): ChatEvent[] =>
  isOwnTool(call)
    ? []
    : [
        {
          type: 'tool-call-start',
          choice,
          index,
          id: textOf(call['toolUseId']) ?? '',
          name: textOf(call['name']) ?? '',
        },
      ];

const readArguments = (call: Fields, argumentsText: string, index: number): ChatEvent[] =>
  isOwnTool(call) || argumentsText === '' ? [] : [{ type: 'tool-call-delta', choice, index, argumentsText }];

/** A citation of a search result; citations of the caller's own documents have no URL. */
const readCitation = (citation: Fields): ChatEvent[] => {
  const url = textOf(fieldsOf(fieldsOf(citation['location'])['web'])['url']);
  const title = textOf(citation['title']);
  if (url === undefined && title === undefined) return [];
  return [
    {
      type: 'citation',
      choice,
      ...(url !== undefined && { url }),
      ...(title !== undefined && { title }),
    },
  ];
};

const readStop = (body: Fields): ChatEvent[] => {
  const word = textOf(body['stopReason']);
  if (word === undefined) return [];
  // A call or an answer that could not be made (docs.aws.amazon.com/bedrock, Converse, stopReason).
  const failure = readFailure({ finish_reason: word });
  if (failure !== undefined) return [{ type: 'error', error: failure }];
  return [{ type: 'finish', choice, reason: ownOf(REASONS, word) ?? 'other' }];
};

const readMetadata = (body: Fields): ChatEvent[] => {
  const usage = readConverseUsage(body['usage']);
  return usage === undefined ? [] : [{ type: 'usage', usage }];
};

/** Reads the events of one stream by their names in AWS's framing. */
export class ConverseReader {
  /** Blocks of tools that Bedrock runs itself: the caller has no call to answer. */
  readonly #own = new Set<number>();

  read(name: string, event: Fields): ChatEvent[] {
    const index = typeof event['contentBlockIndex'] === 'number' ? event['contentBlockIndex'] : 0;
    switch (name) {
      case 'messageStart':
        return [{ type: 'start', id: '', model: '' }];
      case 'contentBlockStart':
        return this.#readStart(fieldsOf(fieldsOf(event['start'])['toolUse']), index);
      case 'contentBlockDelta':
        return this.#readDelta(fieldsOf(event['delta']), index);
      case 'messageStop':
        return readStop(event);
      case 'metadata':
        return readMetadata(event);
      case 'error':
        return [{ type: 'error', error: readErrorInside(event) }];
      default:
        // The whole answer may come in place of a stream.
        return event['output'] === undefined ? [] : readConverse(event);
    }
  }

  #readStart(call: Fields, index: number): ChatEvent[] {
    if (isOwnTool(call)) this.#own.add(index);
    return call['name'] === undefined ? [] : readCallStart(call, index);
  }

  #readDelta(delta: Fields, index: number): ChatEvent[] {
    const text = textOf(delta['text']);
    if (text !== undefined) return [{ type: 'text-delta', choice, text }];
    if (delta['toolUse'] !== undefined)
      return this.#own.has(index)
        ? []
        : readArguments({}, textOf(fieldsOf(delta['toolUse'])['input']) ?? '', index);
    if (delta['citation'] !== undefined) return readCitation(fieldsOf(delta['citation']));
    return readThought(fieldsOf(delta['reasoningContent']));
  }
}
