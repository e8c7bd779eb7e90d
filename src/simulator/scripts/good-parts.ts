import { chunkOf, deltaOf, nextId, wholeReply } from '../chats/chat.ts';
import { geminiPath } from '../chats/gemini-path.ts';
import { geminiEnd, geminiEvents, geminiPiece, geminiUsage, geminiWhole } from '../chats/gemini.ts';
import { isMessagesPath } from '../chats/messages-path.ts';
import { asEvent, MESSAGE_STOP, messageOf, messagesEnd, messagesEvents } from '../chats/messages.ts';
import { lastEvent, responseEvents, responseOf, textDelta } from '../chats/responses.ts';
import { DONE, event, sendJson, startStream, type Call, type Json } from '../wire.ts';

const WORDS = ['All', ' is', ' well', ' with', ' the', ' simulated', ' upstream', '.'];

/** The usage of the short good answer. */
export const USAGE: Json = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };

const REPLY = {
  thoughts: [],
  pieces: WORDS,
  calls: [],
  finish: 'stop',
  promptTokens: 12,
  cachedTokens: 0,
} as const;

const isGemini = (call: Call): boolean => geminiPath(call.path) !== undefined;
const isMessages = (call: Call): boolean => isMessagesPath(call.path);
const isResponses = (call: Call): boolean => call.path.endsWith('/responses');

export const whole = (call: Call, usage: unknown = USAGE): Json => {
  if (isResponses(call)) return responseOf(call.model, REPLY, usage);
  if (isMessages(call)) return messageOf(call.model, REPLY, usage);
  if (isGemini(call)) return geminiWhole(call.model, REPLY, usage);
  const { usage: _, ...rest } = wholeReply(call.model, REPLY);
  return usage === undefined ? rest : { ...rest, usage };
};

/** The events of the short good answer, in order: a role, some words, the finish. */
export const events = (call: Call): string[] => {
  if (isResponses(call)) return inParts(responseEvents(call.model, REPLY));
  // Usage comes only at the end, where the scripts change it.
  if (isMessages(call)) return inParts(messagesEvents(call.model, REPLY, {}).map(asEvent));
  // No event comes before the text.
  if (isGemini(call)) return ['', ...geminiEvents(call.model, REPLY), geminiEnd(call.model, REPLY)];
  const id = nextId();
  const deltas: Json[] = [
    deltaOf({ role: 'assistant', content: '' }),
    ...WORDS.map((content) => deltaOf({ content })),
    deltaOf({}, 'stop'),
  ];
  return deltas.map((delta) => event(chunkOf(id, call.model, [delta])));
};

export const usageEvent = (call: Call, usage: unknown = USAGE): string => {
  if (isGemini(call)) return geminiUsage(call.model, usage);
  if (isMessages(call)) return asEvent(messagesEnd(REPLY, usage));
  return isResponses(call)
    ? lastEvent(call.model, REPLY, usage)
    : event(chunkOf('chatcmpl-sim', call.model, [], { usage }));
};

/** Joins the events before the text, and those after it, so that the parts are as in chats. */
const inParts = (all: readonly string[]): string[] => {
  const isWord = (text: string): boolean =>
    /^event: (?:response\.output_text\.delta|content_block_delta)\n/.test(text);
  const first = all.findIndex(isWord);
  const last = all.findLastIndex(isWord);
  return [all.slice(0, first).join(''), ...all.slice(first, last + 1), all.slice(last + 1).join('')];
};

/** Whether the event with the usage is the one that ends the answer. */
export const hasOwnEnd = (call: Call): boolean => isMessages(call) || isResponses(call);

/** The event that ends an answer without usage, if the format has one. */
export const endWithoutUsage = (call: Call): string => {
  if (isMessages(call)) return usageEvent(call, null);
  return isResponses(call) ? usageEvent(call, null) : '';
};

/** A text event. */
export const textEvent = (call: Call, text: string): string => {
  if (isGemini(call)) return geminiPiece(call.model, { text });
  if (isMessages(call)) {
    const delta = { type: 'text_delta', text };
    return asEvent({ type: 'content_block_delta', index: 0, delta });
  }
  return isResponses(call)
    ? textDelta(text)
    : event(chunkOf('chatcmpl-sim', call.model, [deltaOf({ content: text })]));
};

/** A whole answer with this text. */
export const wholeText = (call: Call, text: string): Json => {
  if (isGemini(call)) return geminiWhole(call.model, { ...REPLY, pieces: [text] }, USAGE);
  if (isMessages(call)) return messageOf(call.model, { ...REPLY, pieces: [text] }, USAGE);
  return isResponses(call)
    ? responseOf(call.model, { ...REPLY, pieces: [text] }, USAGE)
    : {
        ...whole(call),
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      };
};

/** The end mark. */
export const doneOf = (call: Call): string => (isMessages(call) ? asEvent(MESSAGE_STOP) : DONE);

/** The whole stream as text. */
export const streamText = (call: Call): string => events(call).join('') + usageEvent(call) + doneOf(call);

/** A short good answer, streamed or whole as requested. */
export const answerWell = (call: Call, headers: Record<string, string> = {}): void => {
  if (!call.stream) return sendJson(call.response, 200, whole(call), headers);
  startStream(call.response, headers);
  call.response.end(streamText(call));
};
