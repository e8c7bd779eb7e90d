import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { channelTypes } from '#contract/channel-types.ts';
import { typeGuides } from '#contract/channel-types/type-guides.ts';
import type { ChannelType } from '#contract/channel-types/channel-type.ts';
import { providerOf } from './registry.ts';
import { operationsOf } from './testing/asked-of.ts';

/** The page that says what each type needs and can is what the code says. */

const page = readFileSync(join(import.meta.dirname, '../../../docs/providers.md'), 'utf8');

const FORMATS: Readonly<Record<string, string>> = {
  'openai-chat': 'Chat',
  'openai-responses': 'Responses',
  'anthropic-messages': 'Messages',
  gemini: 'Gemini',
};
/** Kinds whose format follows from the model, or from the key. */
const BY_MODEL: Readonly<Record<number, string>> = {
  3: 'Chat, Responses; Messages for Claude',
  23: 'Chat, Responses, Messages; its own for keys that sign',
  33: 'Messages for Claude, else Converse',
  41: 'Gemini; Messages for Claude; Chat for Mistral and open models',
};
const WORDS: Readonly<Record<string, string>> = {
  'embed-content': 'embeddings of Gemini',
  'batch-embed-contents': '',
  'image-edits': 'edits of images',
  'image-variations': 'variations of images',
  'responses-compact': 'compacting',
};

const formatsOf = (type: number): string => {
  const provider = providerOf(type);
  if (provider === undefined) return 'tasks';
  if (provider.offers.chat === undefined) return '';
  const { dialect, natives = [] } = provider;
  return BY_MODEL[type] ?? [dialect, ...natives].map(({ name }) => FORMATS[name] ?? 'its own').join(', ');
};

const rowOf = ({ id, label, other }: ChannelType): string => {
  const { keyHint } = typeGuides[id] ?? {};
  const operations = operationsOf(id);
  const offers = operations
    .filter((operation) => operation !== 'chat' && operation !== 'models')
    .map((operation) => WORDS[operation] ?? operation)
    .filter((word) => word !== '');
  const key = keyHint === undefined ? '' : keyHint.replaceAll('|', '\\|');
  const cells = [
    String(id),
    label,
    key === '' ? '' : `\`${key}\``,
    other ?? '',
    formatsOf(id),
    offers.join(', '),
    operations.includes('models') ? 'yes' : '',
    providerOf(id)?.balance === undefined ? '' : 'yes',
  ];
  return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
};

const plain = (line: string): string => line.replaceAll(/ {2,}/g, ' ').trim();

test('the table of docs/providers.md has each type as it is', () => {
  const lines = (page.split('\n## ')[0] ?? '').split('\n').map(plain);
  const rows = lines.filter((line) => /^\| \d+ \|/.test(line));
  expect(rows).toEqual(channelTypes.map(rowOf));
});

/** What everybody may serve has no page of its own. */
const ANYBODY = [2, 5, 8, 36, 108];

test('it names the page that each type was compared with, or says that none was found', () => {
  const references = page.split('\n## References\n')[1] ?? '';
  const inTable = [...references.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, types = '']) =>
    types.split(', '),
  );
  const without = [...(references.split('No newer page')[1] ?? '').matchAll(/\((\d+)\)/g)].map(
    ([, type]) => type,
  );
  const types = channelTypes.map(({ id }) => id).filter((id) => !ANYBODY.includes(id));
  expect([...inTable, ...without].map(Number).sort((a, b) => a - b)).toEqual(types);
});
