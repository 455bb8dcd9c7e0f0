import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

import { useFocusKept } from "./focus";

/**
 * Says of what it frames which address it shows, and how many answers are being read for it. It is written once the
 * page has asked for them: a script that waits for both sees no page before this one, and no answer before this one.
 * None is being read once the page shows the last answer, and not before.
 *
 * A page takes the keyboard's place along that had what was pressed: the next page has it, and not the top of the window.
 */
export function Place({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const client = useQueryClient();
  const frame = useRef<HTMLDivElement>(null);
  useFocusKept(frame);
  // Effects of what it frames come first: their reads have begun.
  useEffect(() => {
    const write = (): void => {
      if (frame.current !== null) frame.current.dataset.reading = String(client.isFetching());
    };
    write();
    if (frame.current !== null) frame.current.dataset.place = `${pathname}${search}`;
    return client.getQueryCache().subscribe(() => {
      if (client.isFetching() > 0) write();
      // Queued behind the page's own notice of the answer: both are drawn at once.
      else notifyManager.schedule(write);
    });
  }, [client, pathname, search]);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement === document.body) frame.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <div ref={frame} tabIndex={-1} className="place">
      {children}
    </div>
  );
}
