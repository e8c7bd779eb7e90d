import type { Random } from '../clock.ts';
import type { Usage } from '../chat/usage.ts';
import { completionTokens, promptTokens } from '../chat/usage.ts';

/** A small question with a known answer, worded like a person's. */
export interface SealedQuestion {
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  readonly maxTokens: number;
  readonly stream: boolean;
  readonly answer: string;
}

/** What the upstream's reply to it shows. */
export interface SealedResult {
  /** `unclear` if the answer, or the thoughts before it, may have been cut off at the limit. */
  readonly verdict: 'right' | 'wrong' | 'unclear';
  /** Whether it reports a cache read of text that was never sent before. */
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

/** Long enough to be cached, so that a false cache report would pay off. */
const LIST_LENGTH = 260;
const LONG_SHARE = 0.25;
const STREAM_SHARE = 0.6;
const SYSTEM_SHARE = 0.6;
const LEAST_TOKENS = 180;
const TOKENS_SPREAD = 220;

/** The most tokens a question may use, for checking the budget in advance. */
export const MOST_SEALED_TOKENS = { prompt: 3000, answer: LEAST_TOKENS + TOKENS_SPREAD } as const;

const oneOf = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], random: Random): Item =>
  // The list is not empty.
  items[Math.floor(random.unit() * items.length)] as Item;
const between = (least: number, most: number, random: Random): number =>
  least + Math.floor(random.unit() * (most - least + 1));

const entry = (random: Random): string =>
  `${oneOf(WORDS, random)} ${oneOf(WORDS, random)} ${String(between(100, 999, random))}`;

/**
 * Makes a new question: its wording, its numbers and whether it is streamed vary, and its beginning was never sent
 * before.
 */
export const sealedQuestion = (random: Random): SealedQuestion => {
  const { text, answer } = random.unit() < LONG_SHARE ? listed(random) : multiplied(random);
  // The beginning is new, so that no cache can have it.
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

/** In every format, whole or streamed, a reply's text is in fields of these names. */
const TEXT_FIELD = /"(?:text|content|delta)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

/** The text of a reply, joined; it may include thoughts. */
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

/** Drops differences that do not matter: separators between digits, capitals and the like. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/(?<=\d)[\s,.'’_](?=\d{3})/g, '')
    .replaceAll(/[^a-z\d]+/g, ' ');

const BYTES_OF_A_LONG_TOKEN = 8;

/**
 * What a reply shows about its upstream; undefined if there is no text to judge, for example when a model thought until
 * its limit. An upstream's own prefix to the prompt may be cached: only more cached tokens than that are false.
 */
export const sealedResult = (
  { answer, messages, maxTokens }: SealedQuestion,
  reply: string,
  usage: Usage | undefined,
): SealedResult | undefined => {
  const text = textOfReply(reply).trim();
  if (text === '') return undefined;
  const isRight = ` ${plain(text)} `.includes(` ${plain(answer)} `);
  const isCut = usage !== undefined && completionTokens(usage) >= maxTokens;
  const ownBytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const ofOthers = (usage === undefined ? 0 : promptTokens(usage)) - ownBytes / BYTES_OF_A_LONG_TOKEN;
  const cached = usage?.cacheReadTokens ?? 0;
  const verdict = isRight ? 'right' : isCut ? 'unclear' : 'wrong';
  return { verdict, isCacheFalse: cached > 0 && cached > ofOthers };
};
