import type { Program } from '#contract/programs.ts';

/** The first match wins: programs built on a browser or SDK also name it in their `User-Agent`. */
const families: readonly (readonly [RegExp, Program])[] = [
  [/claude-(?:cli|code)|claude code/i, 'Claude Code'],
  [/\bcodex/i, 'Codex'],
  [/gemini-?cli/i, 'Gemini CLI'],
  [/qwen-?code/i, 'Qwen Code'],
  [/kilo-?code/i, 'Kilo Code'],
  [/roo-?code/i, 'Roo Code'],
  [/^cline\//i, 'Cline'],
  [/^opencode/i, 'opencode'],
  [/github-?copilot/i, 'GitHub Copilot'],
  [/\bcursor\//i, 'Cursor'],
  [/^zed\//i, 'Zed'],
  [/cherry ?studio/i, 'Cherry Studio'],
  [/nextchat|chatgpt-next-web/i, 'NextChat'],
  [/lobe-?(?:chat|hub)/i, 'LobeChat'],
  [/open ?webui/i, 'Open WebUI'],
  [/litellm/i, 'LiteLLM'],
  [/langchain/i, 'LangChain'],
  [/\bai-sdk\//i, 'Vercel AI SDK'],
  [/^(?:async)?openai\/python|openai-python/i, 'OpenAI SDK for Python'],
  [/^(?:async)?openai\/js|openai-node/i, 'OpenAI SDK for Node'],
  [/^(?:async)?anthropic\/python/i, 'Anthropic SDK for Python'],
  [/^anthropic\/js/i, 'Anthropic SDK for Node'],
  [/^python|aiohttp\//i, 'Python'],
  [/^(?:node|axios|undici|got)\b/i, 'Node'],
  [/^curl\//i, 'curl'],
  [/mozilla\//i, 'browser'],
];

/** How many characters of a `User-Agent` are searched; programs name themselves within them. */
const READ_LENGTH = 256;
const REMEMBERED_MAX = 2000;
const remembered = new Map<string, Program>();

/**
 * The kind of program that a `User-Agent` names. The result is cached, so the patterns run once for each distinct
 * value.
 */
export const programOf = (userAgent: string | undefined): Program => {
  if (userAgent === undefined || userAgent === '') return 'other';
  const read = userAgent.length > READ_LENGTH ? userAgent.slice(0, READ_LENGTH) : userAgent;
  const known = remembered.get(read);
  if (known !== undefined) return known;
  const program = families.find(([pattern]) => pattern.test(read))?.[1] ?? 'other';
  if (remembered.size < REMEMBERED_MAX) remembered.set(read, program);
  return program;
};
