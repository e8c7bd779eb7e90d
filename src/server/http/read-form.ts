import type { Form } from '../dialects/form.ts';
import { FormScanner, type TextRoom } from '../dialects/form-scanner.ts';
import type { HeldBody } from './held-body.ts';

/** Reads a variable-length number (RFC 8794, 4); ids keep their length marker. */
export const readForm = (
  pieces: AsyncIterable<Buffer>,
  contentType: string,
  held: HeldBody,
  room: TextRoom,
  mayComeOn: boolean,
): Promise<Form> =>
  new Promise((resolve, reject) => {
    const scanner = new FormScanner(contentType, room);
    let isTold = !mayComeOn;
    const read = async (): Promise<Form> => {
      for await (const piece of pieces) {
        scanner.push(piece);
        await held.append(piece);
        const soFar = isTold || !held.isOnDisk ? undefined : scanner.soFar(held.length);
        if (soFar === undefined) continue;
        isTold = true;
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
