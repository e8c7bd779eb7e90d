/** Kinds of client programs, detected by `User-Agent`. */
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

/** The first match wins: programs built on a browser or SDK also name that. */
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

/** The kind of program this `User-Agent` names. */
export const clientTypeOf = (userAgent: string | undefined): ClientType => {
  if (userAgent === undefined || userAgent === '') return 'other';
  return families.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';
};

/** How often, and between when, one kind of client called through a channel in a group. */
export interface Sighting {
  readonly channelId: number;
  readonly group: string;
  readonly clientType: string;
  readonly count: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** Stores sightings; adding increases what is already stored. */
export interface SightingStore {
  add(sightings: readonly Sighting[]): Promise<void>;
  ofChannel(channelId: number): Promise<readonly Sighting[]>;
  /** Deletes sightings of deleted channels. */
  deleteOrphans(): Promise<void>;
}
