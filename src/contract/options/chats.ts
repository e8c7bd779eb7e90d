import { z } from 'zod';
import { jsonOption } from './option.ts';

/** Links to chat programs for users, each as `{label: address}`, in menu order. */
export const chatOptions = {
  Chats: jsonOption<Record<string, string>[]>(
    [],
    'trust',
    z.array(z.record(z.string().min(1).max(100), z.string().max(2048))).max(100),
  ),
};
