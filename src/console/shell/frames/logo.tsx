import { useState } from 'react';
import { useSiteStatus } from '../../lib/server/site-status.ts';

/** The site's own logo, else ours, also where that one cannot be loaded: a gate. */
const Mark = ({ size }: { readonly size: number }) => {
  const logo = useSiteStatus()?.logo ?? '';
  const [broken, setBroken] = useState('');
  if (logo !== '' && logo !== broken)
    return (
      <img className="mark" src={logo} alt="" width={size} height={size} onError={() => setBroken(logo)} />
    );
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="9" fill="var(--button)" />
      <path
        d="M8 23V13.5a8 8 0 0 1 16 0V23M8 18.2h16M13.3 23v-4.8M18.7 23v-4.8"
        fill="none"
        stroke="var(--on-button)"
        strokeWidth="2.3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
};

export const useSystemName = (): string => useSiteStatus()?.system_name || 'Tollgate';

/** Logo and name of the site. */
export const Logo = ({
  size = 24,
  isMarkOnly = false,
}: {
  readonly size?: number;
  readonly isMarkOnly?: boolean;
}) => {
  const name = useSystemName();
  return (
    <span className="logo">
      <Mark size={size} />
      <span className={isMarkOnly ? 'hidden-visually' : 'logo-name truncate'}>{name}</span>
    </span>
  );
};
