interface SearchInputProps {
  /** What is searched: the accessible name and the placeholder. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The first field of a dialog, which gets the focus. */
  readonly isFirst?: boolean;
}

/** A search field that filters the content below it while typing. */
export const SearchInput = ({ label, value, onChange, isFirst }: SearchInputProps) => (
  <input
    type="search"
    className="input"
    aria-label={label}
    placeholder={label}
    value={value}
    data-autofocus={isFirst}
    onChange={(event) => onChange(event.target.value)}
  />
);
