import { saveBlob } from '../../../lib/browser/download-text.ts';
import { formatTime } from '../../../lib/text/format.ts';
import type { Item, Message } from './conversation.ts';

const markdownOf = (item: Item, names: Readonly<Record<Message['role'], string>>): string => {
  if (item.kind === 'divider') return '---';
  const pictures = item.images.map((url, at) => `![${at + 1}](${url})`);
  const failure = item.error === '' ? [] : [`> ${item.error}`];
  return [`## ${names[item.role]}`, ...pictures, item.content, ...failure].filter(Boolean).join('\n\n');
};

/** The conversation with one model. */
interface Side {
  readonly model: string;
  readonly items: readonly Item[];
}

/** The conversation as a document, model by model, with a line where the context was cleared. */
export const asMarkdown = (
  sides: readonly Side[],
  names: Readonly<Record<Message['role'], string>>,
): string =>
  sides
    .map(({ model, items }) => {
      const words = items.map((item) => markdownOf(item, names)).join('\n\n');
      return sides.length === 1 ? `${words}\n` : `# ${model}\n\n${words}\n`;
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
