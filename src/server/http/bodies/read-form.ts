import type { Form } from '../../dialects/form/form.ts';
import { FormScanner, type TextRoom } from '../../dialects/form/form-scanner.ts';
import type { SpooledBody } from './spooled-body.ts';

/**
 * Reads a form as it arrives: its fields stay in memory counted by `room`, its bytes go to `spooled`. Resolves when it is
 * complete; with `mayComeOn` as soon as the model and the beginning of a large file are there, and then `whole`
 * resolves with the rest. Rejects with `invalid_request` for a broken form, and with what `pieces`, `spooled` and `room`
 * throw.
 */
export const readForm = (
  pieces: AsyncIterable<Buffer>,
  contentType: string,
  spooled: SpooledBody,
  room: TextRoom,
  mayComeOn: boolean,
): Promise<Form> =>
  new Promise((resolve, reject) => {
    const scanner = new FormScanner(contentType, room);
    let isResolved = !mayComeOn;
    const read = async (): Promise<Form> => {
      for await (const piece of pieces) {
        scanner.push(piece);
        await spooled.append(piece);
        const soFar = isResolved || !spooled.isOnDisk ? undefined : scanner.soFar(spooled.length);
        if (soFar === undefined) continue;
        isResolved = true;
        resolve({ ...soFar, spooled, whole });
      }
      spooled.finish();
      return { ...scanner.end(), spooled };
    };
    const whole = read().catch((thrown: unknown) => {
      spooled.fail(thrown);
      throw thrown;
    });
    whole.then(resolve, reject);
  });
