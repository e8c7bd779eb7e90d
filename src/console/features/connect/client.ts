import { type Shell, shellWord } from '../../lib/text/quoted.ts';
import type { TestFormat } from './test-call.ts';

/** The values the setup texts are filled with. */
export interface Site {
  /** Without a slash at the end, and without `/v1`. */
  readonly address: string;
  readonly key: string;
  readonly model: string;
  /** For titles and summaries. */
  readonly smallModel: string;
  /** Every model the key may use. */
  readonly offered: readonly string[];
  /** The model's context window, prompt and answer together; undefined if unknown. */
  readonly contextTokens: number | undefined;
  /** The site's name. */
  readonly name: string;
}

type Pairs = Readonly<Record<string, string>>;

/** One setup step: shell commands, a file, code, or fields to fill in. */
export type Part = (
  | {
      readonly kind: 'shell';
      readonly env: Pairs;
      /** Its last word is added in quotes. */
      readonly run: string;
      readonly lastWord?: string;
    }
  | { readonly kind: 'file'; readonly file: string; readonly text: string }
  | { readonly kind: 'code'; readonly install?: string; readonly text: string }
  | { readonly kind: 'fields'; readonly where: string; readonly fields: Pairs }
) & {
  /** An alternative to the step before it. */
  readonly isOther?: true;
};

export type Note = 'public' | 'admin' | 'context';

/** A program that can use this site, and its setup. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** The file name of its icon; without one its first letter is shown. */
  readonly icon?: string;
  /** The wire format it uses. */
  readonly format: TestFormat;
  /** The maker's documentation. */
  readonly docs: string;
  readonly note?: Note;
  /** Matches the models it is made for. */
  readonly family?: RegExp;
  readonly parts: (site: Site) => readonly Part[];
  /** A link that opens the program with everything filled in. */
  readonly link?: (site: Site) => string;
}

/** The context window assumed if the model's is unknown; most models used by agents have more. */
export const USUAL_CONTEXT_TOKENS = 128_000;

/** The answer limit: most of the context window is left for the prompt. */
export const answerTokens = (contextTokens: number): number =>
  Math.min(MOST_ANSWER_TOKENS, Math.floor(contextTokens / 4));

const MOST_ANSWER_TOKENS = 32_000;

/** The text the copy button copies. */
export const partText = (part: Part, shell: Shell): string => {
  switch (part.kind) {
    case 'shell':
      return [
        ...Object.entries(part.env).map(([name, value]) =>
          shell === 'bash'
            ? `export ${name}=${shellWord(value, shell)}`
            : `$env:${name} = ${shellWord(value, shell)}`,
        ),
        part.lastWord === undefined ? part.run : `${part.run} ${shellWord(part.lastWord, shell)}`,
      ].join('\n');
    case 'fields':
      return Object.entries(part.fields)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n');
    case 'file':
    case 'code':
      return part.text;
  }
};

/** A JSON file's text. */
export const json = (value: unknown): string => JSON.stringify(value, null, 2);
