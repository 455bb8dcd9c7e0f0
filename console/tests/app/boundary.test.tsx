import { fireEvent, screen, waitFor } from "@testing-library/react";
import { lazy, useState } from "react";
import { useParams } from "react-router";
import { expect, it, vi } from "vitest";

import { Shell } from "../../src/app/Shell";
import { RouteLink } from "../../src/kit";
import { show } from "../support/page";

vi.mock("../../src/app/pages", () => {
  const Typed = () => {
    const { id = "" } = useParams();
    const [text, setText] = useState("");
    return (
      <>
        <input aria-label={`Note on ${id}`} value={text} onChange={({ target }) => { setText(target.value); }} />
        <RouteLink to="/things/b">The other thing</RouteLink>
      </>
    );
  };
  const pages = [
    { path: "/", title: "Overview", section: "Work", Page: () => <p>All is well</p> },
    { path: "/gone", title: "Gone", section: "Work", Page: lazy(() => Promise.reject(new Error("Failed to fetch dynamically imported module"))) },
    { path: "/things/:id", title: "Thing", Page: Typed },
  ];
  return { PAGES: pages, LISTED: pages.filter(({ section }) => section !== undefined) };
});

const open = (path: string) => show(<Shell stage="test" onSignOut={() => undefined} />, {}, { path, route: "*" });

it("shows that a page is gone, and opens others", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  open("/gone");

  expect(await screen.findByText("This page cannot be shown")).toBeDefined();
  expect(screen.getByText(/dynamically imported module/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Load it again" })).toBeDefined();
  fireEvent.click(screen.getByRole("link", { name: "Overview" }));
  expect(await screen.findByText("All is well")).toBeDefined();
  expect(screen.queryByText("This page cannot be shown")).toBeNull();
});

it("keeps nothing that was typed at one address for another of the same page", async () => {
  open("/things/a");
  fireEvent.change(await screen.findByLabelText("Note on a"), { target: { value: "of a alone" } });
  fireEvent.click(screen.getByText("The other thing"));

  await waitFor(() => {
    expect(screen.getByLabelText<HTMLInputElement>("Note on b").value).toBe("");
  });
});
