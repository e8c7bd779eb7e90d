import type { Random } from '../clock.ts';
import type { Usage } from '../chat/usage.ts';
import { promptTokens } from '../chat/usage.ts';

/** A small question whose answer is known, worded like somebody's. */
export interface SealedQuestion {
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  readonly maxTokens: number;
  readonly stream: boolean;
  readonly answer: string;
}

/** What an upstream made of it. */
export interface SealedResult {
  readonly verdict: 'right' | 'wrong';
  /** It reports to have read from a cache what was never sent before. */
  readonly isCacheFalse: boolean;
}

const WORDS = (
  'amber anchor apple arrow autumn bamboo basket beacon blanket border bottle branch bridge bronze butter button candle canyon ' +
  'carpet castle cedar cherry circle clover cobalt copper coral cotton crystal desert dragon eagle ember engine fabric falcon ' +
  'feather forest garden ginger glacier granite hammer harbor harvest hazel helmet hollow island ivory jacket jasmine jungle ' +
  'kettle ladder lantern lemon linen marble meadow melon mirror morning mountain needle nickel orchid oyster pebble pepper ' +
  'pillow planet pocket prairie quartz rabbit ribbon river saddle saffron salmon shadow silver spider spring stable summer ' +
  'sunset temple thunder timber tunnel turtle valley velvet violet walnut window winter yellow zephyr'
).split(' ');
const SYSTEMS = [
  'You are a helpful assistant.',
  'Answer briefly.',
  'You help with everyday office work. Keep answers short.',
] as const;
const SUMS = [
  'What is {a} times {b}? Just the number please.',
  'quick check: {a} * {b} = ?',
  'I need {a} boxes with {b} screws each. How many screws is that? Reply with the number only.',
  'Compute {a} × {b} and give me only the result.',
] as const;
const LISTS = [
  'Here is my list:\n{list}\n\nWhich entry has number {n}? Just the entry.',
  'Inventory export below, one item a line.\n{list}\nWhat stands at position {n}? One entry, nothing else.',
] as const;

/** Long enough for a cache to hold it, so that a false claim about one pays. */
const LIST_LENGTH = 260;
const LONG_SHARE = 0.25;
const STREAM_SHARE = 0.6;
const SYSTEM_SHARE = 0.6;
const LEAST_TOKENS = 180;
const TOKENS_SPREAD = 220;

/** What a question may use at most, to be sure of a budget. */
export const MOST_SEALED_TOKENS = { prompt: 3000, answer: LEAST_TOKENS + TOKENS_SPREAD } as const;

const oneOf = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], random: Random): Item =>
  // There is one.
  items[Math.floor(random.unit() * items.length)] as Item;
const between = (least: number, most: number, random: Random): number =>
  least + Math.floor(random.unit() * (most - least + 1));

const entry = (random: Random): string =>
  `${oneOf(WORDS, random)} ${oneOf(WORDS, random)} ${String(between(100, 999, random))}`;

/** A new question: its wording, its numbers and whether it is streamed differ, and its beginning was never sent before. */
export const sealedQuestion = (random: Random): SealedQuestion => {
  const { text, answer } = random.unit() < LONG_SHARE ? listed(random) : multiplied(random);
  // What stands first is new, so that no cache can have it.
  const subject = `${entry(random)}: `;
  const system = random.unit() < SYSTEM_SHARE ? [`${subject}${oneOf(SYSTEMS, random)}`] : [];
  const user = system.length > 0 ? text : subject + text;
  return {
    messages: [
      ...system.map((content) => ({ role: 'system' as const, content })),
      { role: 'user', content: user },
    ],
    maxTokens: between(LEAST_TOKENS, LEAST_TOKENS + TOKENS_SPREAD, random),
    stream: random.unit() < STREAM_SHARE,
    answer,
  };
};

const multiplied = (random: Random) => {
  const [a, b] = [between(123, 987, random), between(23, 97, random)];
  const text = oneOf(SUMS, random).replace('{a}', String(a)).replace('{b}', String(b));
  return { text, answer: String(a * b) };
};

const listed = (random: Random) => {
  const entries = Array.from({ length: LIST_LENGTH }, () => entry(random));
  const at = between(20, LIST_LENGTH - 20, random);
  const list = entries.map((name, index) => `${String(index + 1)}. ${name}`).join('\n');
  const text = oneOf(LISTS, random).replace('{list}', list).replace('{n}', String(at));
  return { text, answer: entries[at - 1] ?? '' };
};

/** In whatever format a reply is, whole or streamed, what it says stands in fields of these names. */
const TEXT_FIELD = /"(?:text|content|delta)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

/** What a reply says, joined; thoughts may be in it. */
export const textOfReply = (reply: string): string => {
  let text = '';
  for (const [, escaped = ''] of reply.matchAll(TEXT_FIELD)) text += unescaped(escaped);
  return text;
};

const unescaped = (escaped: string): string => {
  try {
    return String(JSON.parse(`"${escaped}"`));
  } catch {
    return escaped;
  }
};

/** Spaces, commas and dots between digits, capitals and the like decide nothing. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/(?<=\d)[\s,.'’_](?=\d{3})/g, '')
    .replaceAll(/[^a-z\d]+/g, ' ');

const BYTES_OF_A_LONG_TOKEN = 8;

/**
 * What a reply says of its upstream; undefined where there is no text to judge, as of a model that thought until its limit.
 * What an upstream puts before a prompt by itself may be in its cache: only more than that is false.
 */
export const sealedResult = (
  { answer, messages }: SealedQuestion,
  reply: string,
  usage: Usage | undefined,
): SealedResult | undefined => {
  const text = textOfReply(reply).trim();
  if (text === '') return undefined;
  const isRight = ` ${plain(text)} `.includes(` ${plain(answer)} `);
  const ownBytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const ofOthers = (usage === undefined ? 0 : promptTokens(usage)) - ownBytes / BYTES_OF_A_LONG_TOKEN;
  const cached = usage?.cacheReadTokens ?? 0;
  return { verdict: isRight ? 'right' : 'wrong', isCacheFalse: cached > 0 && cached > ofOthers };
};
