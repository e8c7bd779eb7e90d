import { argumentsOf, chatStop, count, errorIn, type Fields, fields, items, words } from './alike.ts';
import { type Answer, type Counts, counts, emptyAnswer, type ReadMeaning, type Stop } from './meaning.ts';

/** Finish reasons by number, as sent to clients that ask for `enum-encoding=int`. */
const NUMBERED = [
  '',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
];
const FILTERS = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|MODEL_ARMOR|ESCALATION/;
/** The model wanted to call a tool and could not. */
const BROKEN = /MALFORMED|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT|PUP_LIMITED/;

/** Reads replies of `generateContent` and `streamGenerateContent`: each piece adds parts to its candidates. */
export const readGemini: ReadMeaning = (pieces) => {
  const answers = new Map<number, Answer>();
  const ends = new Map<number, string>();
  let usage: Fields = {};
  let error: string | undefined;
  let blocked: Fields = {};
  for (const { body } of pieces) {
    error ??= errorIn(body['error']);
    usage = { ...usage, ...fields(body['usageMetadata']) };
    blocked = { ...blocked, ...fields(body['promptFeedback']) };
    for (const [position, candidate] of items(body['candidates']).entries()) {
      const index = typeof candidate['index'] === 'number' ? candidate['index'] : position;
      const answer = answers.get(index) ?? emptyAnswer();
      answers.set(index, answer);
      for (const part of items(fields(candidate['content'])['parts'])) addPart(answer, part);
      answer.explanation = words(candidate['finishMessage']) || answer.explanation;
      const reason = candidate['finishReason'];
      const word = typeof reason === 'number' ? (NUMBERED[reason] ?? 'OTHER') : words(reason);
      if (word !== '' && word !== 'FINISH_REASON_UNSPECIFIED') ends.set(index, word);
    }
  }
  for (const [index, word] of ends) {
    const answer = answers.get(index) ?? emptyAnswer();
    answer.stop = stopOf(word, answer.calls.length > 0);
    const isEmpty = answer.text === '' && answer.images === 0 && answer.transcript === '';
    if (answer.stop === 'other' && (isEmpty || BROKEN.test(word))) error ??= word;
  }
  const hasEnd = [...answers.values()].some(({ stop }) => stop !== undefined);
  if (words(blocked['blockReason']) !== '' && !hasEnd)
    answers.set(0, {
      ...(answers.get(0) ?? emptyAnswer()),
      stop: 'content-filter',
      explanation: words(blocked['blockReasonMessage']),
    });
  const inOrder = [...answers].toSorted(([a], [b]) => a - b).map(([, answer]) => answer);
  return { answers: inOrder, usage: countsOf(usage), error };
};

const addPart = (answer: Answer, part: Fields): void => {
  const text = words(part['text']);
  if (part['thought'] === true) answer.reasoning += text;
  else answer.text += text;
  if (words(fields(part['inlineData'] ?? part['fileData'])['mimeType']).startsWith('image/'))
    answer.images += 1;
  if (part['functionCall'] === undefined) return;
  const { id, name, args } = fields(part['functionCall']);
  const call = { id: words(id), name: words(name), arguments: argumentsOf(args), isFreeText: false };
  // Without ids, calls are distinguished by their position.
  answer.calls.push(call.id === '' ? { ...call, id: `#${answer.calls.length}` } : call);
};

const stopOf = (word: string, isCalling: boolean): Stop => {
  if (word === 'MAX_TOKENS') return 'length';
  if (FILTERS.test(word)) return 'content-filter';
  const stop = BROKEN.test(word) ? 'other' : (chatStop(word) ?? 'other');
  return isCalling && (stop === 'stop' || stop === 'other') ? 'tool-calls' : stop;
};

/** The prompt includes cached tokens; thoughts, and tokens read by the upstream's own tools, are separate. */
const countsOf = (usage: Fields): Counts | undefined => {
  const prompt = count(usage['promptTokenCount']) + count(usage['toolUsePromptTokenCount']);
  const thoughts = count(usage['thoughtsTokenCount']);
  const total = count(usage['totalTokenCount']);
  const reported = usage['candidatesTokenCount'];
  const answered = reported === undefined ? Math.max(0, total - prompt - thoughts) : count(reported);
  const isInside = thoughts > 0 && total === prompt + answered;
  return counts(prompt, count(usage['cachedContentTokenCount']), answered + (isInside ? 0 : thoughts));
};
