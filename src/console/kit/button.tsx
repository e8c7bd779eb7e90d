import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>;

interface ButtonProps extends Native {
  /** `primary` once per screen; `danger` for what cannot be undone; `plain` has no border. */
  readonly variant?: 'primary' | 'default' | 'plain' | 'danger';
  readonly size?: 'small' | 'normal' | 'large';
  readonly icon?: ReactNode;
  /** Shows a spinner and ignores clicks. It keeps its width, and the focus, which a disabled button would lose. */
  readonly busy?: boolean;
  readonly wide?: boolean;
}

/** Keeps a busy button from submitting its form, by a click or by Enter in a field. */
const ignore = (event: MouseEvent): void => event.preventDefault();

/** A button with text. `type` is `button` unless said otherwise. */
export const Button = ({
  variant = 'default',
  size = 'normal',
  icon,
  busy = false,
  wide = false,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? ignore : onClick}
    className={classNames(
      'button',
      `button-${variant}`,
      size !== 'normal' && `button-${size}`,
      wide && 'button-wide',
      busy && 'button-busy',
    )}
  >
    {icon}
    <span>{children}</span>
  </button>
);

interface IconButtonProps extends Native {
  /** Its name for screen readers, and its tooltip. */
  readonly label: string;
  readonly children: ReactNode;
  readonly pressed?: boolean;
}

/** A square button with only an icon. */
export const IconButton = ({ label, children, pressed, type = 'button', ...rest }: IconButtonProps) => (
  <button
    {...rest}
    type={type}
    className="icon-button"
    aria-label={label}
    aria-pressed={pressed}
    data-tip={label}
  >
    {children}
  </button>
);
