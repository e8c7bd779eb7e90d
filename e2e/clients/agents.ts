import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, runCommandLine, runProgram } from './command-line.ts';

export const modules = join(import.meta.dirname, 'node_modules');
export const codexConfig = ({ url, isOverSocket = false }: Errand): string => `
model_provider = "tollgate"
approval_policy = "never"
sandbox_mode = "danger-full-access"
web_search = "disabled"
[model_providers.tollgate]
name = "Tollgate"
base_url = "${url}/v1"
env_key = "TOLLGATE_KEY"
wire_api = "responses"
supports_websockets = ${String(isOverSocket)}
`;

const opencodeConfig = ({ url, model }: Errand): string =>
  JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    small_model: `tollgate/${model}`,
    permission: { bash: 'allow' },
    provider: {
      tollgate: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: '{env:TOLLGATE_KEY}' },
        models: { [model]: { tool_call: true, limit: { context: 200_000, output: 8000 } } },
      },
    },
  });

/** opencode has one program per kind of machine; without one for this machine it is not installed. */
const opencodeProgram = join(modules, `opencode-${process.platform}-${process.arch}/bin/opencode`);

/** Whether an agent is not installed here. */
export const isMissing = (name: string): boolean => name === 'opencode' && !existsSync(opencodeProgram);

/** Where an agent sends its calls, and its prompt. */
export interface Errand {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
  /** Whether it sends all of its calls as turns of one WebSocket, if it can. */
  readonly isOverSocket?: boolean;
}

/** Coding command lines, headless; each is pointed to the gateway by its own settings. */
export const agents: Readonly<
  Record<'Claude Code' | 'Codex' | 'Gemini CLI' | 'opencode', (errand: Errand) => Promise<Ran>>
> = {
  'Claude Code': ({ url, key, model, prompt }) =>
    runCommandLine(
      [
        join(modules, '@anthropic-ai/claude-code/cli-wrapper.cjs'),
        '-p',
        prompt,
        '--model',
        model,
        '--allowedTools',
        'Bash',
      ],
      {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_SMALL_FAST_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    ),
  Codex: (errand) =>
    runCommandLine(
      [
        join(modules, '@openai/codex/bin/codex.js'),
        'exec',
        '--skip-git-repo-check',
        '-m',
        errand.model,
        errand.prompt,
      ],
      { TOLLGATE_KEY: errand.key },
      { '.codex/config.toml': codexConfig(errand) },
    ),
  'Gemini CLI': ({ url, key, model, prompt }) =>
    runCommandLine(
      [join(modules, '@google/gemini-cli/bundle/gemini.js'), '-p', prompt, '-m', model, '--yolo'],
      {
        GEMINI_API_KEY: key,
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      {
        '.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          general: { disableAutoUpdate: true },
        }),
      },
    ),
  opencode: (errand) =>
    runProgram(
      [opencodeProgram, 'run', '--model', `tollgate/${errand.model}`, errand.prompt],
      { TOLLGATE_KEY: errand.key, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      { '.config/opencode/opencode.json': opencodeConfig(errand) },
    ),
};
