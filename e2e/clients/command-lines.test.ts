import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../support/one-format.ts';
import { type Ran, runCommandLine } from './command-line.ts';
import { LAST_WORDS } from '../support/scripted-upstream.ts';
import { useClients } from './use-clients.ts';

/** Three coding command lines, headless: the model calls a tool, they run it and send its result, the model speaks. */

const gateway = useClients();
const modules = join(import.meta.dirname, 'node_modules');
const PROMPT = 'List the files of this folder with a tool, then say that all is well.';

const codexConfig = (url: string): string => `
model_provider = "tollgate"
approval_policy = "never"
sandbox_mode = "danger-full-access"
web_search = "disabled"
[model_providers.tollgate]
name = "Tollgate"
base_url = "${url}/v1"
env_key = "TOLLGATE_KEY"
wire_api = "responses"
`;

const programs: Readonly<Record<string, (model: string) => Promise<Ran>>> = {
  'Claude Code': (model) =>
    runCommandLine(
      [
        join(modules, '@anthropic-ai/claude-code/cli-wrapper.cjs'),
        '-p',
        PROMPT,
        '--model',
        model,
        '--allowedTools',
        'Bash',
      ],
      {
        ANTHROPIC_BASE_URL: gateway.url(),
        ANTHROPIC_API_KEY: gateway.key(),
        ANTHROPIC_SMALL_FAST_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    ),
  Codex: (model) =>
    runCommandLine(
      [join(modules, '@openai/codex/bin/codex.js'), 'exec', '--skip-git-repo-check', '-m', model, PROMPT],
      { TOLLGATE_KEY: gateway.key() },
      { '.codex/config.toml': codexConfig(gateway.url()) },
    ),
  'Gemini CLI': (model) =>
    runCommandLine(
      [join(modules, '@google/gemini-cli/bundle/gemini.js'), '-p', PROMPT, '-m', model, '--yolo'],
      {
        GEMINI_API_KEY: gateway.key(),
        GOOGLE_GEMINI_BASE_URL: gateway.url(),
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
};

describe.each(Object.entries(programs))('%s', (_, run) => {
  test.each(formats)(
    'runs its tool and hears the last words from an upstream that speaks %s',
    { timeout: 120_000 },
    async (model) => {
      const before = gateway.asked().length;
      const { code, output } = await run(model);
      expect(output).toContain(LAST_WORDS);
      expect(code).toBe(0);
      const asked = gateway.asked().slice(before);
      expect(new Set(asked.map(({ format }) => format))).toEqual(new Set([model]));
      // The tool was really run: its result names the only file there is.
      expect(asked.some(({ text }) => text.includes('notes.txt'))).toBe(true);
    },
  );
});
