import type { TestFormat } from './test-call.ts';

/** What the texts are filled in with. */
export interface Site {
  /** Without a slash at the end, and without `/v1`. */
  readonly address: string;
  readonly key: string;
  readonly model: string;
  /** For titles and summaries. */
  readonly smallModel: string;
  /** Every model the key may use. */
  readonly offered: readonly string[];
  /** What the model holds, prompt and answer together; undefined where nobody has told. */
  readonly contextTokens: number | undefined;
  /** What the operator calls this site. */
  readonly name: string;
}

type Pairs = Readonly<Record<string, string>>;

/** One thing to do: lines for a terminal, a file to write, code, or fields to fill in. */
export type Part = (
  | { readonly kind: 'shell'; readonly env: Pairs; readonly run: string }
  | { readonly kind: 'file'; readonly file: string; readonly text: string }
  | { readonly kind: 'code'; readonly install?: string; readonly text: string }
  | { readonly kind: 'fields'; readonly where: string; readonly fields: Pairs }
) & {
  /** Instead of what stands before it, not beside it. */
  readonly isOther?: true;
};

export type Note = 'public' | 'admin' | 'context';

/** A program that can speak to this site, and what makes it do so. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** File name of its mark among the console's icons; without one it has its first letter. */
  readonly icon?: string;
  /** What it speaks. */
  readonly format: TestFormat;
  /** Where its makers say so. */
  readonly docs: string;
  readonly note?: Note;
  /** Names of the models it is made for. */
  readonly family?: RegExp;
  readonly parts: (site: Site) => readonly Part[];
  /** Opens the program, filled in. */
  readonly link?: (site: Site) => string;
}

/** How much of an answer is asked for: what a model holds is for its prompt first. */
export const answerTokens = (contextTokens: number): number =>
  Math.min(MOST_ANSWER_TOKENS, Math.floor(contextTokens / 4));

const MOST_ANSWER_TOKENS = 32_000;

/** Whose terminal it is. */
export type Shell = 'bash' | 'powershell';

/** What is copied of a part. */
export const partText = (part: Part, shell: Shell): string => {
  switch (part.kind) {
    case 'shell':
      return [
        ...Object.entries(part.env).map(([name, value]) =>
          shell === 'bash' ? `export ${name}="${value}"` : `$env:${name} = "${value}"`,
        ),
        part.run,
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
