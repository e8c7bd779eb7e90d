import { join } from 'node:path';
import { expect, test } from 'vitest';
import { partText } from '../../src/console/features/connect/client.ts';
import { clients } from '../../src/console/features/connect/clients.ts';
import { formats } from '../support/one-format.ts';
import { LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';
import { runLines } from './command-line.ts';
import { useClients } from './use-clients.ts';

/** Runs the setup that the page Connect offers for copying, unchanged, in a home directory where the program never ran before. */

const gateway = useClients();
/** Claude Code without the program its installation would fetch for this system. */
const CLAUDE = `claude() { node ${join(import.meta.dirname, 'node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs')} "$@"; }
export DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1`;
const PROMPT = "'List the files of this folder with a tool, then say that all is well.'";

const partsOf = (id: string, model: string) =>
  clients
    .find((client) => client.id === id)
    ?.parts({
      address: gateway.url(),
      key: gateway.key(),
      model,
      smallModel: model,
      offered: formats,
      contextTokens: undefined,
      name: 'Gateway',
    }) ?? [];

/** The lines that a reader pastes into a terminal or an editor. */
const textOf = (id: string, model: string): string =>
  partsOf(id, model)
    .filter((part) => part.kind !== 'file')
    .map((part) => partText(part, 'bash'))
    .join('\n');

/** The files a reader writes; `instead` where they do not use the terminal's variables. */
const filesOf = (id: string, model: string, instead = false): Readonly<Record<string, string>> =>
  Object.fromEntries(
    partsOf(id, model)
      .filter((part) => part.kind === 'file')
      .filter((part) => (part.isOther === true) === instead)
      .map(({ file, text }) => [file.replace('~/', ''), text]),
  );

/** The code from the page, run in a folder where the packages it names are installed. */
const runCode = (id: string, model: string) =>
  runLines(`cd ${import.meta.dirname} && node --input-type=module < ~/code.mjs`, {
    'code.mjs': textOf(id, model),
  });

const claudeCode = (lines: string, files: Readonly<Record<string, string>> = {}) =>
  runLines(`${CLAUDE}\n${lines.replace(/^claude$/m, `claude -p ${PROMPT} --allowedTools Bash`)}`, files);

/** The command that starts each program with a question, without a terminal. */
const programs: Readonly<Record<string, (model: string) => ReturnType<typeof runLines>>> = {
  'claude-code': (model) => claudeCode(textOf('claude-code', model)),
  'claude-code, by its settings': (model) => claudeCode('claude', filesOf('claude-code', model, true)),
  codex: (model) => {
    const sandbox = '-c approval_policy=never -s danger-full-access';
    const run = `codex exec --skip-git-repo-check ${sandbox} ${PROMPT}`;
    return runLines(textOf('codex', model).replace(/^codex$/m, run), filesOf('codex', model));
  },
  'gemini-cli': (model) =>
    runLines(`${textOf('gemini-cli', model)} --skip-trust --yolo -p ${PROMPT}`, filesOf('gemini-cli', model)),
  curl: (model) => runLines(textOf('curl', model)),
  'openai-node': (model) => runCode('openai-node', model),
  'anthropic-node': (model) => runCode('anthropic-node', model),
  'google-node': (model) => runCode('google-node', model),
  'ai-sdk': (model) => runCode('ai-sdk', model),
};

test.each(Object.keys(programs).flatMap((id) => formats.map((model) => [id, model] as const)))(
  '%s runs as it is told to, and hears an upstream of %s',
  { timeout: 120_000 },
  async (id, model) => {
    const ran = await programs[id]?.(model);
    expect(ran?.output).toContain(LAST_WORDS);
    expect(ran?.code).toBe(0);
  },
);
