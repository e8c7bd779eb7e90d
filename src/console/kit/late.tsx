import { type ComponentType, lazy, useEffect, useEffectEvent, useState } from 'react';
import { t } from '../lib/text/i18n.ts';
import { toast } from '../lib/toasts.ts';

interface Closable {
  readonly onClose?: unknown;
}

const close = ({ onClose }: Closable): void => {
  if (typeof onClose === 'function') onClose();
};

/**
 * React's `lazy`, for what opens above a page or is a part of it. If its code cannot be loaded, without a network or after an
 * update of the site, that is said, and what was to open is closed: the page stays, with all that is typed in it. The next time
 * it is loaded again.
 * @param giveUp closes it; by default its `onClose`
 */
export const late = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  giveUp: (props: Props) => void = close,
): ComponentType<Props> => {
  const Missing = (props: Props) => {
    const end = useEffectEvent(() => {
      // A part that every row has is missed once.
      if (part !== undefined) toast('bad', t('error.pageMissing'));
      part = undefined;
      giveUp(props);
    });
    useEffect(() => end(), []);
    return null;
  };
  let part: ComponentType<Props> | undefined;
  const loaded = (): ComponentType<Props> =>
    (part ??= lazy(() => load().catch(() => ({ default: Missing }))) as unknown as ComponentType<Props>);
  return (props) => {
    const [Part] = useState(loaded);
    return <Part {...props} />;
  };
};
