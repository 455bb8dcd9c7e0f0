import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";

import { Shell } from "../../src/app/Shell";
import { show } from "../support/page";

const counted = vi.hoisted(() => ({ renders: 0 }));

vi.mock("../../src/app/pages", () => {
  const Counted = () => {
    counted.renders += 1;
    return <button type="button">Pause</button>;
  };
  const pages = [{ path: "/", title: "Overview", section: "Work", Page: Counted }];
  return { PAGES: pages, LISTED: pages };
});

it("renders no page anew while the palette opens, is written in and closes", async () => {
  show(<Shell stage="test" onSignOut={() => undefined} />, {}, { path: "/" });
  await screen.findByRole("button", { name: "Pause" });
  const before = counted.renders;
  await userEvent.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox", { name: /^Page, action/ });
  await userEvent.type(field, "over");
  await userEvent.keyboard("{Escape}{Escape}");

  expect(before).toBeGreaterThan(0);
  expect(counted.renders).toBe(before);
});

it("opens the palette by the button as well, with each page and action", async () => {
  show(<Shell stage="test" onSignOut={() => undefined} />, {}, { path: "/" });
  await userEvent.click((await screen.findAllByText("Search (Ctrl+K)"))[0] ?? document.body);
  await userEvent.click(await screen.findByRole("combobox", { name: /^Page, action/ }));

  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toContain("> Sign out");
});
