import { codeText } from '../../lib/text/quoted.ts';
import { answerTokens, type Client, json, type Site, USUAL_CONTEXT_TOKENS } from './client.ts';

/** The newest model of this family that the key may use, else the chosen model. */
const newestOf = (word: string, { offered, model }: Site): string =>
  offered
    .filter((name) => name.includes('claude') && name.includes(word))
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .at(-1) ?? model;

/**
 * Sets every model name it may request by itself, because the default names may not exist here. It only knows the
 * context windows of Claude models. Answers are limited so that a small token can pay for the first call. Source:
 * code.claude.com/docs/en/model-config, settings.
 */
const claudeVariables = (site: Site): Readonly<Record<string, string>> => {
  const { address, key, model, smallModel, contextTokens = USUAL_CONTEXT_TOKENS } = site;
  return {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_FABLE_MODEL: newestOf('fable', site),
    ANTHROPIC_DEFAULT_OPUS_MODEL: newestOf('opus', site),
    ANTHROPIC_DEFAULT_SONNET_MODEL: newestOf('sonnet', site),
    ANTHROPIC_DEFAULT_HAIKU_MODEL: smallModel,
    ...(!model.includes('claude') && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(contextTokens) }),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(answerTokens(contextTokens)),
  };
};

/** A link that imports the provider into CC Switch, which manages the settings of all three. */
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

/** Coding agents for the terminal. */
export const agents: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    icon: 'claudecode-color',
    format: 'messages',
    family: /claude/i,
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
    family: /^gpt-[5-9]|codex/i,
    docs: 'https://developers.openai.com/codex/config-advanced#custom-model-providers',
    link: ccSwitch('codex', '/v1'),
    parts: ({ address, key, model, contextTokens = USUAL_CONTEXT_TOKENS }) => [
      {
        kind: 'file',
        file: '~/.codex/config.toml',
        text: [
          `model = ${codeText(model)}`,
          // For names that it does not know, its own guess would be too low or too high.
          `model_context_window = ${contextTokens}`,
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
    family: /gemini/i,
    docs: 'https://geminicli.com/docs/get-started/authentication',
    link: ccSwitch('gemini'),
    parts: ({ address, key, model }) => [
      {
        kind: 'file',
        file: '~/.gemini/settings.json',
        // If its environment has an address, it uses a key only if its settings say so.
        text: json({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      },
      {
        kind: 'shell',
        env: { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key },
        run: 'gemini --model',
        lastWord: model,
      },
    ],
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    icon: 'opencode',
    format: 'chat',
    docs: 'https://opencode.ai/docs/providers#custom-provider',
    parts: ({ address, key, model, smallModel, name, contextTokens = USUAL_CONTEXT_TOKENS }) => [
      {
        kind: 'file',
        file: '~/.config/opencode/opencode.json',
        text: json({
          $schema: 'https://opencode.ai/config.json',
          model: `gateway/${model}`,
          small_model: `gateway/${smallModel}`,
          provider: {
            gateway: {
              npm: '@ai-sdk/openai-compatible',
              name,
              options: { baseURL: `${address}/v1`, apiKey: key },
              models: {
                [smallModel]: { name: smallModel },
                [model]: {
                  name: model,
                  limit: { context: contextTokens, output: answerTokens(contextTokens) },
                },
              },
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
        run: 'aider --model',
        lastWord: `openai/${model}`,
      },
    ],
  },
];
