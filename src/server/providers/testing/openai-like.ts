import {
  ARGUMENTS,
  COMPLETION_TOKENS,
  events,
  json,
  type Json,
  type Page,
  PROMPT_TOKENS,
  type Question,
  type Refusal,
  TEXT,
  type Wire,
  WORDS,
} from './wire.ts';

/** How the answers of an OpenAI-compatible chat differ from OpenAI's. */
interface Quirks {
  /** Fields beside `choices`, in a whole reply and in the last chunk of a stream. */
  readonly beside?: Json;
  /** The field with its thoughts. */
  readonly thoughts?: 'reasoning_content' | 'reasoning';
  /** Where a stream reports usage: in a separate chunk, in the last chunk, in a choice, or in a separate field. */
  readonly usage?: 'own-piece' | 'last-piece' | 'choice' | 'x_groq';
  /** Whether the first chunk has only the role, as OpenAI's; some start with text. */
  readonly startsAtOnce?: true;
  /** Its JSON answer, if that is not a text. */
  readonly jsonContent?: Json;
  /** Comments and pings between the events. */
  readonly comment?: string;
}

interface LookAlike extends Quirks, Pick<Wire, 'type' | 'name' | 'reference' | 'badKey' | 'rateLimit'> {
  readonly chat?: string;
  readonly model?: string;
  readonly key?: string;
  readonly other?: string;
  readonly headers?: Wire['headers'];
  readonly models?: Wire['models'] | false;
}

const USAGE = {
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: COMPLETION_TOKENS,
  total_tokens: PROMPT_TOKENS + COMPLETION_TOKENS,
};
const HEAD = { id: 'chat-1', created: 1_767_225_600, model: 'm-upstream' };
const CALL = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } };

const wholeChat = (calls: boolean, text: unknown, { beside, thoughts }: Quirks): Page =>
  json({
    ...HEAD,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: calls ? null : text,
          ...(thoughts !== undefined && { [thoughts]: 'I look.' }),
          ...(calls && { tool_calls: [CALL] }),
        },
        finish_reason: calls ? 'tool_calls' : 'stop',
      },
    ],
    usage: USAGE,
    ...beside,
  });

const streamedChat = (calls: boolean, quirks: Quirks): Page => {
  const { beside = {}, thoughts, usage = 'own-piece', startsAtOnce, comment } = quirks;
  const piece = (delta: Json, more: Json = {}, choice: Json = {}): Json => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...more,
  });
  const said = calls
    ? [
        piece({ tool_calls: [{ index: 0, ...CALL, function: { name: 'get_weather', arguments: '' } }] }),
        ...['{"city"', ':"Paris"}'].map((text) =>
          piece({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
        ),
      ]
    : WORDS.map((content) => piece({ content }));
  const last = piece(
    {},
    {
      ...beside,
      ...(usage === 'last-piece' && { usage: USAGE }),
      ...(usage === 'x_groq' && { x_groq: { id: 'req_1', usage: USAGE } }),
    },
    { finish_reason: calls ? 'tool_calls' : 'stop', ...(usage === 'choice' && { usage: USAGE }) },
  );
  const page = events(
    ...(startsAtOnce === true ? [] : [piece({ role: 'assistant', content: '' })]),
    ...(thoughts === undefined ? [] : [piece({ [thoughts]: 'I look.' })]),
    ...said,
    last,
    ...(usage === 'own-piece'
      ? [{ ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE }]
      : []),
    '[DONE]',
  );
  return comment === undefined ? page : { ...page, bytes: `: ${comment}\n\n${String(page.bytes)}` };
};

export const openaiError = (
  status: number,
  message: string,
  type: string,
  code: unknown = null,
): Refusal => ({
  status,
  body: { error: { message, type, param: null, code } },
});

/** OpenAI's list of models, with one entry. */
export const openaiList = (path: string): NonNullable<Wire['models']> => ({
  path,
  body: { object: 'list', data: [{ id: 'm-upstream', object: 'model', created: 1, owned_by: 'x' }] },
  names: ['m-upstream'],
});

/** An OpenAI-compatible chat with the given differences. */
export const lookAlike = (kind: LookAlike): Wire => {
  const { chat = '/v1/chat/completions', key = 'sk-of-the-channel', model = 'm-upstream', other } = kind;
  const { models = openaiList(chat.replace(/\/chat\/completions.*$/, '/models')) } = kind;
  return {
    type: kind.type,
    name: kind.name,
    reference: kind.reference,
    key,
    ...(other !== undefined && { other }),
    model,
    chat,
    headers: kind.headers ?? { authorization: `Bearer ${key}` },
    asks: { model, max_tokens: 100 },
    answer: ({ calls, stream, inJson }: Question) =>
      stream
        ? streamedChat(calls, kind)
        : wholeChat(calls, inJson === true ? (kind.jsonContent ?? TEXT) : TEXT, kind),
    offersTools: true,
    tellsUsage: true,
    badKey: kind.badKey,
    rateLimit: kind.rateLimit,
    ...(models !== false && { models }),
  };
};
