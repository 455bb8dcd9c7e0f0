import type { ReactNode, Ref } from "react";

interface Props {
  label: string;
  className: string;
  role?: "group" | "log";
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** Frames what may be larger than its place; the keyboard reaches it and scrolls it. */
export function Scroll({ label, className, role, children, ref }: Props) {
  return (
    // Without a tab stop only a mouse could scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={className} role={role ?? "group"} aria-label={label} tabIndex={0} ref={ref}>
      {children}
    </div>
  );
}
