import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { createBrowserRouter, Route, RouterProvider, Routes } from "react-router";
import { expect, it } from "vitest";

import { Leaving } from "../../src/app/Leaving";
import { keepDrafts } from "../../src/auth/drafts";
import { RouteLink, useAct, useGo } from "../../src/kit";
import { MadeKey } from "../../src/pages/api_keys/MadeKey";
import { ActionModal, NoteField } from "../../src/pages/shared/ActionModal";
import { apiKey } from "../support/answers";

/** A dialog whose action opens the page of its effect. */
function Dialog() {
  const [note, setNote] = useState("");
  const go = useGo();
  const act = useAct(() => Promise.resolve({}), () => { go("/done"); });
  return (
    <ActionModal title="Act?" verb="Act" isRunning={act.isRunning} problem={null} onConfirm={act.act} onDismiss={() => undefined} cli="timegate" api="GET /">
      <NoteField note={note} onChange={setNote} />
    </ActionModal>
  );
}

function Key() {
  const [isKept, setKept] = useState(false);
  return isKept ? <p>Keys</p> : <MadeKey made={{ ...apiKey(), api_key: "tgk_secret" }} onKept={() => { setKept(true); }} />;
}

/** Opens a page from another one. */
async function open(page: ReactElement): Promise<void> {
  history.replaceState(null, "", "/before");
  const element = (
    <>
      <Routes>
        <Route path="/before" element={<RouteLink to="/page">Open it</RouteLink>} />
        <Route path="/page" element={page} />
        <Route path="*" element={<p>Another page</p>} />
      </Routes>
      <Leaving />
    </>
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createBrowserRouter([{ path: "*", element }])} />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByText("Open it"));
}

const goBack = () =>
  act(async () => {
    history.back();
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

/** Tells if the browser would ask before the window leaves. */
function isAskedByBrowser(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
}

const typeNote = () => userEvent.type(screen.getByLabelText("Note"), "why");

it("asks before the way back leaves a dialog in which something is typed, and keeps it", async () => {
  await open(<Dialog />);
  await typeNote();
  await goBack();
  expect(await screen.findByText("What is typed in this dialog is not sent, and is lost once you leave.")).toBeTruthy();
  await userEvent.click(screen.getByText("Stay"));

  expect(screen.getByLabelText<HTMLInputElement>("Note").value).toBe("why");
  expect(location.pathname).toBe("/page");
  expect(isAskedByBrowser()).toBe(true);
});

it("leaves a dialog in which nothing is typed, without a question", async () => {
  await open(<Dialog />);
  expect(isAskedByBrowser()).toBe(false);
  await goBack();

  expect(await screen.findByText("Open it")).toBeTruthy();
});

it("opens what follows the action of a dialog, without a question", async () => {
  await open(<Dialog />);
  await typeNote();
  await userEvent.click(screen.getByText("Act"));

  expect(await screen.findByText("Another page")).toBeTruthy();
  expect(location.pathname).toBe("/done");
});

it("leaves a dialog for a sign-in, without a question", async () => {
  await open(<Dialog />);
  await typeNote();
  keepDrafts();

  expect(isAskedByBrowser()).toBe(false);
});

it("asks before a page is left that shows a new key, until it is kept", async () => {
  await open(<Key />);
  expect(isAskedByBrowser()).toBe(true);
  await goBack();
  expect(await screen.findByText("The new key is lost once you leave: nothing shows it again.")).toBeTruthy();
  await userEvent.click(screen.getByText("Stay"));
  expect(screen.getByText("tgk_secret")).toBeTruthy();
  await userEvent.click(screen.getByText("I have kept it"));
  expect(isAskedByBrowser()).toBe(false);
  await goBack();

  expect(await screen.findByText("Open it")).toBeTruthy();
});
