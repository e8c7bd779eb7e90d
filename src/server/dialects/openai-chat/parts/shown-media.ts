import type { ContentPart } from '#core/chat/request.ts';

/** Marks, in the extras of a tool result, that its images and files were inside it and not in a user message. */
export const SHOWS_MEDIA = 'shows_media';

/** Whether a part is an image, a file or a sound. */
export const isMedia = ({ type }: ContentPart): boolean =>
  type === 'image' || type === 'file' || type === 'audio';
