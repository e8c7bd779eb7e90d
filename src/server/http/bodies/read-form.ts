import type { Form } from '../../dialects/form/form.ts';
import { FormScanner, type TextRoom } from '../../dialects/form/form-scanner.ts';
import type { HeldBody } from './held-body.ts';

/**
 * Reads a form as it arrives: its fields stay in memory counted by `room`, its bytes go to `held`. Resolves when it is
 * complete; with `mayComeOn` as soon as the model and the beginning of a large file are there, and then `whole`
 * resolves with the rest. Rejects with `invalid_request` for a broken form, and with what `pieces`, `held` and `room`
 * throw.
 */
export const readForm = (
  pieces: AsyncIterable<Buffer>,
  contentType: string,
  held: HeldBody,
  room: TextRoom,
  mayComeOn: boolean,
): Promise<Form> =>
  new Promise((resolve, reject) => {
    const scanner = new FormScanner(contentType, room);
    let isResolved = !mayComeOn;
    const read = async (): Promise<Form> => {
      for await (const piece of pieces) {
        scanner.push(piece);
        await held.append(piece);
        const soFar = isResolved || !held.isOnDisk ? undefined : scanner.soFar(held.length);
        if (soFar === undefined) continue;
        isResolved = true;
        resolve({ ...soFar, held, whole });
      }
      held.finish();
      return { ...scanner.end(), held };
    };
    const whole = read().catch((thrown: unknown) => {
      held.fail(thrown);
      throw thrown;
    });
    whole.then(resolve, reject);
  });
