import { within } from "@testing-library/react";
import type { ComponentType } from "react";
import { expect } from "vitest";

import { type Answers, type Asked, seriousViolations, show } from "./page";

export const OPERATOR = ["timegate/read", "timegate/operate", "timegate/send", "timegate/write"];
export const VIEWER = ["timegate/read"];
export const ADMIN = ["timegate/admin", "timegate/read"];

interface Options {
  Page: ComponentType;
  /** The route's pattern, and the address that is opened. */
  route: string;
  url: string;
  answers: Answers;
  scopes?: readonly string[];
}

/** Opens a page at an address, as an operator unless told otherwise. */
export function renderPage({ Page, route, url, answers, scopes = OPERATOR }: Options) {
  return show(<Page />, answers, { path: url, route, scopes });
}

/** Returns what the page asked the API to change. */
export function changes(asked: readonly Asked[]): [string, string, unknown][] {
  return asked
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, body }) => [method, path, body]);
}

/** Tells if a button is disabled: Cloudscape keeps one with a reason in the tab order. */
export function isDisabled(button: HTMLElement): boolean {
  return button.hasAttribute("disabled") || button.getAttribute("aria-disabled") === "true";
}

/** Fails on a serious violation of accessibility. */
export async function expectAccessible(container: Element): Promise<void> {
  expect(await seriousViolations(container)).toEqual([]);
}

/** Fails if anything that a tenant supplied became more than text. */
export function expectOnlyText({ container }: { container: HTMLElement }): void {
  expect(container.ownerDocument.querySelectorAll("[onerror], [onload], script")).toHaveLength(0);
  expect(within(container).queryAllByRole("img", { name: "x" })).toHaveLength(0);
  expect("hacked" in globalThis).toBe(false);
}
