import type { TestFormat } from './test-call.ts';

/** A program that can speak to this site, and the text that makes it do so. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** What the text is: lines of a shell, a file, or what to fill in. */
  readonly kind: 'shell' | 'file' | 'fields' | 'code';
  /** The file to put it in, where it is one. */
  readonly file?: string;
  /** What it speaks. */
  readonly format: TestFormat;
  readonly text: (site: Site) => string;
}

/** What the texts are filled in with. */
export interface Site {
  /** Without a slash at the end, and without `/v1`. */
  readonly address: string;
  readonly key: string;
  readonly model: string;
}

const chat = (model: string): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });

const GEMINI_SETTINGS = JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } });

/** Fields to fill in, one a line. */
const fields = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    format: 'messages',
    name: 'Claude Code',
    kind: 'shell',
    text: ({ address, key, model }) =>
      [
        `export ANTHROPIC_BASE_URL="${address}"`,
        `export ANTHROPIC_AUTH_TOKEN="${key}"`,
        `export ANTHROPIC_MODEL="${model}"`,
        `export ANTHROPIC_DEFAULT_HAIKU_MODEL="${model}"`,
        'claude',
      ].join('\n'),
  },
  {
    id: 'codex',
    format: 'responses',
    name: 'Codex',
    kind: 'file',
    file: '~/.codex/config.toml',
    text: ({ address, key, model }) =>
      [
        `model = "${model}"`,
        'model_provider = "gateway"',
        // Many upstreams cannot search, and a call that asks them to is refused.
        'web_search = "disabled"',
        '',
        '[model_providers.gateway]',
        'name = "gateway"',
        `base_url = "${address}/v1"`,
        'wire_api = "responses"',
        'env_key = "GATEWAY_KEY"',
        '',
        `# export GATEWAY_KEY="${key}"`,
      ].join('\n'),
  },
  {
    id: 'gemini-cli',
    format: 'gemini',
    name: 'Gemini CLI',
    kind: 'shell',
    text: ({ address, key, model }) =>
      [
        `export GOOGLE_GEMINI_BASE_URL="${address}"`,
        `export GEMINI_API_KEY="${key}"`,
        // With an address in its environment it asks for no key unless its settings say so; those that are there stay.
        `[ -e ~/.gemini/settings.json ] || { mkdir -p ~/.gemini && echo '${GEMINI_SETTINGS}' > ~/.gemini/settings.json; }`,
        `gemini --model "${model}"`,
      ].join('\n'),
  },
  {
    id: 'cursor',
    format: 'chat',
    name: 'Cursor',
    kind: 'fields',
    text: ({ address, key, model }) =>
      fields({ 'OpenAI API Key': key, 'Override OpenAI Base URL': `${address}/v1`, 'Add model': model }),
  },
  {
    id: 'cline',
    format: 'chat',
    name: 'Cline',
    kind: 'fields',
    text: ({ address, key, model }) =>
      fields({
        'API Provider': 'OpenAI Compatible',
        'Base URL': `${address}/v1`,
        'API Key': key,
        'Model ID': model,
      }),
  },
  {
    id: 'cherry-studio',
    format: 'chat',
    name: 'Cherry Studio',
    kind: 'fields',
    text: ({ address, key, model }) =>
      fields({ 'Provider type': 'OpenAI', 'API Host': address, 'API Key': key, Model: model }),
  },
  {
    id: 'openai-python',
    format: 'chat',
    name: 'OpenAI Python',
    kind: 'code',
    text: ({ address, key, model }) =>
      [
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url="${address}/v1", api_key="${key}")`,
        'answer = client.chat.completions.create(',
        `    model="${model}",`,
        '    messages=[{"role": "user", "content": "Hello"}],',
        ')',
        'print(answer.choices[0].message.content)',
      ].join('\n'),
  },
  {
    id: 'openai-node',
    format: 'chat',
    name: 'OpenAI Node',
    kind: 'code',
    text: ({ address, key, model }) =>
      [
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' });`,
        'const answer = await client.chat.completions.create({',
        `  model: '${model}',`,
        "  messages: [{ role: 'user', content: 'Hello' }],",
        '});',
        'console.log(answer.choices[0].message.content);',
      ].join('\n'),
  },
  {
    id: 'anthropic-python',
    format: 'messages',
    name: 'Anthropic Python',
    kind: 'code',
    text: ({ address, key, model }) =>
      [
        'from anthropic import Anthropic',
        '',
        `client = Anthropic(base_url="${address}", api_key="${key}")`,
        'answer = client.messages.create(',
        `    model="${model}",`,
        '    max_tokens=1024,',
        '    messages=[{"role": "user", "content": "Hello"}],',
        ')',
        'print(answer.content[0].text)',
      ].join('\n'),
  },
  {
    id: 'google-node',
    format: 'gemini',
    name: 'Google GenAI Node',
    kind: 'code',
    text: ({ address, key, model }) =>
      [
        "import { GoogleGenAI } from '@google/genai';",
        '',
        `const client = new GoogleGenAI({ apiKey: '${key}', httpOptions: { baseUrl: '${address}' } });`,
        `const answer = await client.models.generateContent({ model: '${model}', contents: 'Hello' });`,
        'console.log(answer.text);',
      ].join('\n'),
  },
  {
    id: 'ai-sdk',
    format: 'chat',
    name: 'AI SDK',
    kind: 'code',
    text: ({ address, key, model }) =>
      [
        "import { createOpenAI } from '@ai-sdk/openai';",
        "import { generateText } from 'ai';",
        '',
        `const gateway = createOpenAI({ baseURL: '${address}/v1', apiKey: '${key}' });`,
        `const { text } = await generateText({ model: gateway.chat('${model}'), prompt: 'Hello' });`,
        'console.log(text);',
      ].join('\n'),
  },
  {
    id: 'curl',
    format: 'chat',
    name: 'curl',
    kind: 'shell',
    text: ({ address, key, model }) =>
      [
        `curl ${address}/v1/chat/completions \\`,
        `  -H 'Authorization: Bearer ${key}' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '${chat(model)}'`,
      ].join('\n'),
  },
  {
    id: 'env',
    format: 'chat',
    name: '.env',
    kind: 'file',
    file: '.env',
    text: ({ address, key }) => `OPENAI_BASE_URL=${address}/v1\nOPENAI_API_KEY=${key}`,
  },
];
