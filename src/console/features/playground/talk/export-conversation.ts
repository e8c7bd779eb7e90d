import { saveBlob } from '../../../lib/browser/download-text.ts';
import { formatTime } from '../../../lib/text/format.ts';
import type { Item, Message, ToolCall } from './conversation.ts';

/** The words of the page in which the document is written. */
interface Words {
  readonly names: Readonly<Record<Message['role'], string>>;
  /** Why a reply is not whole. */
  readonly cuts: Readonly<Record<Exclude<Message['cut'], ''>, string>>;
}

/** Fences longer than any in the text, which would end the block. */
const fenced = (text: string, language: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
};

const toolOf = ({ name, input }: ToolCall): string =>
  [`**${name}**`, input && fenced(input, 'json')].filter(Boolean).join('\n\n');

const markdownOf = (item: Item, { names, cuts }: Words): string => {
  if (item.kind === 'divider') return '---';
  const pictures = item.images.map((url, at) => `![${at + 1}](${url})`);
  const notes = [item.error, item.cut && cuts[item.cut]]
    .filter(Boolean)
    .map((note) => `> ${note.replaceAll('\n', '\n> ')}`);
  return [`## ${names[item.role]}`, ...pictures, item.content, ...item.tools.map(toolOf), ...notes]
    .filter(Boolean)
    .join('\n\n');
};

/** The conversation with one model. */
interface Side {
  readonly model: string;
  readonly items: readonly Item[];
}

/** The conversation as a document, model by model, with a line where the context was cleared. */
export const asMarkdown = (sides: readonly Side[], said: Words): string =>
  sides
    .map(({ model, items }) => {
      const text = items.map((item) => markdownOf(item, said)).join('\n\n');
      return sides.length === 1 ? `${text}\n` : `# ${model}\n\n${text}\n`;
    })
    .join('\n');

/** The conversation as data: one list of messages, or one for each model. */
export const asJson = (sides: readonly Side[]): string =>
  `${JSON.stringify(sides.length === 1 ? sides[0]?.items : sides, null, 2)}\n`;

/** Offers a text to be saved as a file. */
export const download = (text: string, type: 'text/markdown' | 'application/json'): void => {
  const ending = type === 'text/markdown' ? 'md' : 'json';
  const day = formatTime(Date.now() / 1000).slice(0, 10);
  saveBlob(`playground-${day}.${ending}`, new Blob([text], { type }));
};
