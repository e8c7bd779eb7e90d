import { chunkOf, deltaOf, nextId, wholeReply } from '../chat.ts';
import { DONE, event, sendJson, startStream, type Call, type Json } from '../wire.ts';

const WORDS = ['All', ' is', ' well', ' with', ' the', ' simulated', ' upstream', '.'];

/** The usage of the short good answer. */
export const USAGE: Json = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };

export const whole = (call: Call, usage: unknown = USAGE): Json => {
  const reply = {
    thoughts: [],
    pieces: WORDS,
    calls: [],
    finish: 'stop',
    promptTokens: 12,
    cachedTokens: 0,
  } as const;
  const { usage: _, ...rest } = wholeReply(call.model, reply);
  return usage === undefined ? rest : { ...rest, usage };
};

/** The events of the short good answer, in order: a role, some words, the finish. */
export const events = (call: Call): string[] => {
  const id = nextId();
  const deltas: Json[] = [
    deltaOf({ role: 'assistant', content: '' }),
    ...WORDS.map((content) => deltaOf({ content })),
    deltaOf({}, 'stop'),
  ];
  return deltas.map((delta) => event(chunkOf(id, call.model, [delta])));
};

export const usageEvent = (call: Call, usage: unknown = USAGE): string =>
  event(chunkOf('chatcmpl-sim', call.model, [], { usage }));

/** The whole stream as text. */
export const streamText = (call: Call): string => events(call).join('') + usageEvent(call) + DONE;

/** A short good answer, streamed or whole as it was asked for. */
export const answerWell = (call: Call, headers: Record<string, string> = {}): void => {
  if (!call.stream) return sendJson(call.response, 200, whole(call), headers);
  startStream(call.response, headers);
  call.response.end(streamText(call));
};
