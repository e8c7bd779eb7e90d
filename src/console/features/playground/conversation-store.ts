import type { Item, ReplyMeter, ToolCall } from './conversation.ts';

/**
 * Stores each user's conversation in IndexedDB, because pictures are too large for local storage. Reading never
 * throws; what could not be written is missing after a reload.
 */

const DATABASE = 'playground';
const STORE = 'conversations';
/** How many messages are stored, the newest first, and their total size. */
const KEPT_ITEMS = 400;
const KEPT_CHARACTERS = 24 * 1024 * 1024;

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB does not open'));
  });

const answerOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB does not answer'));
  });

const inStore = async <Value>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> => {
  const database = await open();
  try {
    return await answerOf(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
};

export type StoredConversation =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'found'; readonly items: readonly Item[] };

export const loadConversation = async (userId: number): Promise<StoredConversation> => {
  try {
    const value: unknown = await inStore('readonly', (store) => store.get(userId));
    if (value === undefined) return { kind: 'none' };
    const items = readItems(value);
    return items === undefined ? { kind: 'unreadable' } : { kind: 'found', items };
  } catch {
    return { kind: 'none' };
  }
};

export const saveConversation = async (userId: number, items: readonly Item[]): Promise<void> => {
  try {
    await inStore('readwrite', (store) => store.put(kept(items), userId));
  } catch {
    // A full disk or a private window: the conversation lasts as long as the page.
  }
};

const sizeOf = (item: Item): number =>
  item.kind === 'divider'
    ? 0
    : item.content.length + item.reasoning.length + item.images.reduce((sum, image) => sum + image.length, 0);

/** The newest items within the bounds. */
export const kept = (items: readonly Item[]): readonly Item[] => {
  let room = KEPT_CHARACTERS;
  const newest = items.slice(-KEPT_ITEMS);
  const first = newest.findLastIndex((item) => {
    room -= sizeOf(item);
    return room < 0;
  });
  return newest.slice(first + 1);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const statuses = ['loading', 'incomplete', 'complete', 'error'] as const;

/** Reads what another version of the console may have written; undefined where it is no conversation. */
export const readItems = (value: unknown): readonly Item[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(readItem);
  return items.every((item) => item !== undefined) ? items : undefined;
};

const readItem = (value: unknown): Item | undefined => {
  if (!isObject(value) || typeof value['id'] !== 'string') return undefined;
  const { id } = value;
  if (value['kind'] === 'divider') return { kind: 'divider', id };
  const role = value['role'];
  const status = statuses.find((known) => known === value['status']);
  if ((role !== 'user' && role !== 'assistant') || status === undefined) return undefined;
  return {
    kind: 'message',
    id,
    role,
    status,
    createAt: typeof value['createAt'] === 'number' ? value['createAt'] : 0,
    content: text(value['content']),
    images: Array.isArray(value['images']) ? value['images'].filter((url) => typeof url === 'string') : [],
    tools: Array.isArray(value['tools']) ? value['tools'].filter(isObject).map(readTool) : [],
    reasoning: text(value['reasoning']),
    error: text(value['error']),
    isStopped: value['isStopped'] === true,
    model: text(value['model']),
    meter: readMeter(value['meter']),
  };
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const readTool = ({ key, name, input }: Record<string, unknown>): ToolCall => ({
  key: text(key),
  name: text(name),
  input: text(input),
});

const readMeter = (value: unknown): ReplyMeter => {
  if (!isObject(value)) return {};
  const { requestId } = value;
  const numbers = ['firstTokenMs', 'totalMs', 'completionTokens', 'quotaUnits'] as const;
  const known: Partial<Record<keyof ReplyMeter, number>> = Object.fromEntries(
    numbers.flatMap((name): [string, number][] => {
      const number = value[name];
      return typeof number === 'number' ? [[name, number]] : [];
    }),
  );
  return { ...(known as ReplyMeter), ...(typeof requestId === 'string' ? { requestId } : {}) };
};
