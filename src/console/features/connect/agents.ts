import { type Client, json, type Site } from './client.ts';

const claudeVariables = ({ address, key, model }: Site) => ({
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_MODEL: model,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
});

/** Imports a provider into CC Switch, which holds the settings of all three. */
const ccSwitch =
  (app: 'claude' | 'codex' | 'gemini', path = '') =>
  ({ address, key, model, name }: Site): string =>
    `ccswitch://v1/import?${new URLSearchParams({
      resource: 'provider',
      app,
      name,
      homepage: address,
      endpoint: `${address}${path}`,
      apiKey: key,
      model,
    })}`;

/** Programs that write code from a terminal. */
export const agents: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    icon: 'claudecode-color',
    format: 'messages',
    docs: 'https://code.claude.com/docs/en/llm-gateway',
    link: ccSwitch('claude'),
    parts: (site) => [
      { kind: 'shell', env: claudeVariables(site), run: 'claude' },
      {
        kind: 'file',
        isOther: true,
        file: '~/.claude/settings.json',
        text: json({ env: claudeVariables(site) }),
      },
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    icon: 'codex-color',
    format: 'responses',
    docs: 'https://developers.openai.com/codex/config-advanced#custom-model-providers',
    link: ccSwitch('codex', '/v1'),
    parts: ({ address, key, model }) => [
      {
        kind: 'file',
        file: '~/.codex/config.toml',
        text: [
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
        ].join('\n'),
      },
      { kind: 'shell', env: { GATEWAY_KEY: key }, run: 'codex' },
    ],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    icon: 'geminicli-color',
    format: 'gemini',
    docs: 'https://geminicli.com/docs/get-started/authentication',
    link: ccSwitch('gemini'),
    parts: ({ address, key, model }) => [
      {
        kind: 'file',
        file: '~/.gemini/settings.json',
        // With an address in its environment it asks for no key unless its settings say so.
        text: json({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      },
      {
        kind: 'shell',
        env: { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key },
        run: `gemini --model "${model}"`,
      },
    ],
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    icon: 'opencode',
    format: 'chat',
    docs: 'https://opencode.ai/docs/providers#custom-provider',
    parts: ({ address, key, model, name }) => [
      {
        kind: 'file',
        file: '~/.config/opencode/opencode.json',
        text: json({
          $schema: 'https://opencode.ai/config.json',
          model: `gateway/${model}`,
          provider: {
            gateway: {
              npm: '@ai-sdk/openai-compatible',
              name,
              options: { baseURL: `${address}/v1`, apiKey: key },
              models: { [model]: { name: model } },
            },
          },
        }),
      },
    ],
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    icon: 'qwen-color',
    format: 'chat',
    docs: 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/auth',
    parts: ({ address, key, model }) => [
      {
        kind: 'shell',
        env: { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model },
        run: 'qwen',
      },
    ],
  },
  {
    id: 'aider',
    name: 'aider',
    format: 'chat',
    docs: 'https://aider.chat/docs/llms/openai-compat.html',
    parts: ({ address, key, model }) => [
      {
        kind: 'shell',
        env: { OPENAI_API_BASE: `${address}/v1`, OPENAI_API_KEY: key },
        run: `aider --model "openai/${model}"`,
      },
    ],
  },
];
