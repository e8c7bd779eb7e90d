/** After this long a response that still is not over is cancelled and charged what it says by then. */
export const BACKGROUND_LIFE_MS = 24 * 3_600_000;
/** Its hold outlives it by far: what closes it is its end, the hold's own time is only the last resort. */
export const BACKGROUND_HOLD_LIFE_MS = 7 * 24 * 3_600_000;
/** The longest answer a hold assumes where the caller sets no limit: what runs in the background is meant to be long. */
export const BACKGROUND_OUTPUT_TOKENS = 32_768;

const ASK_FIRST_AFTER_MS = 1000;
/** Some upstreams keep what they answered for ten minutes only. */
const ASK_AT_LEAST_EVERY_MS = 60_000;

/** When a response is asked for again: soon while it is young, less often as it grows old. */
export const askAgainAtMs = (createdAtMs: number, nowMs: number): number =>
  nowMs + Math.min(ASK_AT_LEAST_EVERY_MS, Math.max(ASK_FIRST_AFTER_MS, (nowMs - createdAtMs) / 10));

/** A response that an upstream works on while nobody waits. Its hold stays open until it is over. */
export interface BackgroundResponse {
  readonly holdId: string;
  readonly userId: number;
  /** The upstream's own id; empty until it has given one. */
  readonly responseId: string;
  /** The one channel that knows it. */
  readonly channelId: number;
  /** The caller's name of the model. */
  readonly model: string;
  readonly createdAtMs: number;
  readonly askAtMs: number;
  /** JSON: what its end is charged and logged by. */
  readonly bill: string;
}

export type BackgroundChanges = Partial<
  Pick<BackgroundResponse, 'responseId' | 'channelId' | 'askAtMs' | 'bill'>
>;

/** The responses whose end is still to be charged. */
export interface BackgroundResponseStore {
  add(response: BackgroundResponse): Promise<void>;
  change(holdId: string, changes: BackgroundChanges): Promise<void>;
  find(userId: number, responseId: string): Promise<BackgroundResponse | undefined>;
  /** Takes those that are to be asked for, so that no other node takes them before `againAtMs`. */
  takeDue(nowMs: number, againAtMs: number, limit: number): Promise<readonly BackgroundResponse[]>;
  forget(holdId: string): Promise<void>;
}
