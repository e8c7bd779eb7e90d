import { z } from 'zod';
import { jsonOption } from './option.ts';

/** Chat programs a user is sent to, each as `{label: address}`, in the order of the menu. */
export const chatOptions = {
  Chats: jsonOption<Record<string, string>[]>(
    [],
    'trust',
    z.array(z.record(z.string().min(1).max(100), z.string().max(2048))).max(100),
  ),
};
