import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { createBrowserRouter, Route, RouterProvider, Routes } from "react-router";
import { afterEach, expect, it } from "vitest";

import { Leaving } from "../../src/app/Leaving";
import { forgetDrafts, keepDrafts } from "../../src/auth/drafts";
import { Page, RouteLink, useAct, useGo, useSearch } from "../../src/kit";
import { useDraft } from "../../src/pages/form/edits/useDraft";
import { useEdited } from "../../src/pages/form/edits/useEdited";

/** A page whose code arrives only once a test ends. */
const Slow = lazy(() => new Promise<never>(() => undefined));

function Form() {
  const [draft, setDraft] = useDraft("job", { name: "nightly" });
  const [, setSearch] = useSearch();
  const go = useGo();
  const save = useAct(() => Promise.resolve({}), () => { go("/saved"); });
  const saveSlowly = useAct(() => Promise.resolve({}), () => { go("/slow"); });
  return (
    <Page title="Edit" crumbs={[{ text: "Jobs", href: "/jobs" }, { text: "Edit", href: "/edit" }]}>
      <input aria-label="Name" value={draft.name} onChange={({ target }) => { setDraft({ name: target.value }); }} />
      <RouteLink to="/elsewhere">Elsewhere</RouteLink>
      <button onClick={() => { setSearch({ tab: "yaml" }); }}>Tab</button>
      <button onClick={save.act}>Save</button>
      <button onClick={saveSlowly.act}>{saveSlowly.answer ? "Saved" : "Save slowly"}</button>
    </Page>
  );
}

/** Edits a thing that was read in a version. */
function Edited() {
  const { draft, setDraft } = useEdited({ name: "nightly" }, 3);
  return (
    <>
      <input aria-label="Name" value={String(draft.name)} onChange={({ target }) => { setDraft({ name: target.value }); }} />
      <RouteLink to="/elsewhere">Elsewhere</RouteLink>
    </>
  );
}

function open(Shown = Form, path = "/edit"): void {
  history.replaceState(null, "", path);
  const element = (
    <>
      <Suspense>
        <Routes>
          <Route path="/edit" element={<Shown />} />
          <Route path="/before" element={<RouteLink to="/edit">Edit it</RouteLink>} />
          <Route path="/slow" element={<Slow />} />
          <Route path="*" element={<p>Another page</p>} />
        </Routes>
      </Suspense>
      <Leaving />
    </>
  );
  const router = createBrowserRouter([{ path: "*", element }]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const write = (name: string): void => {
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: name } });
};

/** Tells if the browser would ask before the window leaves. */
function isAskedByBrowser(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
}

const isAsked = (): boolean => screen.queryByText("Leave without saving?") !== null;

afterEach(() => {
  cleanup();
  forgetDrafts();
});

it.each([
  ["a link", () => userEvent.click(screen.getByText("Elsewhere"))],
  ["the way through the pages above", () => userEvent.click(screen.getAllByText("Jobs")[0] ?? document.body)],
  [
    "the browser's way back",
    () =>
      act(() => {
        history.back();
        return Promise.resolve();
      }),
  ],
])("asks before %s leaves a form in which something is typed", async (_, leave) => {
  open(Form, "/before");
  await userEvent.click(screen.getByText("Edit it"));
  write("mine");
  await leave();
  await screen.findByText("Leave without saving?");
  await userEvent.click(screen.getByText("Stay"));

  expect(isAsked()).toBe(false);
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("mine");
  expect(location.pathname).toBe("/edit");
});

it("leaves once the person says so", async () => {
  open();
  write("mine");
  await userEvent.click(screen.getByText("Elsewhere"));
  await userEvent.click(await screen.findByText("Leave"));

  expect(await screen.findByText("Another page")).toBeTruthy();
  expect(location.pathname).toBe("/elsewhere");
});

it.each([
  ["nothing is typed", () => undefined],
  [
    "it is again as it was",
    () => {
      write("mine");
      write("nightly");
    },
  ],
])("asks nothing where %s", async (_, type) => {
  open();
  type();
  expect(isAskedByBrowser()).toBe(false);
  await userEvent.click(screen.getByText("Elsewhere"));

  expect(await screen.findByText("Another page")).toBeTruthy();
});

it("asks nothing where another part of the same page is shown", async () => {
  open();
  write("mine");
  await userEvent.click(screen.getByText("Tab"));

  await waitFor(() => {
    expect(location.search).toBe("?tab=yaml");
  });
  expect(isAsked()).toBe(false);
});

it("asks nothing where the form was saved", async () => {
  open();
  write("mine");
  await userEvent.click(screen.getByText("Save"));

  expect(await screen.findByText("Another page")).toBeTruthy();
  expect(location.pathname).toBe("/saved");
});

it("asks nothing between a saved form and the page whose code is still to come", async () => {
  open();
  write("mine");
  await userEvent.click(screen.getByText("Save slowly"));
  await screen.findByText("Saved");

  expect(location.pathname).toBe("/slow");
  expect(isAskedByBrowser()).toBe(false);
});

it("has the browser ask before the window leaves, unless what is typed is kept for a sign-in", () => {
  open();
  write("mine");
  expect(isAskedByBrowser()).toBe(true);
  keepDrafts();
  expect(isAskedByBrowser()).toBe(false);
  write("mine, and more");

  expect(isAskedByBrowser()).toBe(true);
});

it("asks of an edit of a known thing as well", async () => {
  open(Edited);
  expect(isAskedByBrowser()).toBe(false);
  write("mine");
  expect(isAskedByBrowser()).toBe(true);
  await userEvent.click(screen.getByText("Elsewhere"));

  expect(await screen.findByText("Leave without saving?")).toBeTruthy();
});
