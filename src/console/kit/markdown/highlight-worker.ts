import { createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { linesByRun } from './code-runs.ts';
import { grammars, isGrammar } from './grammars.ts';

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

export interface HighlightAnswer {
  readonly id: number;
  /** HTML of the code's runs. Undefined if the language is unknown; the code then stays plain. */
  readonly runs: readonly string[] | undefined;
}

const highlighter = createHighlighterCore({
  themes: [
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('shiki/themes/github-dark-high-contrast.mjs'),
  ],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

/** The markup around the lines, which the page adds itself. */
const FRAME = /^<pre[^>]*><code>|<\/code><\/pre>$/g;

const highlight = async ({ code, language }: HighlightRequest): Promise<readonly string[] | undefined> => {
  const name = language.toLowerCase();
  if (!isGrammar(name)) return undefined;
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(name)) await shiki.loadLanguage(await grammars[name]());
  const html = shiki.codeToHtml(code, {
    lang: name,
    themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    defaultColor: false,
  });
  return linesByRun(html.replace(FRAME, ''));
};

// Compiling a grammar can take a quarter of a second, so it never runs on the main thread.
addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
  const { id } = event.data;
  const answer = (runs: readonly string[] | undefined): void =>
    postMessage({ id, runs } satisfies HighlightAnswer);
  highlight(event.data).then(answer, () => answer(undefined));
});
