import type { AppError } from '#core/error.ts';

/** An upstream may learn a format: after this long it is asked again. */
const BELIEVED_MS = 600_000;
/** Callers name models: what they make up must not fill the memory. */
const MOST = 10_000;
const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 501]);

const REFUSES: ReadonlySet<number> = new Set([400, 404, 422]);
const NOT_FOR_MODEL = /\b(?:not|unsupported|unknown|invalid|only)\b/i;

/**
 * What an upstream's refusal says it lacks: the path of a format, or a model at that path, which it may well have at its
 * own. Undefined where it says neither.
 */
export const gapIn = ({ upstream }: AppError): 'path' | 'model' | undefined => {
  if (upstream === undefined) return undefined;
  const said = `${upstream.type ?? ''} ${upstream.message}`;
  const isOfModel = /model/i.test(said);
  if (NO_SUCH_PATH.has(upstream.status) && !isOfModel) return 'path';
  return REFUSES.has(upstream.status) && isOfModel && NOT_FOR_MODEL.test(said) ? 'model' : undefined;
};

/** Formats that channels turned out not to speak, at all or with one model, although most of their kind do. */
export class FormatGaps {
  readonly #untilMs = new Map<string, number>();

  /** `model`: with this one only. */
  add(channelId: number, format: string, nowMs: number, model = ''): void {
    if (this.#untilMs.size >= MOST) this.#untilMs.clear();
    this.#untilMs.set(`${channelId} ${format} ${model}`, nowMs + BELIEVED_MS);
  }

  has(channelId: number, format: string, nowMs: number, model: string): boolean {
    if (this.#untilMs.size === 0) return false;
    const untilMs = (of: string): number => this.#untilMs.get(`${channelId} ${format} ${of}`) ?? 0;
    return Math.max(untilMs(''), untilMs(model)) > nowMs;
  }
}
