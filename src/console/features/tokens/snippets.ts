import { DEFAULT_MODEL } from '#contract/codes.ts';
import { siteStatus } from '../../lib/server/site-status.ts';
import { codeText, shellWord } from '../../lib/text/quoted.ts';
import { keyOf, namesOf, type Token } from './token.ts';
import { withoutEnd } from '#contract/without-end.ts';

/** The address for programs: the operator's, else the page's own. */
export const apiAddress = (): string =>
  `${withoutEnd(siteStatus()?.server_address || location.origin, '/')}/v1`;

/** A model that the token may use; a well-known one if it is not limited. */
const modelFor = (token: Token): string =>
  (token.model_limits_enabled ? namesOf(token.model_limits)[0] : undefined) ?? DEFAULT_MODEL;

export const curlSnippet = (token: Token): string =>
  [
    `curl ${apiAddress()}/chat/completions \\`,
    `  -H 'Authorization: Bearer ${keyOf(token)}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify({ model: modelFor(token), messages: [{ role: 'user', content: 'Hello' }] }))}`,
  ].join('\n');

const pythonSnippet = (token: Token): string =>
  `from openai import OpenAI

client = OpenAI(base_url="${apiAddress()}", api_key="${keyOf(token)}")
answer = client.chat.completions.create(
    model=${codeText(modelFor(token))},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`;

const nodeSnippet = (token: Token): string =>
  `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${apiAddress()}', apiKey: '${keyOf(token)}' });
const answer = await client.chat.completions.create({
  model: ${codeText(modelFor(token), "'")},
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.choices[0].message.content);`;

const envSnippet = (token: Token): string =>
  `OPENAI_BASE_URL=${apiAddress()}\nOPENAI_API_KEY=${keyOf(token)}`;

export const snippets = {
  curl: curlSnippet,
  python: pythonSnippet,
  node: nodeSnippet,
  env: envSnippet,
} as const satisfies Record<string, (token: Token) => string>;

export type SnippetKind = keyof typeof snippets;

export const snippetKinds: readonly SnippetKind[] = ['curl', 'python', 'node', 'env'];
