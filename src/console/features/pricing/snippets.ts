import type { Kind } from './priced-model.ts';

/** The languages a call is shown in. */
export const languages = ['curl', 'python', 'javascript'] as const;
export type SnippetLanguage = (typeof languages)[number];

interface Call {
  readonly path: string;
  /** The request body beside the model. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly python: string;
  readonly javascript: string;
}

/** How a call of each kind is made; kinds that need a file or a task of their own have none. */
const calls: Readonly<Partial<Record<Kind, Call>>> = {
  chat: {
    path: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: 'Hello' }] },
    python: 'chat.completions.create',
    javascript: 'chat.completions.create',
  },
  embedding: {
    path: '/v1/embeddings',
    body: { input: 'Hello' },
    python: 'embeddings.create',
    javascript: 'embeddings.create',
  },
  image: {
    path: '/v1/images/generations',
    body: { prompt: 'A lighthouse at dusk' },
    python: 'images.generate',
    javascript: 'images.generate',
  },
  speech: {
    path: '/v1/audio/speech',
    body: { input: 'Hello', voice: 'alloy' },
    python: 'audio.speech.create',
    javascript: 'audio.speech.create',
  },
};

/** Drawing and music have calls of their own, by other programs. */
const isTask = (model: string): boolean => /^(mj_|suno_|swap_face)/.test(model);

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Between the values of a list in Python, whatever the reader's language. */
const PYTHON_COMMA = ', ';

const python = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(python).join(PYTHON_COMMA)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`);
  return `{${fields.join(PYTHON_COMMA)}}`;
};

/** A call of the model in a programming language; undefined for kinds without one. */
export const snippet = (
  language: SnippetLanguage,
  { model, kind, address }: { readonly model: string; readonly kind: Kind; readonly address: string },
): string | undefined => {
  const call = isTask(model) ? undefined : calls[kind];
  if (call === undefined) return undefined;
  const body = { model, ...call.body };
  switch (language) {
    case 'curl':
      return [
        `curl ${address}${call.path} \\`,
        '  -H "Authorization: Bearer $API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d ${inShell(JSON.stringify(body))}`,
      ].join('\n');
    case 'python':
      return [
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url="${address}/v1", api_key="YOUR_KEY")`,
        `answer = client.${call.python}(`,
        ...Object.entries(body).map(([name, value]) => `    ${name}=${python(value)},`),
        ')',
        'print(answer)',
      ].join('\n');
    case 'javascript':
      return [
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: '${address}/v1', apiKey: 'YOUR_KEY' });`,
        `const answer = await client.${call.javascript}({`,
        ...Object.entries(body).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`),
        '});',
        'console.log(answer);',
      ].join('\n');
  }
};
