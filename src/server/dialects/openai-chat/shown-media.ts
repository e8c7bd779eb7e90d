import type { ContentPart } from '#core/chat/request.ts';

/** In the extras of a result: its pictures and files were in it in this format, too, and not with the user. */
export const SHOWS_MEDIA = 'shows_media';

export const isMedia = ({ type }: ContentPart): boolean =>
  type === 'image' || type === 'file' || type === 'audio';
