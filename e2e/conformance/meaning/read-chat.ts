import { argumentsOf, chatCounts, chatStop, errorIn, type Fields, fields, items, words } from './alike.ts';
import { type Answer, type Counts, emptyAnswer, type ReadMeaning, type Stop } from './meaning.ts';

/** The content of a choice, put together from its pieces. */
interface Parts {
  text: string;
  thought: string;
  detailed: string;
  refusal: string;
  transcript: string;
  images: number;
  calls: { key: unknown; id: string; name: string; text: string; isFreeText: boolean }[];
}

const nothing = (): Parts => ({
  text: '',
  thought: '',
  detailed: '',
  refusal: '',
  transcript: '',
  images: 0,
  calls: [],
});

const FAILED = /^(error|network_error|insufficient_system_resource|malformed_function_call)$/;

/** Reads replies of `chat/completions`. A choice has a `message` or, streamed, pieces of one in `delta`. */
export const readChat: ReadMeaning = (pieces) => {
  const choices = new Map<number, { streamed: Parts; whole: Parts; stop: Stop | undefined }>();
  let usage: Counts | undefined;
  let error: string | undefined;
  for (const { event, body } of pieces) {
    error ??= errorIn(body['error']) ?? (event === 'error' ? JSON.stringify(body) : undefined);
    const reported = [body['usage'], fields(body['x_groq'])['usage']];
    for (const [position, choice] of items(body['choices']).entries()) {
      const index = typeof choice['index'] === 'number' ? choice['index'] : position;
      const known = choices.get(index) ?? { streamed: nothing(), whole: nothing(), stop: undefined };
      choices.set(index, known);
      add(known.streamed, fields(choice['delta']));
      // A message in a stream contains the whole text so far.
      const message = nothing();
      add(message, fields(choice['message']));
      if (typeof choice['text'] === 'string') message.text += choice['text'];
      known.whole = longer(known.whole, message);
      known.stop = chatStop(choice['finish_reason']) ?? known.stop;
      if (FAILED.test(words(choice['finish_reason']))) error ??= words(choice['finish_reason']);
      reported.push(choice['usage']);
    }
    usage = reported.map((each) => chatCounts(each)).find((each) => each !== undefined) ?? usage;
  }
  const answers = [...choices].toSorted(([a], [b]) => a - b).map(([, known]) => answerOf(known));
  return { answers, usage, error };
};

const longer = (a: Parts, b: Parts): Parts => (JSON.stringify(b).length >= JSON.stringify(a).length ? b : a);

const add = (parts: Parts, piece: Fields): void => {
  const { content } = piece;
  if (typeof content === 'string') parts.text += content;
  else if (!Array.isArray(content) && content !== undefined && content !== null)
    parts.text += JSON.stringify(content);
  for (const part of items(content)) {
    if (part['type'] === 'thinking')
      parts.thought +=
        words(part['thinking']) ||
        items(part['thinking'])
          .map(({ text }) => words(text))
          .join('');
    else parts.text += words(part['text']);
  }
  parts.thought += words(piece['reasoning_content']) || words(piece['reasoning']);
  for (const detail of items(piece['reasoning_details']))
    parts.detailed += words(detail['text']) || words(detail['summary']);
  parts.refusal += words(piece['refusal']);
  parts.transcript += words(fields(piece['audio'])['transcript']);
  parts.images += items(piece['images']).length;
  for (const call of items(piece['tool_calls'])) addCall(parts, call);
  if (items(piece['tool_calls']).length === 0 && piece['function_call'] !== undefined)
    addCall(parts, { index: 0, function: piece['function_call'] });
};

const addCall = ({ calls }: Parts, piece: Fields): void => {
  const isFreeText = piece['custom'] !== undefined && piece['custom'] !== null;
  const called = fields(isFreeText ? piece['custom'] : piece['function']);
  const [id, name] = [words(piece['id']), words(called['name'])];
  const given = called[isFreeText ? 'input' : 'arguments'];
  const text =
    typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);
  const key = piece['index'];
  const same =
    typeof key === 'number'
      ? calls.findLast((call) => call.key === key)
      : id + name === ''
        ? calls.at(-1)
        : calls.find((call) => id !== '' && call.id === id);
  const isAnother = id !== '' && name !== '' && same?.id !== id;
  if (same !== undefined && !isAnother) same.text += text;
  else if (id + name + text !== '') calls.push({ key, id, name, text, isFreeText });
};

const answerOf = ({
  streamed,
  whole,
  stop,
}: {
  streamed: Parts;
  whole: Parts;
  stop: Stop | undefined;
}): Answer => {
  const calls = (streamed.calls.length > 0 ? streamed.calls : whole.calls).map(
    ({ id, name, text, isFreeText }) => ({
      id,
      name,
      arguments: isFreeText ? JSON.stringify({ input: text }) : argumentsOf(text),
      isFreeText,
    }),
  );
  const text = streamed.text || whole.text;
  const refusal = streamed.refusal || whole.refusal;
  const plainEnd = calls.length > 0 ? 'tool-calls' : refusal !== '' && text === '' ? 'refusal' : 'stop';
  return {
    ...emptyAnswer(),
    text,
    refusal,
    reasoning: streamed.thought || whole.thought || streamed.detailed || whole.detailed,
    transcript: streamed.transcript || whole.transcript,
    images: streamed.images || whole.images,
    calls,
    stop: stop === 'stop' ? plainEnd : stop,
  };
};
