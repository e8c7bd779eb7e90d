import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { listed } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { toast } from '../../../lib/toasts.ts';
import { isPicture, PICTURES_MAX, readPictures } from './read-pictures.ts';

export interface Pictures {
  /** Data URLs, ready to be sent. */
  readonly urls: readonly string[];
  readonly isOver: boolean;
  readonly add: (files: Iterable<File>) => void;
  readonly remove: (url: string) => void;
  readonly clear: () => void;
  readonly paste: (event: ClipboardEvent) => void;
  readonly dropTarget: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** The pictures attached to the next message: picked, pasted or dropped. */
export const usePictures = (): Pictures => {
  const { t } = useTranslation('playground');
  const [urls, setUrls] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);

  const add = (files: Iterable<File>): void => {
    const given = [...files];
    const others = given.filter((file) => !isPicture(file)).map(({ name }) => name);
    if (others.length > 0) toast('bad', t('picture.onlyPictures', { names: listed(others) }));
    readPictures(given.filter(isPicture)).then(
      (read) => {
        if (urls.length + read.length > PICTURES_MAX)
          toast('bad', t('picture.tooMany', { count: PICTURES_MAX }));
        setUrls((now) => [...new Set([...now, ...read])].slice(0, PICTURES_MAX));
      },
      () => toast('bad', t('picture.unreadable')),
    );
  };
  return {
    urls,
    isOver,
    add,
    remove: (url) => setUrls((now) => now.filter((one) => one !== url)),
    clear: () => setUrls([]),
    paste: (event) => {
      // Cells of a sheet come as text and as a picture of it.
      if (event.clipboardData.files.length === 0 || event.clipboardData.getData('text/plain') !== '') return;
      event.preventDefault();
      add(event.clipboardData.files);
    },
    dropTarget: {
      onDragOver: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event) => {
        if (event.currentTarget === event.target) setOver(false);
      },
      onDrop: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer.files);
      },
    },
  };
};
