import { expect, it } from 'vitest';
import { programOf } from './program.ts';

it.each([
  ['claude-cli/2.0.14 (external, cli)', 'Claude Code'],
  ['codex_cli_rs/0.36.0 (Mac OS 15.5; arm64) iTerm.app', 'Codex'],
  ['GeminiCLI/0.8.1 (linux; x64)', 'Gemini CLI'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/537.36 CherryStudio/1.5.7 Chrome/138 Electron/37', 'Cherry Studio'],
  ['Mozilla/5.0 NextChat/2.15.8', 'NextChat'],
  ['LobeChat/1.99', 'LobeChat'],
  ['opencode/1.18.33 ai-sdk/provider-utils/3.0.0 runtime/bun/1.2.0', 'opencode'],
  ['opencode-kilo-code/7.0', 'Kilo Code'],
  ['RooCode/3.28.1', 'Roo Code'],
  ['Cline/3.32', 'Cline'],
  ['ai/5.0.11 ai-sdk/openai/2.0.4 runtime/node.js/22', 'Vercel AI SDK'],
  ['Anthropic/JS 0.60.0', 'Anthropic SDK for Node'],
  ['AsyncAnthropic/Python 0.70.0', 'Anthropic SDK for Python'],
  ['python-requests/2.32.0', 'Python'],
  ['axios/1.7.2', 'Node'],
  ['nodelike/1', 'other'],
  ['OpenAI/Python 1.40.0', 'OpenAI SDK for Python'],
  ['AsyncOpenAI/Python 1.99.9', 'OpenAI SDK for Python'],
  ['OpenAI/JS 4.104.0', 'OpenAI SDK for Node'],
  ['curl/8.5.0', 'curl'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36', 'browser'],
  ['Go-http-client/2.0', 'other'],
  ['', 'other'],
  [undefined, 'other'],
])('%s is called %s', (userAgent, wanted) => {
  expect(programOf(userAgent)).toBe(wanted);
});

it('characters after the first 256 do not matter, so that little is remembered', () => {
  const long = ' '.repeat(256);
  expect(programOf(`${long}codex`)).toBe('other');
  expect(programOf(`codex${long}`)).toBe('Codex');
});
