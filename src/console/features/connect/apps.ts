import type { Client, Site } from './client.ts';

/** Base64 of a text, encoded as UTF-8. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const cherryLink = ({ address, key }: Site): string => {
  const data = base64(JSON.stringify({ id: 'new-api', baseUrl: address, apiKey: key }));
  return `cherrystudio://providers/api-keys?${new URLSearchParams({ v: '1', data })}`;
};

const lobeLink = ({ address, key }: Site): string => {
  const settings = { keyVaults: { openai: { apiKey: key, baseURL: `${address}/v1` } } };
  return `https://lobehub.com/?${new URLSearchParams({ settings: JSON.stringify(settings) })}`;
};

const nextChatLink = ({ address, key }: Site): string =>
  `https://app.nextchat.dev/#/?settings=${encodeURIComponent(JSON.stringify({ key, url: address }))}`;

/** Chat apps and app builders. */
export const apps: readonly Client[] = [
  {
    id: 'cherry-studio',
    name: 'Cherry Studio',
    icon: 'cherrystudio-color',
    format: 'chat',
    docs: 'https://docs.cherry-ai.com/docs/en-us/pre-basic/providers/newapi',
    link: cherryLink,
    parts: ({ address, key, model }) => [
      {
        kind: 'fields',
        where: 'Settings → Model Provider → Add',
        fields: { 'Provider Type': 'OpenAI', 'API Key': key, 'API Host': address, 'Model ID': model },
      },
    ],
  },
  {
    id: 'lobe-chat',
    name: 'LobeChat',
    icon: 'lobehub-color',
    format: 'chat',
    docs: 'https://lobehub.com/docs/self-hosting/advanced/settings-url-share',
    link: lobeLink,
    parts: ({ address, key, model }) => [
      {
        kind: 'fields',
        where: 'Settings → AI Service Provider → OpenAI',
        fields: { 'API Key': key, 'API Proxy URL': `${address}/v1`, 'Model ID': model },
      },
    ],
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    icon: 'openwebui',
    format: 'chat',
    docs: 'https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai-compatible',
    note: 'admin',
    parts: ({ address, key, model }) => [
      {
        kind: 'fields',
        where: 'Admin Settings → Connections → OpenAI API → Add Connection',
        fields: { URL: `${address}/v1`, 'API Key': key, 'Model IDs': model },
      },
    ],
  },
  {
    id: 'nextchat',
    name: 'NextChat',
    format: 'chat',
    docs: 'https://github.com/ChatGPTNextWeb/NextChat',
    link: nextChatLink,
    parts: ({ address, key, model }) => [
      {
        kind: 'fields',
        where: 'Settings → Custom Endpoint',
        fields: { 'OpenAI Endpoint': address, 'OpenAI API Key': key, 'Custom Models': model },
      },
    ],
  },
  {
    id: 'dify',
    name: 'Dify',
    icon: 'dify-color',
    format: 'chat',
    docs: 'https://docs.dify.ai/en/guides/model-configuration/readme',
    note: 'admin',
    parts: ({ address, key, model }) => [
      {
        kind: 'fields',
        where: 'Settings → Model Provider → OpenAI-API-compatible → Add Model',
        fields: {
          'Model Type': 'LLM',
          'Model Name': model,
          'API Key': key,
          'API endpoint URL': `${address}/v1`,
        },
      },
    ],
  },
  {
    id: 'n8n',
    name: 'n8n',
    icon: 'n8n-color',
    format: 'chat',
    docs: 'https://docs.n8n.io/integrations/builtin/credentials/openai/',
    parts: ({ address, key, model }) => [
      {
        kind: 'fields',
        where: 'Credentials → Add credential → OpenAI',
        fields: { 'API Key': key, 'Base URL': `${address}/v1`, Model: model },
      },
    ],
  },
];
