import type { Item } from './conversation.ts';
import { isObject, kept, readItems, sizeOf, text } from './stored-items.ts';
import { newId } from '../../../lib/browser/new-id.ts';

/**
 * Stores each user's conversations in IndexedDB, because pictures are too large for local storage. Reading never
 * throws; what could not be written is missing after a reload.
 */

const DATABASE = 'playground';
/** The store of version 1: one conversation per user, by the user's id. */
const OLD = 'conversations';
/** By user and conversation. The entries of the list are stored apart, so that it loads without the messages. */
const TALKS = 'talks';
const HEADS = 'heads';

/** How many conversations of a user are stored, the newest first, and their total size in characters. */
const KEPT_TALKS = 200;
const KEPT_CHARACTERS = 128 * 1024 * 1024;
const TITLE_CHARACTERS = 100;
/** How many characters of a conversation can be searched. */
const SEARCHED_CHARACTERS = 20_000;

/** The conversation with one model. */
export interface StoredLane {
  /** Empty for the model of the panel. */
  readonly model: string;
  readonly items: readonly Item[];
}

export interface StoredTalk {
  readonly id: string;
  /** One or, where models are compared, several. */
  readonly lanes: readonly StoredLane[];
}

/** A conversation as a list shows it. */
export interface TalkHead {
  readonly id: string;
  readonly title: string;
  readonly models: readonly string[];
  /** Unix milliseconds. */
  readonly changedAtMs: number;
  /** Its words in lower case, for the search. */
  readonly words: string;
  readonly characters: number;
}

type Key = readonly [userId: number, talkId: string];

const answerOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB does not answer'));
  });

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 2);
  request.onupgradeneeded = () => {
    const database = request.result;
    for (const name of [OLD, TALKS, HEADS])
      if (!database.objectStoreNames.contains(name)) database.createObjectStore(name);
  };
  return answerOf(request);
};

type StoreName = typeof OLD | typeof TALKS | typeof HEADS;
type Stores = (name: StoreName) => IDBObjectStore;

const within = async <Value>(
  names: readonly StoreName[],
  mode: IDBTransactionMode,
  work: (store: Stores) => Promise<Value>,
): Promise<Value> => {
  const database = await open();
  // Another tab with a newer console may change the database.
  database.onversionchange = () => database.close();
  try {
    const transaction = database.transaction([...names], mode);
    return await work((name) => transaction.objectStore(name));
  } finally {
    database.close();
  }
};

/** All keys of one user: in IndexedDB an array sorts after any text. */
const allOf = (userId: number): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []]);
const keyOf = (userId: number, talkId: string): IDBValidKey => [userId, talkId] satisfies Key as IDBValidKey;

export type LoadedTalk =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'found'; readonly talk: StoredTalk };

/** Loads a conversation; without an id the one that changed last. */
export const loadTalk = async (userId: number, talkId: string | undefined): Promise<LoadedTalk> => {
  try {
    const heads = talkId === undefined ? await listTalks(userId) : [];
    const id = talkId ?? heads[0]?.id;
    if (id === undefined) return await loadOld(userId);
    const [value, head] = await within([TALKS, HEADS], 'readonly', (store) =>
      Promise.all(
        ([TALKS, HEADS] as const).map((name) => answerOf<unknown>(store(name).get(keyOf(userId, id)))),
      ),
    );
    if (value === undefined) return { kind: 'none' };
    if (isHead(head)) seen.set(id, head.changedAtMs);
    const lanes = readLanes(value);
    return lanes === undefined ? { kind: 'unreadable' } : { kind: 'found', talk: { id, lanes } };
  } catch {
    return { kind: 'none' };
  }
};

/** Imports the single conversation that an earlier version stored. */
const loadOld = async (userId: number): Promise<LoadedTalk> => {
  const value = await within([OLD], 'readonly', (store) => answerOf<unknown>(store(OLD).get(userId)));
  if (value === undefined) return { kind: 'none' };
  const items = readItems(value);
  if (items === undefined) return { kind: 'unreadable' };
  const talk = { id: newId(), lanes: [{ model: '', items }] };
  await saveTalk(userId, talk);
  await within([OLD], 'readwrite', (store) => answerOf(store(OLD).delete(userId)));
  return { kind: 'found', talk };
};

const readLanes = (value: unknown): readonly StoredLane[] | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const lanes = value.map((lane): StoredLane | undefined => {
    const items = isObject(lane) ? readItems(lane['items']) : undefined;
    return items === undefined || !isObject(lane) ? undefined : { model: text(lane['model']), items };
  });
  return lanes.every((lane) => lane !== undefined) ? lanes : undefined;
};

/** The user's conversations, most recently changed first. */
export const listTalks = async (userId: number): Promise<readonly TalkHead[]> => {
  try {
    const heads = await within([HEADS], 'readonly', (store) =>
      answerOf<unknown[]>(store(HEADS).getAll(allOf(userId))),
    );
    return heads.filter(isHead).toSorted((left, right) => right.changedAtMs - left.changedAtMs);
  } catch {
    return [];
  }
};

const isHead = (value: unknown): value is TalkHead =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['changedAtMs'] === 'number';

/** The entry of a conversation in the list. */
export const headOf = ({ id, lanes }: StoredTalk, changedAtMs: number): TalkHead => {
  const messages = lanes
    .flatMap(({ items }) => items)
    .filter((item) => item.kind === 'message')
    .filter(({ isSample }) => !isSample);
  const first = messages.find(({ role, content }) => role === 'user' && content !== '');
  const models = new Set(messages.map(({ model }) => model).filter(Boolean));
  return {
    id,
    title: (first?.content ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, TITLE_CHARACTERS),
    models: [...models].slice(-4),
    changedAtMs,
    words: messages
      .map(({ content }) => content)
      .join('\n')
      .slice(0, SEARCHED_CHARACTERS)
      .toLowerCase(),
    characters: lanes.flatMap(({ items }) => items).reduce((sum, item) => sum + sizeOf(item), 0),
  };
};

/** Whether a conversation has all the words typed in the search, in its messages or its models' names. */
export const isFound = ({ words, models }: TalkHead, typed: string): boolean => {
  const names = models.join(' ').toLowerCase();
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.every((word) => words.includes(word) || names.includes(word));
};

/** The ids of the conversations that exceed the limits, oldest first. */
export const overfull = (newestFirst: readonly TalkHead[]): readonly string[] => {
  let room = KEPT_CHARACTERS;
  const gone = newestFirst.filter(({ characters }, at) => {
    room -= characters;
    return at >= KEPT_TALKS || room < 0;
  });
  return gone.map(({ id }) => id);
};

/** What the user deleted here: one that was open, and is stopped by that, would be stored once more as it is left. */
const deleted = new Set<string>();

/** When each conversation was last changed, as this page read or wrote it: another time is that of another tab. */
const seen = new Map<string, number>();

/**
 * Stores a conversation, unless it is empty or deleted. One that another tab has continued since is left as it is there, and this
 * becomes one of its own.
 * @returns the id that it has now
 */
export const saveTalk = async (userId: number, talk: StoredTalk): Promise<string> => {
  if (deleted.has(talk.id)) return talk.id;
  const lanes = talk.lanes.map(({ model, items }) => ({ model, items: kept(items) }));
  const isEmpty = lanes.every(({ items }) => items.every((item) => item.kind === 'divider' || item.isSample));
  try {
    return await within([TALKS, HEADS], 'readwrite', async (store) => {
      const stored = await answerOf<unknown>(store(HEADS).get(keyOf(userId, talk.id)));
      const isOthers = isHead(stored) && stored.changedAtMs !== seen.get(talk.id);
      if (isEmpty) {
        if (!isOthers) await removeFrom(store, userId, talk.id);
        return talk.id;
      }
      const id = isOthers ? newId() : talk.id;
      const head = headOf({ id, lanes }, Date.now());
      seen.set(id, head.changedAtMs);
      store(HEADS).put(head, keyOf(userId, id));
      await answerOf(store(TALKS).put(lanes, keyOf(userId, id)));
      return id;
    });
  } catch {
    // A full disk or a private window: the conversation lasts as long as the page.
    return talk.id;
  }
};

export const deleteTalk = (userId: number, talkId: string): Promise<void> => {
  deleted.add(talkId);
  return deleteTalks(userId, [talkId]);
};

/** Undoes `deleteTalk`. */
export const restoreTalk = (userId: number, talk: StoredTalk): Promise<string> => {
  deleted.delete(talk.id);
  return saveTalk(userId, talk);
};

const removeFrom = (store: Stores, userId: number, talkId: string): Promise<unknown> => {
  store(HEADS).delete(keyOf(userId, talkId));
  return answerOf(store(TALKS).delete(keyOf(userId, talkId)));
};

const deleteTalks = (userId: number, talkIds: readonly string[]): Promise<void> =>
  within([TALKS, HEADS], 'readwrite', async (store) => {
    for (const id of talkIds) await removeFrom(store, userId, id);
  });

/** Makes room for new conversations. */
export const trimTalks = async (userId: number): Promise<void> => {
  await deleteTalks(userId, overfull(await listTalks(userId))).catch(() => {});
};
