/** After this long, an unfinished response is cancelled and charged for its output so far. */
export const BACKGROUND_LIFE_MS = 24 * 3_600_000;
/**
 * The hold lasts far longer than the response: it is closed when the response ends, and its own expiry is a last
 * resort.
 */
export const BACKGROUND_HOLD_LIFE_MS = 7 * 24 * 3_600_000;
/** The longest answer a hold assumes if the caller sets no limit: background work is expected to be long. */
export const BACKGROUND_OUTPUT_TOKENS = 32_768;

const ASK_FIRST_AFTER_MS = 1000;
/** Some upstreams keep a finished response for only ten minutes. */
const ASK_AT_LEAST_EVERY_MS = 60_000;

/** When to poll a response again: often at first, less often as it gets older. */
export const askAgainAtMs = (createdAtMs: number, nowMs: number): number =>
  nowMs + Math.min(ASK_AT_LEAST_EVERY_MS, Math.max(ASK_FIRST_AFTER_MS, (nowMs - createdAtMs) / 10));

/** A response that the upstream works on in the background. Its hold stays open until it ends. */
export interface BackgroundResponse {
  readonly holdId: string;
  readonly userId: number;
  /** The upstream's own id; empty until it is known. */
  readonly responseId: string;
  /** The only channel that has it. */
  readonly channelId: number;
  /** The id of the key that was used, if the channel has several; 0 for its only one. */
  readonly keyId: number;
  /** The model's name in the request. */
  readonly model: string;
  readonly createdAtMs: number;
  readonly askAtMs: number;
  /** JSON: what is needed to charge and log it when it ends. */
  readonly bill: string;
}

export type BackgroundChanges = Partial<
  Pick<BackgroundResponse, 'responseId' | 'channelId' | 'keyId' | 'askAtMs' | 'bill'>
>;

/** Stores responses that are not charged yet. */
export interface BackgroundResponseStore {
  add(response: BackgroundResponse): Promise<void>;
  change(holdId: string, changes: BackgroundChanges): Promise<void>;
  find(userId: number, responseId: string): Promise<BackgroundResponse | undefined>;
  /** Claims due responses for polling, so that no other node takes them before `againAtMs`. */
  takeDue(nowMs: number, againAtMs: number, limit: number): Promise<readonly BackgroundResponse[]>;
  forget(holdId: string): Promise<void>;
}
