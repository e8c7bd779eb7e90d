import './markdown.css';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Copy } from '../copy.tsx';
import { highlight } from './highlight.ts';
import { readCodeBlock, renderBlock, type CodeBlock } from './render-block.ts';
import { splitBlocks } from './split-blocks.ts';

/**
 * Markdown from a model, while it arrives and after. Finished blocks are drawn once; only the last one is drawn again
 * as text comes in, so hand over text in batches (every 40 ms is enough). `isStreaming` keeps unfinished code plain.
 */
export const Markdown = ({
  text,
  isStreaming = false,
}: {
  readonly text: string;
  readonly isStreaming?: boolean;
}) => {
  const { finished, open } = splitBlocks(text);
  return (
    <div className="markdown">
      {finished.map((block, at) => (
        <Block key={at} text={block} isFinished />
      ))}
      {open !== '' && <Block text={open} isFinished={!isStreaming} />}
    </div>
  );
};

const Block = memo(({ text, isFinished }: { readonly text: string; readonly isFinished: boolean }) => {
  const code = readCodeBlock(text);
  if (code !== undefined) return <Code block={code} isFinished={isFinished} />;
  // Sanitised in renderBlock.
  return <div className="markdown-block" dangerouslySetInnerHTML={{ __html: renderBlock(text) }} />;
});

const Code = ({ block, isFinished }: { readonly block: CodeBlock; readonly isFinished: boolean }) => {
  const { code, language } = block;
  const { t } = useTranslation();
  const [html, setHtml] = useState<string>();
  useEffect(() => {
    if (!isFinished || language === '') return undefined;
    let isWanted = true;
    void highlight(code, language).then((coloured) => {
      if (isWanted) setHtml(coloured);
    });
    return () => {
      isWanted = false;
    };
  }, [code, language, isFinished]);
  return (
    <figure className="code">
      <figcaption>
        <span className="meta">{language}</span>
        <Copy value={code} label={t('markdown.copyCode')} iconOnly />
      </figcaption>
      {html === undefined ? (
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
      ) : (
        <div dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </figure>
  );
};
