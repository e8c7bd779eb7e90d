import type { Channel } from '#core/channel/channel.ts';
import type { AppError } from '#core/error.ts';

/** An upstream may add a format later: after this long it is tried again. */
const BELIEVED_MS = 600_000;
/** Callers choose model names, so the number of entries is limited. */
const MOST = 10_000;
/** Statuses of upstreams that do not know a path. */
export const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 501]);

const REFUSES: ReadonlySet<number> = new Set([400, 404, 422]);
const NOT_FOR_MODEL = /\b(?:not|unsupported|unknown|invalid|only)\b/i;

/**
 * What an upstream's refusal says it lacks: the path of a format, or the model at that path. Undefined if it says
 * neither.
 */
export const gapIn = ({ upstream }: AppError): 'path' | 'model' | undefined => {
  if (upstream === undefined) return undefined;
  const words = `${upstream.type ?? ''} ${upstream.message}`;
  const isOfModel = /model/i.test(words);
  if (NO_SUCH_PATH.has(upstream.status) && !isOfModel) return 'path';
  return REFUSES.has(upstream.status) && isOfModel && NOT_FOR_MODEL.test(words) ? 'model' : undefined;
};

/** Whose gaps they are: at another address the channel may have none. */
type At = Pick<Channel, 'id' | 'baseUrl'>;

/** Formats that single channels turned out not to support, for all models or for one, although their type does. */
export class FormatGaps {
  readonly #untilMs = new Map<string, number>();

  /** @param model limits the gap to this model; empty for all models */
  add({ id, baseUrl }: At, format: string, nowMs: number, model = ''): void {
    if (this.#untilMs.size >= MOST) this.#untilMs.clear();
    this.#untilMs.set(`${id} ${baseUrl} ${format} ${model}`, nowMs + BELIEVED_MS);
  }

  has({ id, baseUrl }: At, format: string, nowMs: number, model: string): boolean {
    if (this.#untilMs.size === 0) return false;
    const untilMs = (of: string): number => this.#untilMs.get(`${id} ${baseUrl} ${format} ${of}`) ?? 0;
    return Math.max(untilMs(''), untilMs(model)) > nowMs;
  }
}
