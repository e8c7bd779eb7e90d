import type { DialectName } from '#core/chat/request.ts';
import type { AppError } from '#core/error.ts';

/** An upstream may learn a format: after this long it is asked again. */
const BELIEVED_MS = 600_000;
const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405, 501]);

/** Whether an upstream says that it has no such path, rather than no such model. */
export const saysNoSuchPath = ({ upstream }: AppError): boolean =>
  upstream !== undefined &&
  NO_SUCH_PATH.has(upstream.status) &&
  !/model/i.test(`${upstream.type} ${upstream.message}`);

/** Formats that channels turned out not to speak, although most of their kind do. */
export class FormatGaps {
  readonly #untilMs = new Map<string, number>();

  add(channelId: number, format: DialectName, nowMs: number): void {
    this.#untilMs.set(`${channelId} ${format}`, nowMs + BELIEVED_MS);
  }

  has(channelId: number, format: string, nowMs: number): boolean {
    return this.#untilMs.size > 0 && (this.#untilMs.get(`${channelId} ${format}`) ?? 0) > nowMs;
  }
}
