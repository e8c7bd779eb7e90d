import { expect, it } from 'vitest';
import { clientTypeOf } from './sighting.ts';

it.each([
  ['claude-cli/2.0.14 (external, cli)', 'Claude Code'],
  ['codex_cli_rs/0.36.0 (Mac OS 15.5; arm64) iTerm.app', 'Codex'],
  ['GeminiCLI/0.8.1 (linux; x64)', 'Gemini CLI'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/537.36 CherryStudio/1.5.7 Chrome/138 Electron/37', 'Cherry Studio'],
  ['Mozilla/5.0 NextChat/2.15.8', 'NextChat'],
  ['LobeChat/1.99', 'LobeChat'],
  ['OpenAI/Python 1.40.0', 'OpenAI SDK for Python'],
  ['AsyncOpenAI/Python 1.99.9', 'OpenAI SDK for Python'],
  ['OpenAI/JS 4.104.0', 'OpenAI SDK for Node'],
  ['curl/8.5.0', 'curl'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36', 'browser'],
  ['Go-http-client/2.0', 'other'],
  ['', 'other'],
  [undefined, 'other'],
])('%s is called %s', (userAgent, wanted) => {
  expect(clientTypeOf(userAgent)).toBe(wanted);
});
