import { asJson, asList, sendError, sendJson, type Call, type Json } from '../wire.ts';

/** The items of a conversation, for the key that created it. */
interface Conversation {
  readonly key: string;
  readonly created_at: number;
  metadata: unknown;
  items: Json[];
}

const PATH = /\/conversations(?:\/([^/]+))?(\/items)?(?:\/([^/]+))?$/;
const CREATED = 1_767_225_600;
const conversations = new Map<string, Conversation>();
let counter = 0;

export const isConversationPath = (path: string): boolean => PATH.test(path);

/** `…/conversations` and below: https://platform.openai.com/docs/api-reference/conversations */
export const answerConversation = ({ request, response, path, key, body }: Call): void => {
  const [, id = '', items, itemId] = PATH.exec(path) ?? [];
  const { method = 'GET' } = request;
  if (id === '') {
    const made = `conv_sim${String((counter += 1)).padStart(6, '0')}`;
    const metadata = body['metadata'] ?? {};
    conversations.set(made, { key, created_at: CREATED, metadata, items: namedItems(body['items']) });
    return sendJson(response, 200, show(made));
  }
  const found = conversations.get(id);
  if (found?.key !== key)
    return sendError(response, 404, { message: `Conversation with id '${id}' not found.` });
  if (items === undefined) {
    if (method === 'POST') found.metadata = body['metadata'];
    if (method !== 'DELETE') return sendJson(response, 200, show(id));
    conversations.delete(id);
    return sendJson(response, 200, { id, object: 'conversation.deleted', deleted: true });
  }
  if (itemId === undefined) {
    const added = method === 'POST' ? namedItems(body['items']) : [];
    found.items.push(...added);
    const data = method === 'POST' ? added : found.items;
    return sendJson(response, 200, { object: 'list', data, has_more: false });
  }
  const item = found.items.find((one) => one['id'] === itemId);
  if (item === undefined) return sendError(response, 404, { message: `Item '${itemId}' not found.` });
  if (method !== 'DELETE') return sendJson(response, 200, item);
  found.items = found.items.filter((one) => one !== item);
  sendJson(response, 200, show(id));
};

const show = (id: string): Json => {
  const { created_at, metadata } = conversations.get(id) ?? {};
  return { id, object: 'conversation', created_at, metadata };
};

const namedItems = (items: unknown): Json[] =>
  asList(items).map((item) => ({ id: `msg_conv${String((counter += 1))}`, ...asJson(item) }));
