import Link from "@cloudscape-design/components/link";
import { type MouseEvent, type ReactNode, useCallback, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";

import { Said } from "./words/Said";

/** A link to another page of the console; its words may be a tenant's. */
export function RouteLink({ to, children, label }: { to: string; children: ReactNode; label?: string }) {
  const go = useNavigate();
  return (
    <Said>
      <Link
        href={to}
        {...(label === undefined ? {} : { ariaLabel: label })}
        onFollow={(event) => {
          event.preventDefault();
          void go(to);
        }}
      >
        {children}
      </Link>
    </Said>
  );
}

/** Returns which of a page's views its URL names, the first where it names none of them, and a function that shows another. */
export function useView(name: string, views: readonly [string, ...string[]]): [string, (view: string) => void] {
  const [search, change] = useSearch();
  const asked = search.get(name) ?? "";
  return [
    views.includes(asked) ? asked : views[0],
    (view) => {
      change({ [name]: view });
    },
  ];
}

type Changes = Record<string, string | readonly string[] | null>;

/** Returns the query of the page's URL, and a function that changes parts of it in place. */
export function useSearch(): [URLSearchParams, (changes: Changes) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (changes: Changes): void => {
    // A page is drawn after its address has changed: the next change is one of the address.
    setSearch(changed(new URLSearchParams(location.search), changes), { replace: true });
  };
  return [search, change];
}

/**
 * Returns a part of the query that a person types, and a function that changes it. It has each letter at once: a field that
 * waited for the page's address would set back what is typed before the page is drawn.
 */
export function useSearchText(name: string): [string, (text: string) => void] {
  const [search, change] = useSearch();
  const read = search.get(name) ?? "";
  // Typed text that the drawn address does not have yet; null: the address has it.
  const [ahead, setAhead] = useState<string | null>(null);
  if (ahead === read) setAhead(null);
  return [
    ahead ?? read,
    (text) => {
      setAhead(text);
      change({ [name]: text });
    },
  ];
}

function changed(was: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(was);
  for (const [name, given] of Object.entries(changes)) {
    next.delete(name);
    const values = given === null ? [] : typeof given === "string" ? [given] : given;
    for (const value of values) if (value !== "") next.append(name, value);
  }
  return next;
}

/** Returns a part of the page's path. */
export const useRouteParam = (name: string): string => useParams()[name] ?? "";

/** Returns a function that opens another page. */
export function useGo(): (to: string) => void {
  const go = useNavigate();
  return (to) => void go(to);
}

/**
 * Returns the handler of a plain link to another page of the console, which stays the same: thousands of Cloudscape's links
 * take seconds to draw. A click that asks for a window or a tab of its own is the browser's.
 */
export function useFollow(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const go = useNavigate();
  return useCallback(
    (event) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void go(event.currentTarget.getAttribute("href") ?? "");
    },
    [go],
  );
}

/** Tells if a link of the API leads to a store; no other scheme becomes a link. */
export function isWebAddress(link: string | null): link is string {
  return link !== null && /^https?:\/\//.test(link);
}
