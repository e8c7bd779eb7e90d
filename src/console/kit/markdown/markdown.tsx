import './markdown.css';
import { memo, useState } from 'react';
import { Code } from './code-block.tsx';
import { readCodeBlock, renderBlock } from './render-block.ts';
import { splitBlocks } from './split-blocks.ts';

interface MarkdownProps {
  readonly text: string;
  /** Unfinished code stays plain. */
  readonly isStreaming?: boolean;
}

/**
 * Markdown from a model, during and after streaming. Only the last block is rendered again as text arrives, however long
 * the text, so pass it in batches (every 40 ms is enough).
 */
export const Markdown = ({ text, isStreaming = false }: MarkdownProps) => {
  const [before, setBlocks] = useState(() => splitBlocks(text));
  const blocks = before.text === text ? before : splitBlocks(text, before);
  if (blocks !== before) setBlocks(blocks);
  const { groups } = blocks;
  return (
    <div className="markdown">
      {groups.map((group, at) => (
        <Group key={at} blocks={group} isOpen={isStreaming && at === groups.length - 1} />
      ))}
    </div>
  );
};

interface GroupProps {
  readonly blocks: readonly string[];
  /** The last of the blocks is still being written. */
  readonly isOpen: boolean;
}

const Group = memo(({ blocks, isOpen }: GroupProps) =>
  blocks.map((block, at) => (
    <Block key={at} text={block} isFinished={!(isOpen && at === blocks.length - 1)} />
  )),
);

const Block = memo(({ text, isFinished }: { readonly text: string; readonly isFinished: boolean }) => {
  if (text === '') return null;
  const code = readCodeBlock(text);
  if (code !== undefined) return <Code block={code} isFinished={isFinished} />;
  // Sanitised in renderBlock.
  return <div className="markdown-block" dangerouslySetInnerHTML={{ __html: renderBlock(text) }} />;
});
