import './markdown.css';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Copy } from '../copy.tsx';
import { readCodeBlock, renderBlock, type CodeBlock } from './render-block.ts';
import { splitBlocks } from './split-blocks.ts';
import type { HighlightAnswer, HighlightRequest } from './highlight-worker.ts';

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (html: string | undefined) => void>();

const startWorker = (): Worker => {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', (event: MessageEvent<HighlightAnswer>) => {
    waiting.get(event.data.id)?.(event.data.html);
    waiting.delete(event.data.id);
  });
  return started;
};

/** Code as coloured HTML with both themes as CSS variables; undefined if its language is unknown. */
const highlight = (code: string, language: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    worker ??= startWorker();
    const id = ++lastId;
    waiting.set(id, resolve);
    worker.postMessage({ id, code, language } satisfies HighlightRequest);
  });

/**
 * Markdown from a model, during and after streaming. Finished blocks are rendered once; only the last one is rendered
 * again as text arrives, so pass text in batches (every 40 ms is enough). `isStreaming` keeps unfinished code plain.
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
