import type { OutboundRequest } from '#core/outbound.ts';
import { fieldsOf, type Fields } from '../dialects/openai/fields.ts';

/** What a request whose body was written here as JSON asks for; nothing where it has no body, or one that is a form. */
export const writtenFields = ({ body }: OutboundRequest): Fields =>
  typeof body === 'string' || Buffer.isBuffer(body) ? fieldsOf(JSON.parse(body.toString())) : {};
