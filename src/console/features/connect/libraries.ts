import { codeText, shellWord } from '../../lib/text/quoted.ts';
import type { Client, Site } from './client.ts';

const question = (model: string): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });

interface Library extends Omit<Client, 'parts'> {
  readonly install?: string;
  readonly lines: (site: Site) => readonly string[];
}

const library = ({ install, lines, ...client }: Library): Client => ({
  ...client,
  parts: (site) => [
    { kind: 'code', ...(install === undefined ? {} : { install }), text: lines(site).join('\n') },
  ],
});

/** Libraries, each with its shortest complete program. */
export const libraries: readonly Client[] = [
  library({
    id: 'openai-python',
    name: 'OpenAI Python',
    icon: 'openai',
    format: 'chat',
    docs: 'https://github.com/openai/openai-python',
    install: 'pip install openai',
    lines: ({ address, key, model }) => [
      'from openai import OpenAI',
      '',
      `client = OpenAI(base_url="${address}/v1", api_key="${key}")`,
      'answer = client.chat.completions.create(',
      `    model=${codeText(model)},`,
      '    messages=[{"role": "user", "content": "Hello"}],',
      ')',
      'print(answer.choices[0].message.content)',
    ],
  }),
  library({
    id: 'openai-node',
    name: 'OpenAI Node',
    icon: 'openai',
    format: 'chat',
    docs: 'https://github.com/openai/openai-node',
    install: 'npm install openai',
    lines: ({ address, key, model }) => [
      "import OpenAI from 'openai';",
      '',
      `const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' });`,
      'const answer = await client.chat.completions.create({',
      `  model: ${codeText(model, "'")},`,
      "  messages: [{ role: 'user', content: 'Hello' }],",
      '});',
      'console.log(answer.choices[0].message.content);',
    ],
  }),
  library({
    id: 'anthropic-python',
    name: 'Anthropic Python',
    icon: 'anthropic',
    format: 'messages',
    docs: 'https://github.com/anthropics/anthropic-sdk-python',
    install: 'pip install anthropic',
    lines: ({ address, key, model }) => [
      'from anthropic import Anthropic',
      '',
      `client = Anthropic(base_url="${address}", api_key="${key}")`,
      'answer = client.messages.create(',
      `    model=${codeText(model)},`,
      '    max_tokens=1024,',
      '    messages=[{"role": "user", "content": "Hello"}],',
      ')',
      'print("".join(part.text for part in answer.content if part.type == "text"))',
    ],
  }),
  library({
    id: 'anthropic-node',
    name: 'Anthropic Node',
    icon: 'anthropic',
    format: 'messages',
    docs: 'https://github.com/anthropics/anthropic-sdk-typescript',
    install: 'npm install @anthropic-ai/sdk',
    lines: ({ address, key, model }) => [
      "import Anthropic from '@anthropic-ai/sdk';",
      '',
      `const client = new Anthropic({ baseURL: '${address}', apiKey: '${key}' });`,
      'const answer = await client.messages.create({',
      `  model: ${codeText(model, "'")},`,
      '  max_tokens: 1024,',
      "  messages: [{ role: 'user', content: 'Hello' }],",
      '});',
      "console.log(answer.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));",
    ],
  }),
  library({
    id: 'google-python',
    name: 'Google GenAI Python',
    icon: 'google-color',
    format: 'gemini',
    docs: 'https://github.com/googleapis/python-genai',
    install: 'pip install google-genai',
    lines: ({ address, key, model }) => [
      'from google import genai',
      'from google.genai import types',
      '',
      'client = genai.Client(',
      `    api_key="${key}",`,
      `    http_options=types.HttpOptions(base_url="${address}"),`,
      ')',
      `answer = client.models.generate_content(model=${codeText(model)}, contents="Hello")`,
      'print(answer.text)',
    ],
  }),
  library({
    id: 'google-node',
    name: 'Google GenAI Node',
    icon: 'google-color',
    format: 'gemini',
    docs: 'https://github.com/googleapis/js-genai',
    install: 'npm install @google/genai',
    lines: ({ address, key, model }) => [
      "import { GoogleGenAI } from '@google/genai';",
      '',
      `const client = new GoogleGenAI({ apiKey: '${key}', httpOptions: { baseUrl: '${address}' } });`,
      `const answer = await client.models.generateContent({ model: ${codeText(model, "'")}, contents: 'Hello' });`,
      'console.log(answer.text);',
    ],
  }),
  library({
    id: 'ai-sdk',
    name: 'AI SDK',
    icon: 'vercel',
    format: 'chat',
    docs: 'https://ai-sdk.dev/providers/ai-sdk-providers/openai',
    install: 'npm install ai @ai-sdk/openai',
    lines: ({ address, key, model }) => [
      "import { createOpenAI } from '@ai-sdk/openai';",
      "import { generateText } from 'ai';",
      '',
      `const gateway = createOpenAI({ baseURL: '${address}/v1', apiKey: '${key}' });`,
      `const { text } = await generateText({ model: gateway.chat(${codeText(model, "'")}), prompt: 'Hello' });`,
      'console.log(text);',
    ],
  }),
  library({
    id: 'langchain',
    name: 'LangChain',
    icon: 'langchain-color',
    format: 'chat',
    docs: 'https://docs.langchain.com/oss/python/integrations/chat/openai',
    install: 'pip install langchain-openai',
    lines: ({ address, key, model }) => [
      'from langchain_openai import ChatOpenAI',
      '',
      `model = ChatOpenAI(model=${codeText(model)}, base_url="${address}/v1", api_key="${key}")`,
      'print(model.invoke("Hello").content)',
    ],
  }),
  library({
    id: 'litellm',
    name: 'LiteLLM',
    format: 'chat',
    docs: 'https://docs.litellm.ai/docs/providers/openai_compatible',
    install: 'pip install litellm',
    lines: ({ address, key, model }) => [
      'from litellm import completion',
      '',
      'answer = completion(',
      `    model=${codeText(`openai/${model}`)},`,
      `    api_base="${address}/v1",`,
      `    api_key="${key}",`,
      '    messages=[{"role": "user", "content": "Hello"}],',
      ')',
      'print(answer.choices[0].message.content)',
    ],
  }),
  library({
    id: 'curl',
    name: 'curl',
    format: 'chat',
    docs: 'https://curl.se/docs/manpage.html',
    lines: ({ address, key, model }) => [
      `curl ${address}/v1/chat/completions \\`,
      `  -H 'Authorization: Bearer ${key}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${shellWord(question(model))}`,
    ],
  }),
  {
    id: 'env',
    name: '.env',
    format: 'chat',
    docs: 'https://platform.openai.com/docs/libraries',
    parts: ({ address, key }) => [
      { kind: 'file', file: '.env', text: `OPENAI_BASE_URL=${address}/v1\nOPENAI_API_KEY=${key}` },
    ],
  },
];
