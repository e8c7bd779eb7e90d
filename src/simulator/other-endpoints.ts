import { answerTo } from './chats/answers.ts';
import { countTokens, pieces } from './chats/tokens.ts';
import {
  asJson,
  asList,
  DONE,
  event,
  pause,
  sendError,
  sendJson,
  startStream,
  write,
  type Call,
  type Json,
} from './wire.ts';

const CREATED = 1_767_225_600;
const DIMENSIONS = 1536;

/** What `GET …/models` lists. */
const MODELS = [
  'gpt-4o',
  'gpt-4o-mini',
  'o3-mini',
  'deepseek-chat',
  'deepseek-reasoner',
  'qwen-plus',
  'glm-4-plus',
  'moonshot-v1-8k',
  'gpt-3.5-turbo-instruct',
  'text-embedding-3-small',
  'text-embedding-3-large',
] as const;

export const answerModels = (call: Call): void => {
  const data = MODELS.map((id) => ({ id, object: 'model', created: CREATED, owned_by: 'simulator' }));
  sendJson(call.response, 200, { object: 'list', data });
};

/** The balance: twenty dollars, of which 7.50 (reported in cents) are used; DeepSeek reports the rest directly. */
const BALANCES: Readonly<Record<string, Json>> = {
  '/dashboard/billing/subscription': { object: 'billing_subscription', hard_limit_usd: 20 },
  '/dashboard/billing/usage': { object: 'list', total_usage: 750 },
  '/user/balance': { is_available: true, balance_infos: [{ currency: 'USD', total_balance: '12.50' }] },
};

/** `GET …/dashboard/billing/…`, `GET /user/balance`. @returns false where the path is none of these */
export const answerBalance = ({ path, response }: Call): boolean => {
  const body = Object.entries(BALANCES).find(([end]) => path.endsWith(end))?.[1];
  if (body !== undefined) sendJson(response, 200, body);
  return body !== undefined;
};

/** `POST …/completions`, the format before chats. */
export const answerCompletion = async ({ body, model, response, stream, speed }: Call): Promise<void> => {
  const prompt = asList(body['prompt']).length > 0 ? asList(body['prompt']) : [body['prompt'] ?? ''];
  const limit = typeof body['max_tokens'] === 'number' ? body['max_tokens'] : 16;
  const all = pieces(answerTo(String(prompt[0])));
  const words = all.slice(0, limit);
  const finish = words.length < all.length ? 'length' : 'stop';
  const promptTokens = Math.max(1, countTokens(prompt));
  const count = (typeof body['n'] === 'number' ? body['n'] : 1) * prompt.length;
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: count * words.length,
    total_tokens: promptTokens + count * words.length,
  };
  const head = { id: 'cmpl-simulated', object: 'text_completion', created: CREATED, model };
  if (!stream) {
    const choices = Array.from({ length: count }, (_, index) => ({
      index,
      text: words.join(''),
      logprobs: null,
      finish_reason: finish,
    }));
    sendJson(response, 200, { ...head, choices, usage });
    return;
  }
  startStream(response);
  for (const [at, text] of words.entries()) {
    await pause(response, speed === 0 ? 0 : 1000 / speed);
    const isLast = at === words.length - 1;
    const choices = Array.from({ length: count }, (_, index) => ({
      index,
      text,
      logprobs: null,
      finish_reason: isLast ? finish : null,
    }));
    await write(response, event({ ...head, choices }));
  }
  if (asJson(body['stream_options'])['include_usage'] === true)
    await write(response, event({ ...head, choices: [], usage }));
  response.end(DONE);
};

/** `POST …/embeddings`: vectors that are the same for the same text. */
export const answerEmbeddings = ({ body, model, response }: Call): void => {
  const { input } = body;
  const isTokens = Array.isArray(input) && typeof input[0] === 'number';
  const inputs = Array.isArray(input) && !isTokens ? input : [input];
  if (input === undefined || inputs.length === 0) {
    sendError(response, 400, { message: "Missing required parameter: 'input'.", param: 'input' });
    return;
  }
  const dimensions = typeof body['dimensions'] === 'number' ? Math.min(body['dimensions'], 4096) : DIMENSIONS;
  const asBase64 = body['encoding_format'] === 'base64';
  const data = inputs.map((text, index): Json => {
    const vector = vectorOf(JSON.stringify(text), dimensions);
    const embedding = asBase64 ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
    return { object: 'embedding', index, embedding };
  });
  const tokens = Math.max(1, countTokens(input));
  sendJson(response, 200, {
    object: 'list',
    data,
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
};

/** A unit vector from a small generator seeded by the text. */
const vectorOf = (text: string, dimensions: number): number[] => {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  const values = Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2_147_483_648;
  });
  const length = Math.hypot(...values);
  return values.map((value) => Number((value / length).toFixed(8)));
};
