/** Kinds of programs that call, told by their `User-Agent`. */
export type ClientType =
  | 'Claude Code'
  | 'Codex'
  | 'Gemini CLI'
  | 'Cherry Studio'
  | 'NextChat'
  | 'LobeChat'
  | 'OpenAI SDK for Python'
  | 'OpenAI SDK for Node'
  | 'curl'
  | 'browser'
  | 'other';

/** The first that fits: programs built on a browser or an SDK name it beside themselves. */
const families: readonly (readonly [RegExp, ClientType])[] = [
  [/claude-(?:cli|code)|claude code/i, 'Claude Code'],
  [/\bcodex/i, 'Codex'],
  [/gemini-?cli/i, 'Gemini CLI'],
  [/cherry ?studio/i, 'Cherry Studio'],
  [/nextchat|chatgpt-next-web/i, 'NextChat'],
  [/lobe-?(?:chat|hub)/i, 'LobeChat'],
  [/^(?:async)?openai\/python|openai-python/i, 'OpenAI SDK for Python'],
  [/^(?:async)?openai\/js|openai-node/i, 'OpenAI SDK for Node'],
  [/^curl\//i, 'curl'],
  [/mozilla\//i, 'browser'],
];

/** What kind of program says this of itself. */
export const clientTypeOf = (userAgent: string | undefined): ClientType => {
  if (userAgent === undefined || userAgent === '') return 'other';
  return families.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';
};

/** How often, and between when, one kind of program called through a channel in a group. */
export interface Sighting {
  readonly channelId: number;
  readonly group: string;
  readonly clientType: string;
  readonly count: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** Sightings as they are kept: what is added counts on top of what is there. */
export interface SightingStore {
  add(sightings: readonly Sighting[]): Promise<void>;
  ofChannel(channelId: number): Promise<readonly Sighting[]>;
  /** Those of channels that are gone. */
  deleteOrphans(): Promise<void>;
}
