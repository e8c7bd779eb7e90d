import { AppError } from '../error.ts';
import type { ChatRequest } from './request.ts';

/** Throws `invalid_request`, naming the field, when the request asks for what an upstream of `dialect` cannot do. */
export const requireSayable = (request: ChatRequest, dialect: string): void => {
  const { onlyIn } = request;
  if (onlyIn === undefined || onlyIn.dialect === dialect) return;
  throw new AppError('invalid_request', onlyIn.message, {
    param: onlyIn.param,
    reason: 'unsupported_parameter',
  });
};
