import { AppError } from '#core/error.ts';
import { fieldsOf, parsedFields } from '#core/json/fields.ts';
import { assertOneModel } from '../other-models.ts';
import { isAppend } from './caller-input.ts';

/** Who talks: the names that the caller may use, and the upstream's. */
export interface TalkingModel {
  readonly asked: readonly unknown[];
  readonly upstream: string;
}

/** What holds settings in a caller's message. */
const HOLDERS = ['session', 'response'] as const;

/**
 * A caller's message as it goes to the upstream: where it names the conversation's model, as some clients do with every
 * session, it names it as the upstream does. Throws `invalid_request` if it would have another model answer.
 */
export const withUpstreamModel = (data: Buffer, { asked, upstream }: TalkingModel): Buffer => {
  if (isAppend(data)) return data;
  const message = parsedFields(data) ?? {};
  let sent = message;
  for (const holder of HOLDERS) {
    const fields = fieldsOf(message[holder]);
    const { model } = fields;
    if (model !== undefined && model !== null && !asked.includes(model)) throw otherModel(`${holder}.model`);
    assertOneModel(fields, asked);
    if (typeof model === 'string' && model !== upstream)
      sent = { ...sent, [holder]: { ...fields, model: upstream } };
  }
  return sent === message ? data : Buffer.from(JSON.stringify(sent));
};

const otherModel = (param: string): AppError =>
  new AppError(
    'invalid_request',
    `'${param}' is another model than the one that the conversation was opened with`,
    {
      param,
      reason: 'unsupported_parameter',
    },
  );
