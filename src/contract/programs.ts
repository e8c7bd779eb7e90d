/** Programs that call, as their `User-Agent` tells them; a closed list, so that sums by program stay few. */
export const programs = [
  'Claude Code',
  'Codex',
  'Gemini CLI',
  'Qwen Code',
  'opencode',
  'Cline',
  'Roo Code',
  'Kilo Code',
  'GitHub Copilot',
  'Cursor',
  'Zed',
  'Cherry Studio',
  'NextChat',
  'LobeChat',
  'Open WebUI',
  'LiteLLM',
  'LangChain',
  'Vercel AI SDK',
  'OpenAI SDK for Python',
  'OpenAI SDK for Node',
  'Anthropic SDK for Python',
  'Anthropic SDK for Node',
  'Python',
  'Node',
  'curl',
  'browser',
  'other',
] as const;

/** A kind of calling program. */
export type Program = (typeof programs)[number];

/** The program name of the console's own conversations. */
export const PLAYGROUND = 'playground';

/** All that the program of a logged call can be; empty where it was not recorded. */
export const loggedPrograms = [...programs, PLAYGROUND] as const;
