import { BackgroundWork } from './background.ts';
import { asJson, asList, sendError, sendJson, startStream, write, type Call, type Json } from '../wire.ts';

/** A response to `POST …/responses` that its key can read again. */
interface Kept {
  readonly key: string;
  readonly response: Json;
  /** Its stream without the last event. */
  readonly events: () => readonly string[];
  readonly input: readonly Json[];
  /** Its work in the background; undefined for a response that was complete when sent. */
  readonly work: BackgroundWork | undefined;
}

const KEPT_MAX = 1000;
const PATH = /\/responses\/([^/]+)(\/input_items|\/cancel)?$/;
const kept = new Map<string, Kept>();

/** Keeps a response, unless its caller set `store: false`. @returns its work in the background */
export const keepResponse = (
  { key, body }: Call,
  response: Json,
  events: () => readonly string[],
): BackgroundWork | undefined => {
  if (body['store'] === false) return undefined;
  const oldest = kept.size < KEPT_MAX ? undefined : kept.keys().next().value;
  if (oldest !== undefined) kept.delete(oldest);
  const { input } = body;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : asList(input).map(asJson);
  const work = body['background'] === true ? new BackgroundWork(body, response) : undefined;
  kept.set(String(response['id']), { key, response, events, input: items, work });
  return work;
};

/** Whether the response that a request continues exists; sends an error if it does not. */
export const hasPrevious = ({ body, key, response }: Call): boolean => {
  const id = body['previous_response_id'];
  if (typeof id !== 'string' || kept.get(id)?.key === key) return true;
  sendError(response, 400, {
    message: `Previous response with id '${id}' not found.`,
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  });
  return false;
};

/** The request with its item references resolved; sends an error if one does not exist. */
export const withItems = ({ body, key, response }: Call): Json | undefined => {
  const input: unknown[] = [];
  for (const item of asList(body['input'])) {
    const { type, id } = asJson(item);
    if (type !== 'item_reference') {
      input.push(item);
      continue;
    }
    const found = itemsOf(key).find((one) => one['id'] === id);
    if (found === undefined) {
      sendError(response, 400, { message: `Item with id '${String(id)}' not found.`, param: 'input' });
      return undefined;
    }
    input.push(found);
  }
  return Array.isArray(body['input']) ? { ...body, input } : body;
};

const itemsOf = (key: string): Json[] =>
  [...kept.values()]
    .filter((one) => one.key === key)
    .flatMap(({ response }) => asList(response['output']).map(asJson));

export const isKeptPath = (path: string): boolean => PATH.test(path);

/** `…/responses/ID` and below: https://platform.openai.com/docs/api-reference/responses/get */
export const answerKept = (call: Call): void | Promise<void> => {
  const { request, response, path, key } = call;
  const [, id = '', rest = ''] = PATH.exec(path) ?? [];
  const found = kept.get(decodeURIComponent(id));
  if (found?.key !== key || found.work?.isLost === true) {
    sendError(response, 404, { message: `Response with id '${id}' not found.` });
    return;
  }
  const ask = `${request.method ?? ''} ${rest}`;
  if (ask === 'GET ') return give(call, found);
  if (ask === 'DELETE ') {
    kept.delete(id);
    sendJson(response, 200, { id, object: 'response', deleted: true });
  } else if (ask === 'GET /input_items') {
    const data = found.input.map((item, at) => ({ id: `msg_in${String(at)}`, type: 'message', ...item }));
    sendJson(response, 200, { object: 'list', data, has_more: false });
  } else if (ask === 'POST /cancel' && found.work !== undefined) {
    found.work.cancel();
    sendJson(response, 200, found.work.read());
  } else if (ask === 'POST /cancel') {
    sendError(response, 400, { message: 'Cannot cancel a synchronous response.' });
  } else sendError(response, 405, { message: 'Method Not Allowed' });
};

const give = async ({ request, response }: Call, found: Kept): Promise<void> => {
  const query = new URL(request.url ?? '/', 'http://simulator').searchParams;
  if (query.get('stream') !== 'true') {
    sendJson(response, 200, found.work?.read() ?? found.response);
    return;
  }
  const after = Number(query.get('starting_after') ?? -1);
  if (found.work !== undefined) return found.work.stream(response, found.events(), after);
  const type = `response.${String(found.response['status'])}`;
  const last = JSON.stringify({ type, sequence_number: 1_000_000, response: found.response });
  startStream(response);
  for (const text of found.events().slice(after + 1)) await write(response, text);
  response.end(`event: ${type}\ndata: ${last}\n\n`);
};
