import { memo, startTransition, useEffect, useState } from 'react';
import { afterFrame } from '../../lib/browser/after-frame.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Copy } from '../copy.tsx';
import type { CodeBlock } from './render-block.ts';
import { linesByRun } from './code-runs.ts';
import type { HighlightAnswer, HighlightRequest } from './highlight-worker.ts';

type Runs = readonly string[];

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (runs: Runs | undefined) => void>();

const startWorker = (): Worker => {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', (event: MessageEvent<HighlightAnswer>) => {
    waiting.get(event.data.id)?.(event.data.runs);
    waiting.delete(event.data.id);
  });
  return started;
};

/** The runs of a code as HTML, with the colours of both themes as CSS variables; undefined if its language is unknown. */
const highlight = (code: string, language: string): Promise<Runs | undefined> =>
  new Promise((resolve) => {
    worker ??= startWorker();
    const id = ++lastId;
    waiting.set(id, resolve);
    worker.postMessage({ id, code, language } satisfies HighlightRequest);
  });

const nextFrame = (): Promise<void> => new Promise((resolve) => void afterFrame(resolve));

interface CodeProps {
  readonly block: CodeBlock;
  /** Unfinished code stays plain. */
  readonly isFinished: boolean;
}

/** A piece of code, drawn in runs of lines: when text or colours arrive, only the affected runs are drawn again. */
export const Code = ({ block: { code, language }, isFinished }: CodeProps) => {
  const { t } = useTranslation();
  const coloured = useColours(code, language, isFinished);
  return (
    <figure className="code">
      <figcaption>
        <span className="meta">{language}</span>
        <Copy value={code} label={t('markdown.copyCode')} iconOnly />
      </figcaption>
      <pre tabIndex={0} className={coloured.length === 0 ? undefined : 'shiki'}>
        <code>
          {linesByRun(code).map((run, at) => (
            <Run key={at} text={run} html={coloured[at]} />
          ))}
        </code>
      </pre>
    </figure>
  );
};

const Run = memo(({ text, html }: { readonly text: string; readonly html: string | undefined }) =>
  html === undefined ? (
    <span key="plain" className="code-run">
      {text}
    </span>
  ) : (
    // Made by the highlighter, which escapes the code.
    <span key="coloured" className="code-run" dangerouslySetInnerHTML={{ __html: html }} />
  ),
);

const NONE: Runs = [];

/** The runs that are coloured so far, from the first: a long code has thousands of words. */
const useColours = (code: string, language: string, isFinished: boolean): Runs => {
  const [coloured, setColoured] = useState({ code, runs: NONE });
  useEffect(() => {
    if (!isFinished || language === '') return undefined;
    let isWanted = true;
    const colour = async (): Promise<void> => {
      const runs = (await highlight(code, language)) ?? NONE;
      for (let count = 1; isWanted && count <= runs.length; count += 1) {
        startTransition(() => setColoured({ code, runs: runs.slice(0, count) }));
        await nextFrame();
      }
    };
    void colour();
    return () => {
      isWanted = false;
    };
  }, [code, language, isFinished]);
  return coloured.code === code ? coloured.runs : NONE;
};
