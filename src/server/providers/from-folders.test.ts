import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { channelTypes } from '#contract/channel-types.ts';
import { typeGuides } from '#contract/channel-types/type-guides.ts';
import type { ChannelType } from '#contract/channel-types/channel-type.ts';
import type { Provider } from './shared/description/provider.ts';

/**
 * What follows from the folders of the providers: the lines of the registry, and the page that says what each type needs and
 * offers. Run with `-u`, these tests write both.
 */

const here = import.meta.dirname;
const camelCase = (folder: string): string =>
  folder.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** In the order of their imports. */
const folders = globSync('*/', { cwd: here })
  .map((folder) => folder.replaceAll('/', ''))
  .filter((folder) => folder !== 'shared' && folder !== 'testing')
  .toSorted((one, other) => (`${one}/` < `${other}/` ? -1 : 1));

/** Imported from their folders, as the registry may not have them yet. */
const providers = await Promise.all(
  folders.map(async (folder) => {
    const module = (await import(join(here, folder, `${folder}.ts`))) as Readonly<Record<string, Provider>>;
    const found = module[camelCase(folder)];
    if (found === undefined) throw new Error(`${folder}.ts does not export ${camelCase(folder)}`);
    return found;
  }),
);
const providerOf = (type: number): Provider | undefined =>
  providers.find(({ types }) => types.some((one) => one === type));

test('the registry lists the provider of every folder', async () => {
  const file = join(here, 'registry.ts');
  const imports = folders.map(
    (folder) => `import { ${camelCase(folder)} } from './${folder}/${folder}.ts';\n`,
  );
  const list = folders.map((folder) => `  ${camelCase(folder)},\n`);
  const text = readFileSync(file, 'utf8')
    .replace(/^(?:import \{ \w+ \} from '.\/[\w-]+\/[\w-]+.ts';\n)+/, () => imports.join(''))
    .replace(/(?<=^export const providers.*\n)(?: {2}\w+,\n)+/m, () => list.join(''));
  await expect(text).toMatchFileSnapshot(file);
});

const pageFile = join(here, '../../../docs/providers.md');
const page = readFileSync(pageFile, 'utf8');

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
  const operations = Object.keys(providerOf(id)?.offers ?? {});
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
    providerOf(id)?.prices === undefined ? '' : 'yes',
  ];
  return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
};

test('the table of docs/providers.md has each type as it is', async () => {
  const rows = channelTypes.map((type) => `${rowOf(type)}\n`);
  await expect(page.replace(/(?:^\| \d+ \|.*\n)+/m, () => rows.join(''))).toMatchFileSnapshot(pageFile);
});

test('the icon of each type is there', () => {
  const icons = join(here, '../../../node_modules/@lobehub/icons-static-svg/icons');
  const missing = channelTypes.filter(
    ({ icon }) => icon !== 'custom' && !existsSync(join(icons, `${icon}.svg`)),
  );
  expect(missing).toEqual([]);
});

/** What everybody may serve has no page of its own. */
const ANYBODY = [2, 5, 8, 36, 108];

test('each type names the page it follows, there or in its folder, or says that none was found', () => {
  const references = page.split('\n## References\n')[1] ?? '';
  const inTable = [...references.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, types = '']) =>
    types.split(', '),
  );
  const without = [...(references.split('No newer page')[1] ?? '').matchAll(/\((\d+)\)/g)].map(
    ([, type]) => type,
  );
  const inFolder = folders.flatMap((folder, at) =>
    readFileSync(join(here, folder, `${folder}.ts`), 'utf8').includes('Source: ')
      ? (providers[at]?.types ?? [])
      : [],
  );
  const known = new Set<number>([...[...inTable, ...without].map(Number), ...inFolder, ...ANYBODY]);
  expect([...known].toSorted((a, b) => a - b)).toEqual(channelTypes.map(({ id }) => id));
});
