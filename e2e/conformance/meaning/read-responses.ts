import { argumentsOf, chatCounts, errorIn, type Fields, fields, items, words } from './alike.ts';
import { type Answer, emptyAnswer, type ReadMeaning, type Stop } from './meaning.ts';

/** Reads replies of `responses`: output items by their index. */
export const readResponses: ReadMeaning = (pieces) => {
  const whole = new Map<number, Fields>();
  const streamed = new Map<string, string>();
  let last: Fields = {};
  let error: string | undefined;
  for (const { event, body } of pieces) {
    const type = words(body['type']) || event;
    const at = Number(body['output_index'] ?? 0);
    if (body['object'] === 'response') last = body;
    if (type === 'response.output_item.added' || type === 'response.output_item.done')
      whole.set(at, fields(body['item']));
    if (/^response\.(completed|incomplete|failed|cancelled)$/.test(type)) last = fields(body['response']);
    if (type === 'error') error ??= errorIn(body['error'] ?? body);
    if (type.endsWith('.delta')) {
      const key = `${at} ${type}`;
      streamed.set(key, (streamed.get(key) ?? '') + separator(streamed, key, body) + words(body['delta']));
    }
  }
  for (const [at, item] of items(last['output']).entries()) if (!isDone(whole.get(at))) whole.set(at, item);
  error ??= last['status'] === 'failed' ? (errorIn(last['error']) ?? 'failed') : undefined;
  const answer = emptyAnswer();
  for (const [at, item] of [...whole].toSorted(([a], [b]) => a - b))
    addItem(answer, item, (type) => streamed.get(`${at} response.${type}.delta`));
  answer.stop = stopOf(last, answer);
  return { answers: [answer], usage: chatCounts(last['usage']), error };
};

/** The parts of a summary are separate paragraphs. */
const separator = (streamed: ReadonlyMap<string, string>, key: string, body: Fields): string => {
  const isNext = key.endsWith('reasoning_summary_text.delta') && body['summary_index'] !== 0;
  return isNext && streamed.has(key) && words(body['delta']).startsWith('**') ? '\n\n' : '';
};

const isDone = (item: Fields | undefined): boolean =>
  item !== undefined && item['status'] !== 'in_progress' && item['type'] !== undefined;

type Streamed = (type: string) => string | undefined;

const addItem = (answer: Answer, item: Fields, streamed: Streamed): void => {
  const parts = items(item['content']);
  const all = (kind: string, name = 'text'): string =>
    parts.map((part) => (part['type'] === kind ? words(part[name]) : '')).join('');
  switch (item['type']) {
    case 'message':
      answer.text += streamed('output_text') ?? all('output_text');
      answer.refusal += streamed('refusal') ?? all('refusal', 'refusal');
      answer.transcript += streamed('audio.transcript') ?? all('output_audio', 'transcript');
      return;
    case 'reasoning':
      answer.reasoning +=
        streamed('reasoning_summary_text') ??
        streamed('reasoning_text') ??
        [...items(item['summary']), ...parts].map(({ text }) => words(text)).join('\n\n');
      return;
    case 'image_generation_call':
      answer.images += words(item['result']) === '' ? 0 : 1;
      return;
    case 'function_call':
    case 'custom_tool_call': {
      const isFreeText = item['type'] === 'custom_tool_call';
      const text = isFreeText
        ? JSON.stringify({ input: streamed('custom_tool_call_input') ?? words(item['input']) })
        : argumentsOf(streamed('function_call_arguments') ?? words(item['arguments']));
      // Other formats have no namespaces: docs/dialects.md says how both names become one.
      const space = words(item['namespace']);
      const name = words(item['name']);
      const id = words(item['call_id']) || words(item['id']);
      answer.calls.push({
        id,
        name: space === '' ? name : `${space}-_-${name}`,
        arguments: text,
        isFreeText,
      });
      return;
    }
    default:
  }
};

const stopOf = (response: Fields, { calls, refusal, text }: Answer): Stop | undefined => {
  const reason = words(fields(response['incomplete_details'])['reason']);
  switch (response['status']) {
    case 'completed':
      if (calls.length > 0) return 'tool-calls';
      return refusal !== '' && text === '' ? 'refusal' : 'stop';
    case 'incomplete':
      if (reason.startsWith('max_')) return 'length';
      return reason === 'content_filter' ? 'content-filter' : 'other';
    case 'cancelled':
      return 'other';
    default:
      return undefined;
  }
};
