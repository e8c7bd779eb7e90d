import type { CutStream } from './cut-stream.ts';
import type { StreamReader, StreamWriter } from '../dialect.ts';
import type { Frame } from '../frame.ts';

/**
 * Ends a forwarded stream by means of its format's own writer, which is told how the stream began, so that its last
 * frames have the same id and model.
 * @param opensWithText the format begins each answer with its first words
 */
export const endAtLimit = (
  { first, openChoices, usage }: CutStream,
  reader: StreamReader,
  writer: StreamWriter,
  { opensWithText = false }: { readonly opensWithText?: boolean } = {},
): readonly Frame[] => {
  for (const event of first.flatMap((frame) => reader.read(frame)))
    if (event.type === 'start') writer.write(event);
  // The caller already has the beginning of each answer.
  if (opensWithText) for (const choice of openChoices) writer.write({ type: 'text-delta', choice, text: '' });
  return [
    ...openChoices.flatMap((choice) => writer.write({ type: 'finish', choice, reason: 'length' })),
    ...(usage === undefined ? [] : writer.write({ type: 'usage', usage })),
    ...writer.end(),
  ];
};
