import { CUTS } from '../wire/ending.ts';
import type { Item, Message, ReplyMeter, ToolCall } from './conversation.ts';

/** How many messages of a conversation are stored, the newest first, and their total size. */
const KEPT_ITEMS = 400;
const KEPT_CHARACTERS = 24 * 1024 * 1024;

/** Its size in characters, pictures included. */
export const sizeOf = (item: Item): number =>
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const statuses = ['loading', 'incomplete', 'complete', 'error'] as const;

/** Parses a stored conversation, perhaps of another version; undefined if it is invalid. */
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
    cut: readCut(value),
    isSample: value['isSample'] === true,
    model: text(value['model']),
    meter: readMeter(value['meter']),
  };
};

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Earlier versions knew only that a reply had been stopped. */
const readCut = ({ cut, isStopped }: Record<string, unknown>): Message['cut'] =>
  isStopped === true ? 'stopped' : (([...CUTS, 'stopped'] as const).find((known) => known === cut) ?? '');

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
