import { argumentsOf, chatStop, count, errorIn, type Fields, fields, items, words } from './alike.ts';
import { counts, emptyAnswer, type ReadMeaning, type Stop } from './meaning.ts';

const STOPS: Readonly<Record<string, Stop>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  pause_turn: 'pause',
  refusal: 'refusal',
};

/** A content block: its start, and what its deltas added. */
interface Block {
  start: Fields;
  text: string;
  thinking: string;
  json: string;
}

/** Reads replies of `messages`: content blocks by their index. */
export const readMessages: ReadMeaning = (pieces) => {
  const blocks = new Map<unknown, Block>();
  let [end, usage]: [Fields, Fields] = [{}, {}];
  let error: string | undefined;
  for (const { event, body } of pieces) {
    const message = body['type'] === 'message' ? body : fields(body['message']);
    for (const [at, start] of items(message['content']).entries()) blocks.set(at, open(start));
    const delta = fields(body['delta']);
    const block = blocks.get(body['index']);
    if (body['type'] === 'content_block_start')
      blocks.set(body['index'], open(fields(body['content_block'])));
    if (body['type'] === 'content_block_delta' && block !== undefined) {
      if (delta['type'] === 'text_delta') block.text += words(delta['text']);
      if (delta['type'] === 'thinking_delta') block.thinking += words(delta['thinking']);
      if (delta['type'] === 'input_json_delta') block.json += words(delta['partial_json']);
    }
    if (body['type'] === 'message' || body['type'] === 'message_delta')
      end = { ...end, ...present(message), ...present(delta) };
    usage = { ...usage, ...present(fields(message['usage'])), ...present(fields(body['usage'])) };
    if (body['type'] === 'error' || event === 'error') error ??= errorIn(body['error'] ?? body);
  }
  const answer = emptyAnswer();
  for (const { start, text, thinking, json } of blocks.values()) {
    if (start['type'] === 'text') answer.text += words(start['text']) + text;
    if (start['type'] === 'thinking') answer.reasoning += words(start['thinking']) + thinking;
    if (start['type'] === 'tool_use')
      answer.calls.push({
        id: words(start['id']),
        name: words(start['name']),
        arguments: argumentsOf(json === '' ? start['input'] : json),
        isFreeText: false,
      });
  }
  const word = words(end['stop_reason']);
  answer.stop = STOPS[word] ?? chatStop(word);
  const isCalling = answer.calls.length > 0 && answer.stop === 'stop' && words(end['stop_sequence']) === '';
  if (isCalling) answer.stop = 'tool-calls';
  answer.explanation = words(fields(end['stop_details'])['explanation']);
  const parts = [usage, ...items(usage['iterations']).filter(isOutsideTheSums)];
  const sum = (name: string): number => parts.reduce((total, part) => total + count(part[name]), 0);
  const cached = sum('cache_read_input_tokens');
  const prompt = sum('input_tokens') + cached + sum('cache_creation_input_tokens');
  return { answers: [answer], usage: counts(prompt, cached, sum('output_tokens')), error };
};

/** Iterations that are billed but not part of the sums: an advising model, the summary of a long conversation. */
const isOutsideTheSums = ({ type }: Fields): boolean => type === 'advisor_message' || type === 'compaction';

const open = (start: Fields): Block => ({ start, text: '', thinking: '', json: '' });

/** The fields that have a value. */
const present = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));
