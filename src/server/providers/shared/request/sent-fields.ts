import type { OutboundRequest } from '#core/outbound/outbound.ts';
import { fieldsOf, type Fields } from '#core/json/fields.ts';

/** The fields of a JSON body that we wrote; none where the request has no body or a form. */
export const sentFields = ({ body }: OutboundRequest): Fields =>
  typeof body === 'string' || Buffer.isBuffer(body) ? fieldsOf(JSON.parse(body.toString())) : {};
