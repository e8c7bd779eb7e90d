import { type Client, json, USUAL_CONTEXT_TOKENS } from './client.ts';

/** The setting in which an editor names a provider of the OpenAI format. */
const compatible = (id: string, name: string, icon: string, docs: string, model: string): Client => ({
  id,
  name,
  icon,
  format: 'chat',
  docs,
  parts: (site) => [
    {
      kind: 'fields',
      where: 'Settings → Providers → API Provider',
      fields: {
        'API Provider': 'OpenAI Compatible',
        'Base URL': `${site.address}/v1`,
        'API Key': site.key,
        [model]: site.model,
      },
    },
  ],
});

/** Editors and their setup. */
export const editors: readonly Client[] = [
  {
    id: 'cursor',
    name: 'Cursor',
    icon: 'cursor',
    format: 'chat',
    docs: 'https://cursor.com/docs/settings/api-keys',
    note: 'public',
    parts: ({ address, key, model }) => [
      {
        kind: 'fields',
        where: 'Cursor Settings → Models → API Keys',
        fields: {
          'OpenAI API Key': key,
          'Override OpenAI Base URL': `${address}/v1`,
          'Add Custom Model': model,
        },
      },
    ],
  },
  compatible(
    'cline',
    'Cline',
    'cline',
    'https://docs.cline.bot/provider-config/openai-compatible',
    'Model ID',
  ),
  compatible(
    'roo-code',
    'Roo Code',
    'roocode',
    'https://docs.roocode.com/providers/openai-compatible',
    'Model',
  ),
  compatible(
    'kilo-code',
    'Kilo Code',
    'kilocode',
    'https://kilo.ai/docs/ai-providers/openai-compatible',
    'Model',
  ),
  {
    id: 'zed',
    name: 'Zed',
    format: 'chat',
    docs: 'https://zed.dev/docs/ai/use-api-access',
    note: 'context',
    parts: ({ address, key, model, contextTokens = USUAL_CONTEXT_TOKENS }) => [
      {
        kind: 'file',
        file: '~/.config/zed/settings.json',
        text: json({
          language_models: {
            openai_compatible: {
              Gateway: {
                api_url: `${address}/v1`,
                available_models: [{ name: model, display_name: model, max_tokens: contextTokens }],
              },
            },
          },
        }),
      },
      // It derives the name of the variable from the provider's.
      { kind: 'shell', env: { GATEWAY_API_KEY: key }, run: 'zed' },
    ],
  },
  {
    id: 'continue',
    name: 'Continue',
    format: 'chat',
    docs: 'https://docs.continue.dev/customize/model-providers/top-level/openai',
    parts: ({ address, key, model, name }) => [
      {
        kind: 'file',
        file: '~/.continue/config.yaml',
        text: [
          `name: ${JSON.stringify(name)}`,
          'version: 1.0.0',
          'schema: v1',
          'models:',
          `  - name: ${JSON.stringify(model)}`,
          '    provider: openai',
          `    model: ${JSON.stringify(model)}`,
          `    apiBase: ${address}/v1`,
          `    apiKey: ${key}`,
          '    roles: [chat, edit, apply]',
        ].join('\n'),
      },
    ],
  },
];
