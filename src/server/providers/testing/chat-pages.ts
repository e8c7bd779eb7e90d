import {
  ARGUMENTS,
  COMPLETION_TOKENS,
  events,
  json,
  type Json,
  namedEvents,
  type Page,
  PROMPT_TOKENS,
  type Question,
  TEXT,
  WORDS,
} from './wire.ts';

/** Anthropic's Messages (platform.claude.com/docs/en/api/messages). */
export const messagesPage = ({ calls, stream }: Question): Page => {
  const tool = { type: 'tool_use', id: 'toolu_1', name: 'get_weather' };
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null };
  const reason = calls ? 'tool_use' : 'end_turn';
  if (!stream)
    return json({
      ...head,
      content: calls ? [{ ...tool, input: { city: 'Paris' } }] : [{ type: 'text', text: TEXT }],
      stop_reason: reason,
      usage: { input_tokens: PROMPT_TOKENS, output_tokens: COMPLETION_TOKENS },
    });
  const list: Json[] = [
    {
      type: 'message_start',
      message: { ...head, content: [], usage: { input_tokens: PROMPT_TOKENS, output_tokens: 1 } },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: calls ? { ...tool, input: {} } : { type: 'text', text: '' },
    },
    ...(calls
      ? ['{"city"', ':"Paris"}'].map((text) => ({ type: 'input_json_delta', partial_json: text }))
      : WORDS.map((text) => ({ type: 'text_delta', text }))
    ).map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: COMPLETION_TOKENS } },
    { type: 'message_stop' },
  ];
  return namedEvents(list.map((event) => [String(event['type']), event]));
};

/** Google's generateContent (ai.google.dev/api/generate-content). */
export const geminiPage = ({ calls, stream }: Question): Page => {
  const usageMetadata = {
    promptTokenCount: PROMPT_TOKENS,
    candidatesTokenCount: COMPLETION_TOKENS,
    totalTokenCount: PROMPT_TOKENS + COMPLETION_TOKENS,
  };
  const piece = (parts: readonly Json[], end: boolean): Json => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(end && { finishReason: 'STOP' }) }],
    usageMetadata,
    modelVersion: 'gemini',
  });
  const call = [{ functionCall: { name: 'get_weather', args: JSON.parse(ARGUMENTS) as Json } }];
  if (!stream) return json(piece(calls ? call : [{ text: TEXT }], true));
  if (calls) return events(piece(call, true));
  return events(...WORDS.map((text, at) => piece([{ text }], at === WORDS.length - 1)));
};
